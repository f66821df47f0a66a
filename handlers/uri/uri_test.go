package uri

import (
	"net/url"
	"path"
	"strings"
	"testing"
)

func TestRoundTrip(t *testing.T) {
	for name, want := range map[string]string{
		"a/b.txt":     Prefix + "a/b.txt",
		"ä b/ü%20?#c": Prefix + "%C3%A4%20b/%C3%BC%2520%3F%23c",
		`a\b"<>`:      Prefix + "a%5Cb%22%3C%3E",
		"{x}":         Prefix + "%7Bx%7D",
		"...":         Prefix + "...",
	} {
		if got := Of(name); got != want {
			t.Errorf("Of(%q) = %s, want %s", name, got, want)
		}
		if got, err := Path(want); got != name || err != nil {
			t.Errorf("Path(%s) = %q, %v", want, got, err)
		}
	}
	if got, err := Path(Prefix + "%61%2fb"); got != "a/b" || err != nil {
		t.Errorf("an escaped slash: %q, %v", got, err)
	}
}

// refusedURIs are URIs that name nothing, whatever is in the workspace.
var refusedURIs = []string{
	"", "a", Prefix, Prefix + "/a", Prefix + "//etc/passwd", Prefix + "a//b", Prefix + "a/", Prefix + "./a", Prefix + "a/.", Prefix + "..",
	Prefix + "../a", Prefix + "a/../b", Prefix + "%2e%2e/a", Prefix + "%2E%2E%2Fa", Prefix + "..%2fa", Prefix + "a/%2e/b", Prefix + "%2Fetc%2Fpasswd",
	Prefix + "a%00b", Prefix + "a%", Prefix + "a%2", Prefix + "a%zz", Prefix + "a%2", Prefix + `a\b`, Prefix + "a b", Prefix + "a?b", Prefix + "a#b",
	Prefix + "%c0%ae%c0%ae/a", Prefix + "%ff", Prefix + "%ed%a0%80", Prefix + "ä", Prefix + "a\x00", Prefix + "a\n", Prefix + "{+path}", Prefix + "<a>",
	"TEAAGENT://workspace/a", "teaagent://Workspace/a", "teaagent://workspace", "teaagent:/workspace/a", "teaagent:workspace/a", "teaagent://workspace:80/a",
	"teaagent://me@workspace/a", "teaagent://other/a", "teaagent:///a", "file:///etc/passwd", "https://example.com/a", " " + Prefix + "a",
	"teaagent://workspace\\a", "teaagent://workspace%2Fa", "teaagent://workspace/../workspace/a",
}

func TestRefused(t *testing.T) {
	for _, uri := range refusedURIs {
		if got, err := Path(uri); err == nil {
			t.Errorf("Path(%q) = %q", uri, got)
		}
	}
}

func FuzzPath(f *testing.F) {
	for _, uri := range refusedURIs {
		f.Add(uri)
	}
	f.Add(Of("ä b/ü%20?#c"))
	f.Fuzz(func(t *testing.T, uri string) {
		got, err := Path(uri)
		if err != nil {
			return
		}
		if got != path.Clean(got) || got == "." || strings.HasPrefix(got, "/") || strings.HasPrefix(got, "../") || got == ".." {
			t.Fatalf("Path(%q) = %q", uri, got)
		}
		if want, err := url.PathUnescape(strings.TrimPrefix(uri, Prefix)); err != nil || want != got {
			t.Errorf("Path(%q) = %q, net/url says %q, %v", uri, got, want, err)
		}
		if again, err := Path(Of(got)); again != got || err != nil {
			t.Errorf("Of(%q) = %q leads to %q, %v", got, Of(got), again, err)
		}
	})
}
