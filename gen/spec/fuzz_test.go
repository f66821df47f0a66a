package spec

import (
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"
)

// FuzzLoad reads any bytes as a file of tools and as a server.yaml: nothing
// panics, every finding lies inside the file, and every literal is JSON.
func FuzzLoad(f *testing.F) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	corpus, err := filepath.Glob("../../testdata/corpus/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range append(cases, corpus...) {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range ar.Files {
			f.Add(file.Data)
			f.Add(append([]byte("category: c\ntools:\n  - name: t_takeThing\n    description: Take a thing.\n"), file.Data...))
		}
	}
	for _, text := range []string{"\xef\xbb\xbfa: b", "a: [\n", "a: \"\n\n", "- ", "? ", "a:\n - b\n- c", "&a [*a]", "%YAML 1.1\n---\n", "...\n", "--- |\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{"specs/c.yaml", "specs/server.yaml"} {
			set, findings := read([]file{{name, data}})
			lines := strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n")
			for _, f := range Sort(findings) {
				if f.Pos.File != name || f.Pos.Line < 1 || f.Pos.Line > len(lines) {
					t.Fatalf("outside the file: %+v", f)
				}
				n := utf8.RuneCountInString(lines[f.Pos.Line-1])
				if f.Pos.Col < 1 || f.Pos.Col > n+1 || f.Pos.Width < 1 || f.Pos.Col+f.Pos.Width-1 > max(n, f.Pos.Col) {
					t.Fatalf("outside its line of %d: %+v", n, f)
				}
			}
			if err := set.Format(io.Discard, findings); err != nil {
				t.Fatal(err)
			}
			for _, tool := range set.Tools {
				for _, e := range tool.Examples {
					if !json.Valid([]byte(e.Args.V)) || e.Returns.Set() && !json.Valid([]byte(e.Returns.V)) {
						t.Fatalf("not JSON: %q, %q", e.Args.V, e.Returns.V)
					}
				}
				for _, a := range tool.Args {
					for _, l := range append(a.Enum, a.Examples...) {
						if !json.Valid([]byte(l.V)) {
							t.Fatalf("not JSON: %q", l.V)
						}
					}
				}
			}
		}
	})
}
