// Package mcptest drives a built server the way its clients do: as a process,
// over pipes, with bytes of the test's own making. It takes nothing from
// package mcp, so what it sees is what a client would see.
//
// A test package needs a few lines:
//
//	var server = mcptest.Program{Package: "./cmd/docker-mcp", Dir: ".."}
//	var update = flag.Bool("update", false, "rewrite the server's lines in transcripts")
//
//	func TestMain(m *testing.M) {
//		code := m.Run()
//		server.Remove()
//		os.Exit(code)
//	}
//
//	func TestTranscripts(t *testing.T) {
//		mcptest.Transcripts(t, &server, "testdata/*.txtar", *update)
//	}
package mcptest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Program is a server's command. It is built once, when a test first needs it.
type Program struct {
	Dir     string // where go build runs; the test's own folder if empty
	Package string // the command's package, such as "./cmd/teaagent"

	once   sync.Once
	folder string
	err    error
}

// Path builds the program, unless that was done before, and returns the path of
// the binary. A test binary with the race detector builds the program with it too.
func (p *Program) Path(t testing.TB) string {
	t.Helper()
	p.once.Do(p.build)
	if p.err != nil {
		t.Fatal(p.err)
	}
	return p.binary()
}

// Remove deletes the binary, if it was built. Call it when all tests have run.
func (p *Program) Remove() {
	if p.folder != "" {
		os.RemoveAll(p.folder)
	}
}

func (p *Program) binary() string { return filepath.Join(p.folder, "server.exe") }

func (p *Program) build() {
	if p.folder, p.err = os.MkdirTemp("", "mcptest-"); p.err != nil {
		return
	}
	args := []string{"build", "-o", p.binary()}
	if Race {
		args = append(args, "-race")
	}
	if _, p.err = p.run(append(args, p.Package)...); p.err == nil {
		p.err = p.noteSources()
	}
}

// noteSources looks at every file that the program is made of. What a test looks
// at, go test's cache knows of: else a test that passed would be taken to pass
// again, though the program has changed.
func (p *Program) noteSources() error {
	const files = `{{if not .Standard}}{{$dir := .Dir}}{{range .GoFiles}}{{$dir}}/{{.}}
{{end}}{{range .EmbedFiles}}{{$dir}}/{{.}}
{{end}}{{end}}`
	list, err := p.run("list", "-deps", "-f", files, p.Package)
	if err != nil {
		return err
	}
	for file := range strings.Lines(list) {
		if file = strings.TrimSpace(file); file == "" {
			continue
		}
		if _, err := os.Stat(file); err != nil {
			return err
		}
	}
	return nil
}

// run runs the go command where the program is, and returns its output.
func (p *Program) run(args ...string) (string, error) {
	var out, errs strings.Builder
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = p.Dir, &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("go %s: %w\n%s%s", strings.Join(args, " "), err, out.String(), errs.String())
	}
	return out.String(), nil
}
