package text

import (
	"slices"
	"strings"
	"testing"
)

func TestReplace(t *testing.T) {
	for _, tc := range []struct{ text, old, new, want string }{
		{"one\ntwo\n", "two", "2", "one\n2\n"},
		{"one\ntwo", "two", "2", "one\n2"},
		{"one\ntwo\n", "one\ntwo\n", "", ""},
		{"a\r\nb\r\nc\r\n", "a\nb\n", "1\n2\n3\n", "1\r\n2\r\n3\r\nc\r\n"},
		{"a\r\nb\r\nc", "c", "1\n2", "a\r\nb\r\n1\r\n2"},
		{"a\r\nb\r\n", "b", "1\r\n2", "a\r\n1\r\n2\r\n"},
		{"a\r\nb\r\n", "a\r\nb", "a\nb", "a\nb\r\n"}, // with CRLF in oldText, both are taken to the letter
		{"a\nb\n", "a", "a\r\nx", "a\r\nx\nb\n"},
		{"a\r\nb\nc\r\nd\n", "b\nc\n", "b\nX\nc\n", "a\r\nb\nX\r\nc\r\nd\n"}, // mixed: what stays, stays
		{"a\r\nb\nc\r\nd\n", "a\nb\nc\n", "1\n2\n3\n", "1\r\n2\n3\r\nd\n"},   // line by line
		{"a\r\nb\nc\r\nd\n", "b\n", "b\n", "NO_CHANGE"},
		{"a\r\n", "a\n", "a", "a"},
		{"a\r\nb", "a\n", "", "b"},
		{"x\r\r\ny", "x\r\n", "z", "NO_MATCH"}, // a CR of its own, then CRLF
		{"aaa", "aa", "b", "AMBIGUOUS"},
		{"é", "é", "e", "e"},
	} {
		got, _, err := Replace(tc.text, []Edit{{Old: tc.old, New: tc.new}}, 1000)
		if err != nil {
			got = err.Error()
		}
		if got != tc.want && (err == nil || !strings.HasPrefix(got, "["+tc.want+"] edit 1 of 1: ")) {
			t.Errorf("%q, %q for %q: %q, want %q", tc.text, tc.new, tc.old, got, tc.want)
		}
	}
	got, done, err := Replace("x\nab\nab\r\n", []Edit{{Old: "ab\n", New: "c\n", All: true}, {Old: "c\nc", New: "d"}}, 1000)
	if want := []Replaced{{2, 2}, {2, 1}}; got != "x\nd\r\n" || !slices.Equal(done, want) || err != nil {
		t.Errorf("two edits: %q, %v, %v", got, done, err)
	}
	if _, _, err := Replace("aaaa", []Edit{{Old: "a", New: "bbbb", All: true}}, 15); err == nil || !strings.Contains(err.Error(), "TOO_LARGE") {
		t.Errorf("a text that grows too long: %v", err)
	}
}

// TestReplaceTeaches: an error says what is there instead.
func TestReplaceTeaches(t *testing.T) {
	const file = "func a() {\n\treturn 1\n}\n\nfunc b() {\n\treturn 2\n}\n"
	for _, tc := range []struct {
		text, old string
		parts     []string
	}{
		{file, "func a() {\n    return 1\n}", []string{"line 2 differs in white space", `"\treturn 1"`, `"    return 1"`}},
		{file, "return", []string{"lines 2, 6", "all=true"}},
		{file, "func b() {\n\treturn 3\n}\n", []string{"agrees from line 5 on", "at line 6", `"\treturn 2"`, `"\treturn 3"`}},
		{file, "func c() {", []string{`line 1: "func a() {"`, `line 5: "func b() {"`}},
		{file, "return 1\r\n}", []string{"line 2", "oldText has CRLF"}},
		{"a\nend", "end\n", []string{"line 2", "without the line end"}},
		{"a\nb\n", "b\n\nc\n", []string{"agrees from line 2", `oldText has "c"`}},
		{file, "全然違う", []string{"no line is like"}},
		{"", "x", []string{"no line is like"}},
		{file, "\n\n\n\n", []string{"no"}},
		{strings.Repeat("x", 5000), strings.Repeat("x", 5000) + "y", []string{"line 1", "…"}},
		{strings.Repeat("a\n", 50), "a", []string{"1, 2, 3", "20 and maybe more"}},
	} {
		_, _, err := Replace(tc.text, []Edit{{Old: tc.old, New: "new"}}, 1<<20)
		if err == nil {
			t.Errorf("%q is replaced", tc.old)
			continue
		}
		for _, part := range tc.parts {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%.50q: %q lacks %q", tc.old, err, part)
			}
		}
		if len(err.Error()) > 2000 {
			t.Errorf("%.50q: an error of %d bytes", tc.old, len(err.Error()))
		}
	}
}

