package tree

import (
	"errors"
	"strings"
	"testing"

	"github.com/teaagent/teaagent/mcp"
)

func TestGlob(t *testing.T) {
	paths := []string{"a.go", "b.c", "b.h", "src/a.go", "src/x/a.go", "src/x/b.md", "[z].go", "é.go", "x/src/a.go"}
	for pattern, want := range map[string]string{
		"*.go":           "a.go src/a.go src/x/a.go [z].go é.go x/src/a.go",
		"/*.go":          "a.go [z].go é.go",
		"./*.go":         "a.go [z].go é.go",
		"?.go":           "a.go src/a.go src/x/a.go é.go x/src/a.go",
		"**/*.go":        "a.go src/a.go src/x/a.go [z].go é.go x/src/a.go",
		"src/*.go":       "src/a.go",
		"src/**":         "src/a.go src/x/a.go src/x/b.md",
		"src/":           "src/a.go src/x/a.go src/x/b.md",
		"**/src/*":       "src/a.go x/src/a.go",
		"src/**/a.go":    "src/a.go src/x/a.go",
		"*.{c,h}":        "b.c b.h",
		"{src/x/*,b.?}":  "b.c b.h src/x/a.go src/x/b.md",
		"{a,{b,c}}.{c,}": "b.c",
		`\[z\].go`:       "[z].go",
		"[[]z].go":       "[z].go",
		"[a-c].go":       "a.go src/a.go src/x/a.go x/src/a.go",
		"[!a-c].go":      "é.go",
		`src\/a.go`:      "src/a.go",
		"A.go":           "",
		"**":             strings.Join(paths, " "),
		"src":            "",
	} {
		g, err := ParseGlob(pattern)
		if err != nil {
			t.Errorf("%s: %v", pattern, err)
			continue
		}
		var got []string
		for _, p := range paths {
			if !g.Match(p) {
				continue
			}
			got = append(got, p)
			for i := range p {
				if p[i] == '/' && !g.Enter(p[:i]) {
					t.Errorf("%s matches %s and does not enter %s", pattern, p, p[:i])
				}
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s matches %q, want %q", pattern, got, want)
		}
	}
}

func TestGlobEnters(t *testing.T) {
	for pattern, dirs := range map[string]string{ // "-" before those that are not entered
		"src/*.go":       "src -lib -src/x -src/x.go",
		"/*.go":          "-src",
		"*.go":           "src src/x",
		"src/*/y/*.go":   "src src/a src/a/y -src/a/z -src/a/y/b",
		"src/**/y":       "src src/a src/a/b/c -lib",
		"**/y":           "a a/b",
		"{a,b/c}/*.go":   "a b b/c -c -b/d -a/x",
		"a/{b,c/d}/x.go": "a a/b a/c a/c/d -a/d -a/b/c",
	} {
		g, err := ParseGlob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for dir := range strings.FieldsSeq(dirs) {
			name, no := strings.CutPrefix(dir, "-")
			if g.Enter(name) == no {
				t.Errorf("%s: Enter(%s) = %v", pattern, name, !no)
			}
		}
	}
}

func TestGlobErrors(t *testing.T) {
	for pattern, want := range map[string]string{
		"[a":                       "bracket is not closed",
		"{a":                       "brace or bracket is not closed",
		`a\`:                       "backslash escapes nothing",
		"":                         "selects nothing",
		"/":                        "selects nothing",
		"../*.go":                  `has ".." in it`,
		"a/../b":                   `has ".." in it`,
		"a/{..,b}/c":               `has ".." in it`,
		strings.Repeat("{a,b}", 7): "more than 64",
	} {
		_, err := ParseGlob(pattern)
		var coded *mcp.Error
		if !errors.As(err, &coded) || coded.Code != "INVALID_PATTERN" || !strings.Contains(coded.Message, want) {
			t.Errorf("ParseGlob(%q) = %v, want INVALID_PATTERN with %q", pattern, err, want)
		}
	}
}
