// Package sandbox runs programs that the kernel confines. A confined program
// reads what programs need and what it is given, writes only where it may, has
// no network unless it is given that, sees no other processes, and dies with all
// that it has started.
//
//	Run ▶ the server's own binary again, in new namespaces ▶ Enter
//	      mounts ▶ Landlock ▶ capabilities ▶ the program, and a wait for it
//
// The process between is the init of the program's PID namespace: when it ends,
// so does everything in there. Where a machine has no namespaces or no Landlock,
// what is left is used, and Confines says that it is not all.
package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"unicode/utf8"
)

// Program is what is run. Paths are absolute.
type Program struct {
	Argv   []string  // the first is the program's path
	Env    []string  // all of its environment
	Dir    string    // where it starts
	Stdout io.Writer `json:"-"`
	Stderr io.Writer `json:"-"`

	Unconfined bool     // it runs as the user who started the server
	Write      []string // folders in which it may write
	Read       []string // further folders and programs that it may read
	Network    bool

	// Hide are folders and files within those that it finds empty. Where that
	// can't be done the program is not run.
	Hide []string
}

// Status is how a program has ended.
type Status struct {
	Code   int    // its exit code; -1 if a signal has ended it
	Signal string // that signal, as "killed"; else ""
}

// ErrNotStarted is the cause of an error that came before the program ran.
var ErrNotStarted = errors.New("the program was not started")

// ErrHide is the cause where what is to be hidden can't be.
var ErrHide = errors.New("what is denied can't be hidden from commands here")

// Run runs a program without standard input, and waits for it. When ctx is done
// it is killed, with everything that it has started; then the error is that of
// ctx. What it leaves behind when it ends is killed too.
func Run(ctx context.Context, p Program) (Status, error) {
	if len(p.Hide) > 0 && (p.Unconfined || !confines()) {
		return Status{Code: -1}, ErrHide
	}
	// The init is told in JSON, where other bytes would become another name: what
	// is to be hidden would not be.
	for _, s := range slices.Concat(p.Argv, p.Env, p.Write, p.Read, p.Hide, []string{p.Dir}) {
		if !utf8.ValidString(s) {
			return Status{Code: -1}, fmt.Errorf("%w: %q is no UTF-8", ErrNotStarted, s)
		}
	}
	return run(ctx, p)
}

// Enter has to be called first in main. In the process that Run starts it does
// not return. In a program that does not call it nothing is confined: started
// again, it would do all that it does, and not be an init.
func Enter() {
	entered = true
	if len(os.Args) > 1 && os.Args[1] == enterArg {
		enter()
	}
}

var entered bool // see Enter

// enterArg is what a server's binary is started with to be the init.
const enterArg = "sandbox-init-of-a-command"

// Hides reports whether a confined program finds a path empty, unless it is given.
func Hides(path string) bool { return confines() && hides(path) }

// Check is one thing that confines programs, and whether it holds on this machine.
type Check struct {
	Name     string // "write outside"
	Enforced bool
	By       string // what enforces it, or why nothing does
}

// Probe tries on this machine what confined programs can't do. It takes a moment.
func Probe(ctx context.Context) []Check { return probe(ctx) }

// Confines reports whether this machine enforces all of it. It is found out once.
func Confines() bool { return confines() }
