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
	build := exec.Command("go", append(args, p.Package)...)
	build.Dir = p.Dir
	if out, err := build.CombinedOutput(); err != nil {
		p.err = fmt.Errorf("go build %s: %w\n%s", p.Package, err, out)
	}
}
