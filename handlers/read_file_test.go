package handlers_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestReadFile(t *testing.T) {
	long := strings.Repeat("x", 70_000)
	c := open(t, map[string]string{
		"four":    "one\ntwo\nthree\nfour\n",
		"open":    "one\ntwo",
		"empty":   "",
		"blank":   "\n\n",
		"crlf":    "one\r\ntwo\r\nthree",
		"long":    long + "\n" + long + "\nend\n",
		"huge":    "one\n" + strings.Repeat("x", 300_000) + "\nthree\n",
		"binary":  "one\ntwo\x00\nthree\n",
		"latin1":  "caf\xe9\n",
		"dir/é ü": "ok\n",
	})
	for _, tc := range []struct {
		args args
		want string
	}{
		{args{"path": "four"}, "one\ntwo\nthree\nfour\n"},
		{args{"path": "four", "offset": 2, "limit": 2}, "two\nthree\n\n[cut: there is more; go on with offset 4]"},
		{args{"path": "four", "offset": 4}, "four\n"},
		{args{"path": "four", "limit": 4}, "one\ntwo\nthree\nfour\n"},
		{args{"path": "open"}, "one\ntwo"},
		{args{"path": "open", "offset": 2}, "two"},
		{args{"path": "open", "limit": 1}, "one\n\n[cut: there is more; go on with offset 2]"},
		{args{"path": "empty"}, ""},
		{args{"path": "blank", "offset": 2}, "\n"},
		{args{"path": "crlf"}, "one\r\ntwo\r\nthree"},
		{args{"path": "crlf", "offset": 2, "limit": 1}, "two\r\n\n[cut: there is more; go on with offset 3]"},
		{args{"path": "long"}, long + "\n\n[cut: there is more; go on with offset 2]"},
		{args{"path": "long", "offset": 2}, long + "\nend\n"},
		{args{"path": "huge"}, "one\n\n[cut: there is more; go on with offset 2]"},
		{args{"path": "huge", "offset": 3}, "three\n"},
		{args{"path": "binary", "offset": 3}, "three\n"},
		{args{"path": "dir/../dir/é ü"}, "ok\n"},
	} {
		if got := c.text("readFile", tc.args); got != tc.want {
			t.Errorf("%v: %s, want %s", tc.args, brief(got), brief(tc.want))
		}
	}
	c.refused("readFile", args{"path": "four", "offset": 5}, "OUT_OF_RANGE", "4 lines")
	c.refused("readFile", args{"path": "open", "offset": 3}, "OUT_OF_RANGE", "2 lines")
	c.refused("readFile", args{"path": "empty", "offset": 2}, "OUT_OF_RANGE", "0 lines")
	c.refused("readFile", args{"path": "huge", "offset": 2}, "TOO_LARGE", "line 2", "offset 3")
	c.refused("readFile", args{"path": "binary"}, "NOT_TEXT", "line 2")
	c.refused("readFile", args{"path": "latin1"}, "NOT_TEXT", "line 1")
	c.refused("readFile", args{"path": "four", "offset": 0}, "INVALID_ARGUMENT", "/offset")
	c.refused("readFile", args{"path": "four", "limit": 10_001}, "INVALID_ARGUMENT", "/limit")
	c.refused("readFile", args{"path": "four", "lines": 1}, "INVALID_ARGUMENT", "lines")
	c.refused("readFile", args{}, "INVALID_ARGUMENT", "path")
}

// TestReadFileInParts follows the notes through a file.
func TestReadFileInParts(t *testing.T) {
	var whole strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&whole, "%d %s\n", i, strings.Repeat("é", i%100))
	}
	c := open(t, map[string]string{"f": whole.String()})
	var got strings.Builder
	for offset, parts := 1, 0; ; parts++ {
		text := c.text("readFile", args{"path": "f", "offset": offset, "limit": 10_000})
		body, note, more := strings.Cut(text, "\n[cut: there is more; go on with offset ")
		got.WriteString(body)
		if !more {
			if parts < 5 {
				t.Errorf("the file came in %d parts", parts)
			}
			break
		}
		fmt.Sscanf(note, "%d]", &offset)
	}
	if got.String() != whole.String() {
		t.Errorf("the parts make %d bytes, want %d", got.Len(), whole.Len())
	}
}

func brief(s string) string {
	if len(s) > 100 {
		return fmt.Sprintf("%q… (%d bytes) …%q", s[:40], len(s), s[len(s)-50:])
	}
	return fmt.Sprintf("%q", s)
}