func TestDecode(t *testing.T) {
	for data, want := range map[string]string{
		"":                              "",
		"é\n":                           "é\n",
		"\xef\xbb\xbfx":                 "x",
		"\xff\xfea\x00=\xd8\x4b\xdc":    "a\U0001f44b",
		"\xfe\xff\x00a\xd8=\xdc\x4b":    "a\U0001f44b",
		"\xff\xfe":                      "",
		"\xe9":                          "ENCODING",
		"\xff\xfea":                     "ENCODING", // half a unit
		"\xff\xfe=\xd8a\x00":            "ENCODING", // half a pair
		"a\x00b\x00":                    "BINARY",   // UTF-16 that does not say so
		"\xff\xfe\x00\x00a\x00\x00\x00": "BINARY",   // UTF-32
		"\x7fELF\x00\xff":               "BINARY",
		"\xff\xfe\xff\xfea\x00":         "\ufeffa",
	} {
		f, err := Decode([]byte(data))
		switch {
		case err != nil && !strings.HasPrefix(err.Error(), "["+want+"] "), err == nil && f.Text != want:
			t.Errorf("%q: %v, %v; want %q", data, f, err, want)
		case err == nil && string(f.Encode(f.Text)) != data:
			t.Errorf("%q comes back as %q", data, f.Encode(f.Text))
		}
	}
}

// slowSearch is Search as it is meant.
func slowSearch(lines, run []string) (at []int, longest int) {
	for i := range lines {
		n := 0
		for n < len(run) && i+n < len(lines) && lines[i+n] == run[n] {
			n++
		}
		longest = max(longest, n)
		if n == len(run) {
			at = append(at, i)
		}
	}
	return at, longest
}

func FuzzSearch(f *testing.F) {
	f.Add("aabaabaaab", "aaab")
	f.Add("aaaa", "aa")
	f.Add("", "a")
	f.Fuzz(func(t *testing.T, text, run string) {
		if run == "" {
			return
		}
		lines, want := strings.Split(text, ""), strings.Split(run, "")
		at, best, length := Search(lines, want, len(lines)+1)
		slow, longest := slowSearch(lines, want)
		if !slices.Equal(at, slow) || length != longest || length > 0 && !slices.Equal(lines[best:best+length], want[:length]) {
			t.Errorf("%q in %q: %v, %d+%d; want %v, %d", run, text, at, best, length, slow, longest)
		}
	})
}

func FuzzReplace(f *testing.F) {
	f.Add("a\r\nb\nc", "a\nb", "x\ny\nz", false)
	f.Add("a\r\r\nb\r\n", "\r", "\n", true)
	f.Add("\xff\xfea\x00\r\x00\n\x00", "a\n", "b\n", false)
	f.Add("\ra\nb", "a", "\n", true) // a line feed comes behind a CR of its own
	f.Add("\r0\r\n", "0", "\n", true)
	f.Fuzz(func(t *testing.T, data, old, text string, all bool) {
		file, err := Decode([]byte(data))
		if err != nil {
			return
		}
		if string(file.Encode(file.Text)) != data {
			t.Fatalf("%q comes back as %q", data, file.Encode(file.Text))
		}
		got, done, err := Replace(file.Text, []Edit{{old, text, all}}, 1<<20)
		if err != nil {
			return
		}
		if !all && done[0].Count != 1 {
			t.Errorf("one edit is %d", done[0].Count)
		}
		// Seen with LF alone it is a plain replacement, and of the line ends
		// outside none has changed.
		unify := func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
		if strings.Contains(old+text, "\r") || strings.Contains(file.Text, "\r\r") {
			return
		}
		if want := strings.ReplaceAll(unify(file.Text), old, text); all && !strings.Contains(want, "\r\n") && unify(got) != want {
			t.Errorf("%q, %q for %q: %q, want %q", file.Text, text, old, got, want)
		}
		if !strings.Contains(file.Text, "\r\n") && got != strings.ReplaceAll(file.Text, old, text) {
			t.Errorf("%q, %q for %q: %q", file.Text, text, old, got)
		}
		if strings.Count(file.Text, "\n") == strings.Count(file.Text, "\r\n") && strings.Contains(file.Text, "\n") &&
			strings.Count(got, "\n") != strings.Count(got, "\r\n") {
			t.Errorf("a CRLF file becomes %q", got)
		}
	})
}
