package redact

import (
	"strings"
	"testing"
)

// What lies around a secret, or over it, does not bring a part of it out.
func TestNeighbours(t *testing.T) {
	s, _ := New([]Secret{{"A", "abcdefgh"}, {"B", "efghijkl"}, {"PAT", "s3cr3tvalue-of.mine"}, {"LOGIN", "admin:hunter22"}, {"SHORT", "ghp_abcd"}})
	const token = "ghp_" + x40
	for text, want := range map[string]string{
		"https://s3cr3tvalue-of.mine:x@h/":                              "https://[redacted:PAT]:[redacted]@h/",
		"https://" + token + ":x-oauth-basic@h/":                        "https://[redacted]:[redacted]@h/",
		"https://s3cr3tvalue-of.mine@h/":                                "https://[redacted:PAT]@h/",
		"https://admin:hunter22@h/":                                     "https://[redacted:LOGIN]@h/",
		"https://me:s3cr3tvalue-of.mine-and-more@h/":                    "https://me:[redacted:PAT]@h/",
		"https://me:[redacted:PAT]@h/":                                  "https://me:[redacted:PAT]@h/",
		"<abcdefghijkl>":                                                "<[redacted:A]>",
		"xoxb-123456789012-s3cr3tvalue-of.mine":                         "[redacted]",
		"s3cr3tvalue-of.mine" + token:                                   "[redacted:PAT][redacted]",
		"ghp_abcdefghijklmnopqrstuvwxyz":                                "[redacted]",
		`{"c":"a\n` + token + `"}`:                                      `{"c":"a\n[redacted]"}`,
		`{"c":"a\u003d` + token + `"}`:                                  `{"c":"a\u003d[redacted]"}`,
		"?t%3D" + token:                                                 "?t%3D[redacted]",
		`"aws_secret_access_key": "` + strings.Repeat("0Ab/", 10) + `"`: `"aws_secret_access_key": "[redacted]"`,
		"Authorization: Basic YTpi+w==":                                 "Authorization: Basic [redacted]",
		"bearer of bad news, basic authentication is":                   "bearer of bad news, basic authentication is",
	} {
		got := s.Text(text)
		if got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
		if again := s.Text(got); again != got {
			t.Errorf("masking %q again gives %q", got, again)
		}
	}
}

// However many masks there are, a head is as long as it may be, and one mask.
func TestHeadLength(t *testing.T) {
	s := (*Set)(nil).With("pass")
	for _, text := range []string{strings.Repeat("pass", 25), strings.Repeat("pass", 9) + strings.Repeat("x", 400), strings.Repeat("pass", 12) + strings.Repeat("x", 400), strings.Repeat("xpass", 300)} {
		if got := s.Head(text, 100); len(got) > 100+len(anonymous)+len(ellipsis) {
			t.Errorf("the head of %q has %d bytes", text, len(got))
		}
	}
}

// Of texts that nearly are tokens, over and over, no place is looked at again for
// each: it would take longer than a test may.
func TestNearlyTokens(t *testing.T) {
	s, _ := New([]Secret{{"TOKEN", secret}})
	for _, text := range []string{"-eyJ", "eyJ.", "bearer ", "://a:", "-----BEGIN ", "aws_secret_access_key=$", "some words…", "…"} {
		text = strings.Repeat(text, 4<<20/len(text))
		if got := s.Text(text); got != text {
			t.Errorf("%.20q… is masked", text)
		}
	}
	name := "aws_secret_access_key=" // its own value
	if got := s.Text(strings.Repeat(name, 100_000)); got != name+anonymous {
		t.Errorf("%.50q…", got)
	}
}

// With leaves the set that it was called on as it is.
func TestWithIsApart(t *testing.T) {
	s, _ := New([]Secret{{"A", "same-beginning-a"}, {"B", "same-beginning-b"}, {"C", "same-beginning-c"}})
	one, two := s.With("same-beginning-one"), s.With("same-beginning-two")
	const text = "same-beginning-one same-beginning-two"
	if got := s.Text(text); got != text {
		t.Error(got)
	}
	if got := one.Text(text); got != "[redacted] same-beginning-two" {
		t.Error(got)
	}
	if got := two.Text(text); got != "same-beginning-one [redacted]" {
		t.Error(got)
	}
}

func FuzzAround(f *testing.F) {
	f.Add("https://", ":x@h/", 9)
	f.Add("ghp_"+x20, "…cAn4", 30)
	f.Add("Authorization: Bearer ", x20, 25)
	f.Add("-----BEGIN PRIVATE KEY-----", "-----END", 3)
	s, _ := New([]Secret{{"TOKEN", secret}, {"OTHER", "s3cr3tvalue"}})
	s = s.With("tvaluepass")
	f.Fuzz(func(t *testing.T, before, after string, max int) {
		for _, value := range []string{secret, "s3cr3tvalue", "s3cr3tvaluepass"} {
			text := before + value + after
			got := s.Text(text)
			for _, value := range []string{secret, "s3cr3tvalue", "tvaluepass"} {
				if strings.Contains(got, value) {
					t.Errorf("%q shows %q in %q", text, value, got)
				}
			}
			if again := s.Text(got); again != got {
				t.Errorf("masking %q, of %q, again gives %q", got, text, again)
			}
			if max >= 0 && max < 1000 {
				if head := s.Head(text, max); len(head) > max+len("[redacted:TOKEN]")*2+len(ellipsis) {
					t.Errorf("Head(%q, %d) has %d bytes: %q", text, max, len(head), head)
				}
			}
		}
	})
}
