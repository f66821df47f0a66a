// Package subject prepares the servers that are measured: it builds or
// installs them below a temporary folder and says how each is started.
package subject

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/teaagent/teaagent/bench/proc"
)

// Names of the subjects, in the order of the tables.
const (
	Ours       = "ours"
	GoSDK      = "go-sdk"
	MCPGo      = "mcp-go"
	TypeScript = "typescript"
	Loop       = "loop"
)

// All lists every subject.
var All = []string{Ours, GoSDK, MCPGo, TypeScript, Loop}

// Peers lists those that ours is compared with: what others would use instead.
var Peers = []string{GoSDK, MCPGo, TypeScript}

// Subject is a server that can be started with a number of tools.
type Subject struct {
	Name string
	// Canned means that every call gets the same answer, since nothing is parsed.
	Canned bool

	command func(tools int) proc.Command
}

// Start starts the server with that many tools.
func (s *Subject) Start(ctx context.Context, tools int) (*proc.Server, error) {
	server, err := proc.Start(ctx, s.command(tools))
	if err != nil {
		return nil, fmt.Errorf("start %s with %d tools: %w", s.Name, tools, err)
	}
	return server, nil
}

// Workshop is where subjects are prepared.
type Workshop struct {
	Bench string // the folder of the benchmark's module
	Repo  string // the folder of the module that is measured
	Temp  string // gets everything that is built

	// Progress is told what is being done, where that takes seconds.
	Progress func(format string, args ...any)
}

// Prepare prepares the named subjects for the given numbers of tools.
func (w *Workshop) Prepare(ctx context.Context, names []string, sizes []int) ([]*Subject, error) {
	var subjects []*Subject
	for _, name := range All {
		if !slices.Contains(names, name) {
			continue
		}
		s := &Subject{Name: name, Canned: name == Loop}
		var err error
		switch name {
		case Ours:
			s.command, err = w.ours(ctx, sizes)
		case GoSDK:
			s.command, err = w.goServer(ctx, name, "gosdk")
		case MCPGo:
			s.command, err = w.goServer(ctx, name, "mcpgo")
		case TypeScript:
			s.command, err = w.typescript(ctx)
		case Loop:
			s.command, err = w.goServer(ctx, name, "loop")
		}
		if err != nil {
			return nil, fmt.Errorf("prepare %s: %w", name, err)
		}
		subjects = append(subjects, s)
	}
	return subjects, nil
}

// goServer builds one of the benchmark's own servers in Go.
func (w *Workshop) goServer(ctx context.Context, name, folder string) (func(int) proc.Command, error) {
	w.Progress("building %s", name)
	bin := filepath.Join(w.Temp, "bin", folder)
	if err := w.run(ctx, w.Bench, "go", "build", "-p", "2", "-o", bin, "./servers/"+folder); err != nil {
		return nil, err
	}
	return func(tools int) proc.Command {
		return proc.Command{Path: bin, Args: []string{strconv.Itoa(tools)}, Dir: w.Temp, Log: w.log(name)}
	}, nil
}

// typescript installs the TypeScript SDK beside its server, once.
func (w *Workshop) typescript(ctx context.Context) (func(int) proc.Command, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, errors.New("there is no node on the PATH; install Node.js 20 or later, or leave it out with -only")
	}
	folder := filepath.Join(w.Bench, "servers", "ts")
	installed, err := os.Stat(filepath.Join(folder, "node_modules", ".package-lock.json"))
	locked, lockErr := os.Stat(filepath.Join(folder, "package-lock.json"))
	if lockErr != nil {
		return nil, lockErr
	}
	if err != nil || installed.ModTime().Before(locked.ModTime()) {
		w.Progress("installing the TypeScript SDK with npm ci")
		if err := w.run(ctx, folder, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"); err != nil {
			return nil, fmt.Errorf("%w; without a registry, leave it out with -only", err)
		}
	}
	return func(tools int) proc.Command {
		return proc.Command{
			Path: node, Args: []string{filepath.Join(folder, "server.mjs"), strconv.Itoa(tools)},
			Dir: w.Temp, Log: w.log(TypeScript),
		}
	}, nil
}

// log names the file that gets a subject's stderr.
func (w *Workshop) log(name string) string { return filepath.Join(w.Temp, name+".log") }

// Said returns the end of what a subject said on stderr, for an error message.
func (w *Workshop) Said(name string) string {
	b, err := os.ReadFile(w.log(name))
	if err != nil || len(b) == 0 {
		return ""
	}
	const most = 2000
	return fmt.Sprintf("%s said on stderr:\n%s", name, b[max(0, len(b)-most):])
}

// run runs a command, and fails with what it said.
func (w *Workshop) run(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s in %s: %w\n%s", name, strings.Join(args, " "), dir, err, out)
	}
	return nil
}
