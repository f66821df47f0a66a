package handlers_test

import (
	"fmt"
	"strings"
	"testing"
)

type matches struct {
	Matches []struct {
		Path          string
		Line          int
		Text          string
		Before, After []string
	}
	Truncated bool
	Next      *string
	Searched  int
	Skipped   int
}

// places lists the matches as grep would.
func (m matches) places() string {
	var list []string
	for _, x := range m.Matches {
		list = append(list, fmt.Sprintf("%s:%d", x.Path, x.Line))
	}
	return strings.Join(list, " ")
}

func TestSearchText(t *testing.T) {
	c := open(t, map[string]string{
		".gitignore": "*.log\n", ".git/HEAD": "tea\n",
		"a.txt":       "green tea\ncoffee\nTea time",
		"b/c.go":      "// no tea\r\nfunc tea() {}\r\n",
		"b/d.md":      "teapot\n",
		"x.log":       "tea\n",
		"binary":      "tea\x00\n",
		"latin1.txt":  "th\xe9 and tea\n",
		"empty":       "",
		"minified.js": strings.Repeat("var a;", 20_000) + "tea()" + strings.Repeat(";", 1000),
		"data.bin":    strings.Repeat("x", 2<<20), // one line, too long
	})
	c.link("a.txt", "link.txt")
	for _, tc := range []struct {
		args     args
		want     string
		searched int
	}{
		{args{"pattern": "tea"}, "a.txt:1 b/c.go:1 b/c.go:2 b/d.md:1 latin1.txt:1 minified.js:1", 7},
		{args{"pattern": "tea", "ignoreCase": true, "glob": "a.*"}, "a.txt:1 a.txt:3", 1},
		{args{"pattern": `^func \w+\(\) {}$`}, "b/c.go:2", 7},
		{args{"pattern": "tea() {", "literal": true}, "b/c.go:2", 7},
		{args{"pattern": "tea", "glob": "b/*.{go,md}"}, "b/c.go:1 b/c.go:2 b/d.md:1", 2},
		{args{"pattern": "tea", "glob": "*.go", "path": "b"}, "b/c.go:1 b/c.go:2", 1},
		{args{"pattern": "tea", "path": "b/d.md"}, "b/d.md:1", 1},
		{args{"pattern": "tea", "path": "./b/../b/d.md", "glob": "*.go"}, "", 0},
		{args{"pattern": "tea", "path": "x.log"}, "x.log:1", 1},
		{args{"pattern": "tea", "path": "link.txt"}, "link.txt:1", 1},
		{args{"pattern": "tea", "path": ".git"}, ".git/HEAD:1", 1},
		{args{"pattern": "tea", "glob": "*.log", "ignored": true}, "x.log:1", 1},
		{args{"pattern": "x*", "path": "empty"}, "", 1},
		{args{"pattern": "nowhere"}, "", 7},
	} {
		var got matches
		c.get("searchText", tc.args, &got)
		if got.places() != tc.want || got.Truncated || got.Next != nil || got.Searched != tc.searched {
			t.Errorf("%v finds %q in %d files, truncated %v, want %q in %d", tc.args, got.places(), got.Searched, got.Truncated, tc.want, tc.searched)
		}
		if whole := tc.args["path"] == nil && tc.args["glob"] == nil; got.Skipped != map[bool]int{true: 1}[whole] {
			t.Errorf("%v skips %d files", tc.args, got.Skipped)
		}
	}
	text := c.text("searchText", args{"pattern": "coffee", "path": "a.txt", "context": 1})
	if want := `{"matches":[{"path":"a.txt","line":2,"text":"coffee","before":["green tea"],"after":["Tea time"]}],"truncated":false,"searched":1}`; text != want {
		t.Errorf("with context: %s", text)
	}
	var got matches
	c.get("searchText", args{"pattern": "tea|func", "path": "b/c.go", "context": 20}, &got)
	if len(got.Matches) != 2 || got.Matches[0].After[0] != "func tea() {}" || got.Matches[0].Before != nil {
		t.Errorf("with more context than there is: %+v", got)
	}
	c.get("searchText", args{"pattern": "tea", "glob": "minified.js"}, &got)
	if shown := got.Matches[0].Text; len(shown) > 450 || !strings.Contains(shown, "tea()") {
		t.Errorf("a long line is shown as %s", brief(shown))
	}
	c.get("searchText", args{"pattern": "tea", "glob": "latin1.txt"}, &got)
	if shown := got.Matches[0].Text; shown != "th\ufffd and tea" {
		t.Errorf("a line that is not UTF-8 is shown as %q", shown)
	}

	c.refused("searchText", args{"pattern": "("}, "INVALID_PATTERN", "literal=true")
	c.refused("searchText", args{"pattern": `a\n`}, "INVALID_PATTERN", "line break")
	c.refused("searchText", args{"pattern": "a", "glob": "{"}, "INVALID_PATTERN", "brace")
	c.refused("searchText", args{"pattern": "a", "path": "binary"}, "NOT_TEXT")
	c.refused("searchText", args{"pattern": "a", "path": "data.bin"}, "TOO_LARGE")
	c.refused("searchText", args{"pattern": "a", "after": "a.txt"}, "INVALID_ARGUMENT", "next")
	c.refused("searchText", args{"pattern": "a", "after": "a.txt:-1"}, "INVALID_ARGUMENT")
	c.refused("searchText", args{"pattern": "a", "context": 21}, "INVALID_ARGUMENT", "/context")
	c.refused("searchText", args{"pattern": "a", "limit": 0}, "INVALID_ARGUMENT", "/limit")
}

// TestSearchTextPages: pages of any size make the whole, whether the limit or
// the bound on an answer's bytes cuts them.
func TestSearchTextPages(t *testing.T) {
	files := map[string]string{}
	for i := range 150 {
		var text strings.Builder
		for line := range 1 + i%7 {
			fmt.Fprintf(&text, "hit %d\nmiss\n%s hit\n", line, strings.Repeat("é", 50*(i%5)))
		}
		files[fmt.Sprintf("d%d/%d:%d.txt", i%4, i, i)] = text.String()
	}
	c := open(t, files)
	var whole string
	total := 0
	for _, limit := range []int{1000, 100, 17} {
		var all []string
		a := args{"pattern": `hit$|^hit`, "limit": limit, "context": 1}
		pages := 0
		for {
			var page matches
			c.get("searchText", a, &page)
			pages++
			if len(page.Matches) > limit {
				t.Fatalf("%d matches, limit %d", len(page.Matches), limit)
			}
			all = append(all, page.places())
			if page.Truncated != (page.Next != nil) {
				t.Fatalf("truncated %v, next %v", page.Truncated, page.Next)
			}
			if !page.Truncated {
				break
			}
			a["after"] = *page.Next
		}
		got := strings.Join(all, " ")
		if whole == "" {
			whole, total = got, len(strings.Fields(got))
			if pages < 3 {
				t.Errorf("all came in %d pages", pages)
			}
		} else if got != whole {
			t.Errorf("pages of %d differ from larger ones", limit)
		}
	}
	want := 0
	for _, text := range files {
		want += strings.Count(text, "hit")
	}
	if total != want {
		t.Errorf("%d matches, want %d", total, want)
	}
	// The file that a page ended in is gone: the next page goes on behind it.
	var page matches
	c.get("searchText", args{"pattern": "hit", "after": "d0/zzz:5", "limit": 1}, &page)
	if len(page.Matches) != 1 || !strings.HasPrefix(page.Matches[0].Path, "d1/") {
		t.Errorf("behind a file that is gone: %+v", page)
	}
}
