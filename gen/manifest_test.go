package gen

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// A manifest is a spec: what is generated from it is what is generated from the
// specs that it was generated from, to the byte, and itself too.
func TestGenerateFromManifest(t *testing.T) {
	folders := map[string]map[string]string{
		"repo":    readFolder(t, "../specs"),
		"fixture": readFolder(t, "../testdata/fixture/specs"),
	}
	unlinted := map[string]bool{}
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no cases", err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{}
		for _, f := range archive.Files {
			if base, ok := strings.CutPrefix(f.Name, "specs/"); ok {
				files[base] = string(f.Data)
			}
		}
		folders[name] = files
		unlinted[name] = strings.HasPrefix(string(archive.Comment), "Unlinted")
	}
	compared := 0
	for name, files := range folders {
		fromYAML := t.TempDir()
		writeFile(t, filepath.Join(fromYAML, "go.mod"), "module example.com/m\n")
		for base, text := range files {
			writeFile(t, filepath.Join(fromYAML, "specs", base), text)
		}
		r, err := Generate(Options{Dir: fromYAML, unlinted: unlinted[name]})
		if err != nil {
			t.Fatal(name, err)
		}
		if r.Failed() {
			continue // a case about findings
		}
		compared++
		want := readFolder(t, filepath.Join(fromYAML, "generated"))
		manifest, err := os.ReadFile(filepath.Join(fromYAML, "mcp-tools.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, place := range []string{"specs/mcp-tools.json", "mcp-tools.json"} {
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n")
			writeFile(t, filepath.Join(dir, place), string(manifest))
			o := Options{Dir: dir, unlinted: unlinted[name]}
			if place == "mcp-tools.json" {
				o.Specs = place
			}
			r, err := Generate(o)
			if err != nil {
				t.Fatal(name, err)
			}
			if r.Failed() {
				var b strings.Builder
				r.Print(&b)
				t.Errorf("%s, from %s:\n%s", name, place, b.String())
				continue
			}
			got := readFolder(t, filepath.Join(dir, "generated"))
			got["mcp-tools.json"] = readFolder(t, dir)["mcp-tools.json"]
			for path, text := range want {
				if got[path] != text {
					t.Errorf("%s, from %s: %s differs\n%s", name, place, path, textDiff(t, text, got[path]))
				}
			}
			if got, want := readFolder(t, dir)[".env.example"], readFolder(t, fromYAML)[".env.example"]; got != want {
				t.Errorf("%s, from %s: .env.example differs\n%s", name, place, textDiff(t, want, got))
			}
			if len(got) != len(want)+1 || got["mcp-tools.json"] != string(manifest) {
				t.Errorf("%s, from %s: other files than from YAML, or another manifest\n%s", name, place, textDiff(t, string(manifest), got["mcp-tools.json"]))
			}
		}
	}
	if compared < 5 {
		t.Errorf("only %d folders were compared", compared)
	}
}

// readFolder returns the files below a folder.
func readFolder(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, path))
		files[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
