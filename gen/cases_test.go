package gen

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite testdata as the generator writes now")

// A case holds the files of a repo, then either what generating adds to it,
// below want/, or the findings that keep it from that, in errors. One whose
// comment begins with "Unlinted" is about what lint would not let through.
func TestCases(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no cases", err)
	}
	all := t.TempDir() // every golden again, in one module, to be compiled at once
	writeModule(t, all, "example.com/cases")
	for _, name := range names {
		short := strings.TrimSuffix(filepath.Base(name), ".txtar")
		t.Run(short, func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			file, err := filepath.Abs(name)
			if err != nil {
				t.Fatal(err)
			}
			got := runCase(t, archive, "example.com/cases/"+short)
			if *update {
				if err := os.WriteFile(file, txtar.Format(got), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if want := txtar.Format(archive); !bytes.Equal(want, txtar.Format(got)) {
				t.Errorf("differs from %s; if that is meant: go test ./gen -run Cases -update\n%s",
					name, textDiff(t, string(want), string(txtar.Format(got))))
			}
			for _, f := range got.Files {
				if path, ok := strings.CutPrefix(f.Name, "want/"); ok {
					writeFile(t, filepath.Join(all, short, path), string(f.Data))
				}
			}
		})
	}
	goRun(t, all, "vet", "./...")
}

// runCase generates in a new folder, and returns the case as it should read.
func runCase(t *testing.T, archive *txtar.Archive, module string) *txtar.Archive {
	t.Helper()
	t.Chdir(t.TempDir()) // so that findings name specs/…
	got := &txtar.Archive{Comment: archive.Comment}
	given := map[string]bool{"go.mod": true}
	writeFile(t, "go.mod", "module "+module+"\n")
	for _, f := range archive.Files {
		if strings.HasPrefix(f.Name, "want/") || f.Name == "errors" {
			continue
		}
		writeFile(t, f.Name, string(f.Data))
		given[f.Name] = true
		got.Files = append(got.Files, f)
	}
	o := Options{unlinted: strings.HasPrefix(string(archive.Comment), "Unlinted")}
	r, err := Generate(o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) > 0 {
		var b bytes.Buffer
		r.Print(&b)
		got.Files = append(got.Files, txtar.File{Name: "errors", Data: b.Bytes()})
	}
	filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || given[filepath.ToSlash(path)] {
			return err
		}
		data, err := os.ReadFile(path)
		got.Files = append(got.Files, txtar.File{Name: "want/" + filepath.ToSlash(path), Data: data})
		return err
	})
	if r.Failed() {
		return got
	}
	if again, err := Generate(o); err != nil || len(again.Changes) > 0 {
		t.Errorf("generating twice: %v, %v", err, paths(again.Changes))
	}
	return got
}

func paths(changes []Change) []string {
	var all []string
	for _, c := range changes {
		all = append(all, c.Kind.String()+" "+c.Path)
	}
	return all
}

// writeModule writes a go.mod and a go.sum that find this repo.
func writeModule(t testing.TB, dir, module string) {
	t.Helper()
	repo, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "go.mod"), "module "+module+"\n\ngo 1.26.5\n\nrequire github.com/teaagent/teaagent v0.0.0\n\nreplace github.com/teaagent/teaagent => "+repo+"\n")
	sum, err := os.ReadFile(filepath.Join(repo, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "go.sum"), string(sum))
}

func goRun(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func textDiff(t testing.TB, old, new string) string {
	t.Helper()
	var b strings.Builder
	if err := (Change{Path: "case", old: []byte(old), new: []byte(new)}).Diff(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
