package plan

import (
	"go/token"
	"testing"
)

// The table is a promise: people have written handlers for these names.
func TestExported(t *testing.T) {
	for name, want := range map[string]string{
		"readFile":     "ReadFile",
		"read_file":    "ReadFile",
		"read-file.v2": "ReadFileV2",
		"README":       "Readme",
		"id":           "ID",
		"userIds":      "UserIDs",
		"user_ids":     "UserIDs",
		"getURL":       "GetURL",
		"getUrlList":   "GetURLList",
		"HTTPServer":   "HTTPServer",
		"http2Server":  "Http2Server",
		"IN_PROGRESS":  "InProgress",
		"API_KEY":      "APIKey",
		"IDs":          "IDs",
		"2fa":          "X2fa",
		"1.0":          "X1_0",
		"v1.10":        "V1_10",
		"c++":          "CPlusPlus",
		"-1":           "Minus1",
		"-":            "Minus",
		"__":           "UnderscoreUnderscore",
		"größe":        "Größe",
		"日本":           "X日本",
		"\x00":         "U0000",
		"a\u200bb":     "AB",
		"func":         "Func",
	} {
		got := exported(name)
		if got != want {
			t.Errorf("exported(%q) = %q, want %q", name, got, want)
		}
		if !token.IsIdentifier(got) || !token.IsExported(got) {
			t.Errorf("exported(%q) = %q, which is no exported name", name, got)
		}
	}
}

func TestOtherNames(t *testing.T) {
	for name, want := range map[string]string{
		"ReadFile": "read_file", "read_file": "read_file", "HTTPServer": "http_server",
		"ContainerIDs": "container_ids", "K8s": "k8s", "get_http_url": "get_http_url",
	} {
		if got := snake(name); got != want {
			t.Errorf("snake(%q) = %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{"ReadFile": "readFile", "IDsOfAll": "idsOfAll", "X": "x", "URL": "url"} {
		if got := unexported(name); got != want {
			t.Errorf("unexported(%q) = %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{
		"Entries": "Entry", "Matches": "Match", "Files": "File", "Statuses": "Status", "Status": "Status",
		"Class": "Class", "Boxes": "Box", "Addresses": "Address", "Data": "Data", "Series": "Series", "S": "S", "Ties": "Tie", "IDs": "ID",
	} {
		if got := singular(name); got != want {
			t.Errorf("singular(%q) = %q, want %q", name, got, want)
		}
	}
}

func FuzzExported(f *testing.F) {
	for _, s := range []string{"readFile", "2fa", "", "日本", "\xff", "ǅ", "a\u0300", "٣"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if got := exported(name); name != "" && (!token.IsIdentifier(got) || !token.IsExported(got)) {
			t.Errorf("exported(%q) = %q, which is no exported name", name, got)
		}
	})
}
