package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

const secret = `cAn4ry"ö/+?&=	ok`

func set(t testing.TB) *Set {
	t.Helper()
	s, short := New([]Secret{{"TOKEN", secret}, {"NONE", ""}, {"PIN", "1234567"}, {"LONG", secret + "er"}, {"WORD", "redacted"}})
	if len(short) != 1 || short[0] != "PIN" {
		t.Fatalf("short secrets: %v", short)
	}
	return s
}

func TestCodings(t *testing.T) {
	s := set(t)
	quoted, _ := json.Marshal(secret)
	twice, _ := json.Marshal(string(quoted))
	for name, coded := range map[string]string{
		"raw": secret, "JSON": string(quoted), "JSON in JSON": string(twice), "Go": strconv.Quote(secret),
		"JSON in Go": strconv.Quote(string(quoted)), "ASCII": strconv.QuoteToASCII(secret),
		"query": url.QueryEscape(secret), "path": url.PathEscape(secret), "lower case": strings.ReplaceAll(url.QueryEscape(secret), "%C3%B6", "%c3%b6"),
		"base64": base64.StdEncoding.EncodeToString([]byte(secret)), "base64 for URLs": base64.RawURLEncoding.EncodeToString([]byte(secret)),
		"basic auth": base64.StdEncoding.EncodeToString([]byte("user:" + secret)), "one more": base64.StdEncoding.EncodeToString([]byte("user1:" + secret + "x")),
		"hexadecimal": fmt.Sprintf("%x", secret),
	} {
		got := s.Text("<" + coded + ">")
		if !strings.Contains(got, "[redacted:TOKEN]") || strings.Contains(got, "4ry") {
			if name == "lower case" { // only one of its escapes is
				continue
			}
			t.Errorf("%s: %s became %s", name, coded, got)
		}
		if again := s.Text(got); again != got {
			t.Errorf("%s: masking %s again gives %s", name, got, again)
		}
		if got := s.Values("<" + coded + ">"); !strings.Contains(got, "[redacted:TOKEN]") {
			t.Errorf("%s: Values leaves %s", name, got)
		}
	}
	if got := s.Text("a " + secret + "er b"); got != "a [redacted:LONG] b" {
		t.Errorf("of a secret in a longer one, the longer counts: %s", got)
	}
	if got := s.Text("the word redacted"); got != "the word [redacted:WORD]" {
		t.Error(got)
	}
	if got := s.With("pass", "pin").Text("my pass is pin, " + secret); got != "my [redacted] is pin, [redacted:TOKEN]" {
		t.Error(got)
	}
	if got := s.Text("my pass"); got != "my pass" {
		t.Errorf("With has changed the set it came from: %s", got)
	}
}

func TestShapes(t *testing.T) {
	var none *Set
	for _, s := range table {
		for _, around := range []string{"%s", "a %s b", "(%s)", "x=%s\n", `{"k":"%s"}`} {
			text := fmt.Sprintf(around, s.is)
			got := none.Text(text)
			if !strings.Contains(got, anonymous) {
				t.Errorf("%s: %q is not masked", s.name, text)
			}
			if s.keep && !strings.Contains(got, s.is[:len(s.begin)]) {
				t.Errorf("%s: %q became %q", s.name, text, got)
			}
			if again := none.Text(got); again != got {
				t.Errorf("%s: masking %q again gives %q", s.name, got, again)
			}
			if text = fmt.Sprintf(around, s.isNot); none.Text(text) != text {
				t.Errorf("%s: %q became %q", s.name, text, none.Text(text))
			}
		}
	}
	if got := none.Text("-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\nrest"); got != anonymous+"\nrest" {
		t.Errorf("a private key: %q", got)
	}
	if got := none.Values("ghp_" + x40); got != "ghp_"+x40 {
		t.Errorf("Values masks shapes: %s", got)
	}
}

func TestHead(t *testing.T) {
	s := set(t)
	for _, c := range []struct {
		text string
		max  int
		want string
	}{
		{"short", 10, "short"},
		{"abcdef", 3, "abc…"},
		{"abö", 3, "ab…"},
		{"ab" + secret + "cd", 5, "ab[redacted:TOKEN]…"},
		{secret + "cd", 40, "[redacted:TOKEN]cd"},
		{"ab" + secret, 2, "ab…"},
	} {
		if got := s.Head(c.text, c.max); got != c.want {
			t.Errorf("Head(%q, %d) = %q, want %q", c.text, c.max, got, c.want)
		}
	}
}

// Texts that were cut before they come here show no part of a secret either.
func TestCutBefore(t *testing.T) {
	s, _ := New([]Secret{{"TOKEN", secret}})
	for text, want := range map[string]string{
		"x" + secret[:6] + "…y":                "x[redacted:TOKEN]…y",
		"x…" + secret[5:] + "y":                "x…[redacted:TOKEN]y",
		"x" + secret[:9] + "…" + secret[9:]:    "x[redacted:TOKEN]…[redacted:TOKEN]",
		"x" + secret[:3] + "…y":                "x" + secret[:3] + "…y",
		"x" + secret + "…" + secret[:4] + "…y": "x[redacted:TOKEN]…[redacted:TOKEN]…y",
		"nothing…at all":                       "nothing…at all",
	} {
		if got := s.Text(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestWriter(t *testing.T) {
	var b bytes.Buffer
	s := set(t)
	w := Writer(&b, func() *Set { return s })
	line := "err=" + strconv.Quote(secret) + "\n"
	if n, err := w.Write([]byte(line)); n != len(line) || err != nil {
		t.Errorf("Write returned %d, %v", n, err)
	}
	if b.String() != `err="[redacted:TOKEN]"`+"\n" {
		t.Error(b.String())
	}
}

func TestNothingFound(t *testing.T) {
	s := set(t)
	text := strings.Repeat("an ordinary line of a log, at https://example.com/x; ", 6)
	if n := testing.AllocsPerRun(10, func() { s.Text(text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzText(f *testing.F) {
	f.Add("a", "b", 3)
	f.Add("[redacted", ":TOKEN]", 0)
	f.Add("://u:", "@h", 9)
	f.Add(secret[:5], secret[3:], 2)
	s, _ := New([]Secret{{"TOKEN", secret}})
	f.Fuzz(func(t *testing.T, before, after string, max int) {
		text := before + secret + after
		got := s.Text(text)
		if strings.Contains(got, secret) {
			t.Errorf("%q shows the secret in %q", text, got)
		}
		if again := s.Text(got); strings.Contains(again, secret) {
			t.Errorf("%q shows the secret in %q", got, again)
		}
		if max >= 0 && max < 1000 {
			head := strings.TrimSuffix(s.Head(text, max), "…")
			if i := strings.LastIndex(head, secret[:4]); i >= 0 && strings.HasPrefix(secret, head[i:]) && !strings.Contains(got, head[i:]) {
				t.Errorf("Head(%q, %d) = %q ends in a part of the secret", text, max, head)
			}
		}
	})
}

func BenchmarkText(b *testing.B) {
	s, _ := New([]Secret{{"A", "first-secret-value"}, {"B", "another one"}, {"C", secret}, {"D", "0123456789"}, {"E", "long live the queen"}})
	text := `"event":"call","tool":"fx_echoText","arguments":"{\"text\":\"hello, how is the tea today?\",\"path\":\"docs/reading/notes.txt\"}","outcome":"ok","ms":0.012 and some more of it, as logs are wont to have, to get to three hundred bytes of ordinary text, which is about what a line of the audit log has`
	b.ReportAllocs()
	for b.Loop() {
		s.Text(text)
	}
}
