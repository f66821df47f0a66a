package gen

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Every entry of faulty.txtar has one fault, and gets one finding for it, at
// its place; nothing is written.
func TestCorpusFaulty(t *testing.T) {
	file, err := filepath.Abs("../testdata/corpus/faulty.txtar")
	if err != nil {
		t.Fatal(err)
	}
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.Files) < 60 {
		t.Errorf("%d entries", len(archive.Files))
	}
	t.Chdir(t.TempDir()) // so that findings name specs/…
	for i, entry := range archive.Files {
		body, want := faultyEntry(string(entry.Data))
		writeFaulty(t, body)
		r, err := Generate(Options{unlinted: true})
		if err != nil {
			t.Errorf("%s: %v", entry.Name, err)
			continue
		}
		var got bytes.Buffer
		for _, f := range r.Findings {
			got.WriteString("=> " + f.Error() + "\n")
		}
		if *update {
			archive.Files[i].Data = []byte(body + got.String())
		} else if got.String() != want {
			t.Errorf("%s:\ngot\n%swant\n%s", entry.Name, got.String(), want)
		}
		if n := strings.Count(got.String(), "\n"); n != 1 {
			t.Errorf("%s: %d findings for one fault:\n%s", entry.Name, n, got.String())
		}
		if _, err := os.Stat("generated"); err == nil && r.Failed() {
			t.Fatalf("%s: something was generated", entry.Name)
		}
		os.RemoveAll("generated")
		os.RemoveAll("handlers")
		os.Remove("mcp-tools.json")
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// faultyEntry parts an entry into its spec and the findings it wants.
func faultyEntry(text string) (body, want string) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "=> ") {
			want += line
		} else {
			body += line
		}
	}
	return body, want
}

func writeFaulty(t *testing.T, body string) {
	t.Helper()
	server := "server: t\nprefix: t\nversion: \"1\"\ncategories: {c: {description: Things.}}\n"
	tools := "category: c\ntools:\n  - name: t_takeThing\n    description: Take a thing.\n"
	switch {
	case strings.HasPrefix(body, "server:"):
		server = body
	case strings.HasPrefix(body, "category:"):
		tools = body
	default:
		for line := range strings.Lines(body) {
			if more, ok := strings.CutPrefix(line, "| "); ok {
				server += more
			} else {
				tools += line
			}
		}
	}
	writeFile(t, "go.mod", "module example.com/faulty\n")
	writeFile(t, "specs/server.yaml", server)
	writeFile(t, "specs/c.yaml", tools)
}
