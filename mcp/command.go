package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/teaagent/teaagent/mcp/internal/sandbox"
	"github.com/teaagent/teaagent/mcp/policy"
)

// Command is a program that a body runs for its call. It is no shell's: argv
// reaches the program as it is. It has no standard input, and dies with
// everything it has started when ctx is done.
type Command struct {
	Argv []string
	Dir  string // where it starts, a path of the workspace; "" is the root
	// Env is NAME=value beside what every command has: PATH, LANG, LC_ALL and TZ
	// of the server, TERM=dumb, and a private HOME and TMPDIR. Nothing else of
	// the server's environment reaches it. Of a name here, the value here counts.
	Env []string
	// Access says what it may do with the workspace, at most what the tool may.
	Access     Access
	Network    bool
	Unconfined bool // it runs as the user who started the server, in every mode
	Keep       int  // bytes kept of each stream, half of them from its end; DefaultKeep if 0
	Live       bool // tell the client the lines that it writes: see Progress
}

// DefaultKeep is how much of what a command writes is kept.
const DefaultKeep = 64 << 10

// Finished is how a command has ended.
type Finished struct {
	Code     int    // its exit code; -1 if a signal has ended it
	Signal   string // that signal, as "killed"; else ""
	Stdout   Output
	Stderr   Output
	TimedOut bool // ctx had a deadline, and that has passed
	Confined bool // it ran in the sandbox: see DESIGN 5
}

// Output is what a command wrote to a stream.
type Output struct {
	Text  string // with a line in its middle that says how much is left out
	Bytes int64  // written in all
	Cut   bool
}

// Run runs a command and waits for it. Its error is that the command could not
// be run (COMMAND_NOT_FOUND, NOT_FOUND for Dir) or that the call was cancelled;
// a command that fails is Finished.
//
// But in mode danger-full-access it runs in a sandbox that the kernel enforces:
// it reads what programs need and the workspace, writes only there and in its
// private folder, and has no network unless it asks for it.
func Run(ctx context.Context, c Command) (Finished, error) {
	call := callFrom(ctx)
	if call == nil || call.srv.root == nil {
		return Finished{}, Errorf("NO_WORKSPACE", "commands run in a workspace: start the server with --root")
	}
	dir, err := WorkspaceFrom(ctx).directory(c.Dir)
	if err != nil {
		return Finished{}, err
	}
	private, err := os.MkdirTemp("", "teaagent-command-")
	if err != nil {
		return Finished{}, fmt.Errorf("make the command's private folder: %w", err)
	}
	defer os.RemoveAll(private)
	p, err := c.program(ctx, call, dir, private)
	if err != nil {
		return Finished{}, err
	}
	live := func([]byte) {}
	if c.Live {
		live = newTeller(ctx, call.srv.secrets).tell
	}
	mask := call.srv.secrets.maskValues()
	out, errs := newKeeper(c.Keep, live, mask), newKeeper(c.Keep, live, mask)
	p.Stdout, p.Stderr = out, errs
	if p.Hide, err = WorkspaceFrom(ctx).deniedPaths(); err != nil {
		return Finished{}, err
	}
	status, err := sandbox.Run(ctx, p)
	f := Finished{Code: status.Code, Signal: status.Signal, Stdout: out.output(), Stderr: errs.output(), Confined: !p.Unconfined && sandbox.Confines()}
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, sandbox.ErrHide):
		return f, Errorf("DENIED_PATH", "the operator denies some paths of the workspace, and a command that is not confined can't be kept from them; see the list of approvals")
	case errors.Is(call.ended(), context.Canceled):
		return f, context.Canceled
	case errors.Is(err, context.DeadlineExceeded):
		f.TimedOut = true
		return f, nil
	}
	return f, fmt.Errorf("run %s: %w", quotePath(c.Argv[0]), err)
}

// program is the command as the mode wants it.
func (c *Command) program(ctx context.Context, call *Call, dir, private string) (sandbox.Program, error) {
	unconfined := c.Unconfined || call.srv.mode == policy.DangerFullAccess
	root := call.srv.root.Dir()
	argv, err := c.find(call.srv.getenv("PATH"), dir, func(path string) bool {
		return !unconfined && sandbox.Hides(path) && !strings.HasPrefix(path, root+"/")
	})
	if err != nil {
		return sandbox.Program{}, err
	}
	env := []string{"TERM=dumb", "HOME=" + private, "TMPDIR=" + private}
	for _, name := range []string{"PATH", "LANG", "LC_ALL", "TZ"} {
		if value := call.srv.getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	env = (&exec.Cmd{Env: append(env, c.Env...)}).Environ() // of two with one name, the last
	p := sandbox.Program{Argv: argv, Env: env, Dir: dir, Unconfined: unconfined, Write: []string{private}, Network: c.Network}
	if min(c.Access, WorkspaceFrom(ctx).access) == AccessWrite {
		p.Write = append(p.Write, root)
	} else {
		p.Read = append(p.Read, root)
	}
	return p, nil
}

// find returns argv with the program's path. A name with a slash is a path from
// the directory in which the command starts. What the sandbox hides does not count.
func (c *Command) find(search, dir string, hidden func(string) bool) ([]string, error) {
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return nil, Errorf("COMMAND_NOT_FOUND", "the command is empty")
	}
	for _, word := range c.Argv {
		if strings.ContainsRune(word, 0) {
			return nil, Errorf("INVALID_ARGUMENT", "a word of a command can't have a zero byte")
		}
	}
	name := c.Argv[0]
	candidates := []string{name}
	if !strings.ContainsRune(name, '/') {
		candidates = nil
		for _, folder := range filepath.SplitList(search) {
			if filepath.IsAbs(folder) { // a relative one would be the workspace's to fill
				candidates = append(candidates, filepath.Join(folder, name))
			}
		}
	} else if !filepath.IsAbs(name) {
		candidates = []string{filepath.Join(dir, name)}
	}
	why := ""
	for _, candidate := range candidates {
		if hidden(candidate) {
			why = "; " + candidate + " is not in the sandbox, which hides the home folder"
			continue
		}
		if info, err := os.Stat(candidate); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return append([]string{candidate}, c.Argv[1:]...), nil
		}
	}
	return nil, Errorf("COMMAND_NOT_FOUND", "there is no program %s: name one of PATH, or a path with a slash%s", quotePath(name), why)
}

// deniedPaths returns the absolute paths of what is there and denied, for commands
// to find empty.
func (w *Workspace) deniedPaths() (paths []string, err error) {
	if len(w.denied) == 0 {
		return nil, nil
	}
	entries := 0
	var look func(dir string) error
	look = func(dir string) error {
		list, err := w.Entries(dir)
		if err != nil {
			return err
		}
		for _, e := range list {
			if entries++; entries > maxCopyEntries {
				return Errorf("TOO_LARGE", "there is too much in the workspace to look for what the operator denies to commands")
			}
			name := path.Join(dir, e.Name)
			if e.Type&fs.ModeSymlink != 0 {
				continue // what it leads to is denied by itself
			}
			if w.forbids(AccessRead, name) {
				paths = append(paths, filepath.Join(w.dir, filepath.FromSlash(name)))
			} else if e.Type.IsDir() {
				if err := look(name); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return paths, look(".")
}

// directory returns the absolute path of a directory of the workspace.
func (w *Workspace) directory(name string) (string, error) {
	if name == "" {
		name = "."
	}
	if err := w.may(AccessRead, name); err != nil {
		return "", err
	}
	info, err := w.root.Stat(name)
	if err != nil {
		return "", explain(name, err)
	}
	if !info.IsDir() {
		return "", Errorf("NOT_DIRECTORY", "%s is not a directory", quotePath(name))
	}
	inside, err := w.resolve(name)
	if err != nil || !fs.ValidPath(inside) {
		return "", Errorf("PERMISSION_DENIED", "%s leads out of the workspace", quotePath(name))
	}
	return filepath.Join(w.dir, filepath.FromSlash(path.Clean(inside))), nil
}

// keeper keeps the head and the tail of a stream.
type keeper struct {
	mu         sync.Mutex // a command may leave behind who writes on
	head, tail []byte
	keep       int // bytes of each that are shown
	half       int // bytes of each that are held
	start      int // of the oldest byte in tail, once that is full
	n          int64
	live       func([]byte)
	mask       func(string) string // or nil
}

// maskAround is how much more is held than is shown where there are secrets: one
// astride a cut is masked before it is cut.
const maskAround = 16 << 10

func newKeeper(keep int, live func([]byte), mask func(string) string) *keeper {
	if keep <= 0 {
		keep = DefaultKeep
	}
	k := &keeper{keep: keep / 2, half: keep / 2, live: live, mask: mask}
	if mask != nil {
		k.half += maskAround
	}
	return k
}

func (k *keeper) Write(p []byte) (int, error) {
	k.live(p)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.n += int64(len(p))
	n := len(p)
	take := min(len(p), k.half-len(k.head))
	k.head = append(k.head, p[:take]...)
	if p = p[take:]; len(p) > k.half {
		p = p[len(p)-k.half:]
	}
	if room := min(len(p), k.half-len(k.tail)); room > 0 {
		k.tail = append(k.tail, p[:room]...)
		p = p[room:]
	}
	for len(p) > 0 {
		c := copy(k.tail[k.start:], p)
		p = p[c:]
		k.start = (k.start + c) % k.half
	}
	return n, nil
}

func (k *keeper) output() Output {
	k.mu.Lock()
	defer k.mu.Unlock()
	head := string(k.head)
	tail := string(k.tail[k.start:]) + string(k.tail[:k.start])
	if k.n <= int64(2*k.keep) {
		return Output{Text: head + tail, Bytes: k.n}
	}
	if k.n == int64(len(head)+len(tail)) {
		head += tail
		tail = head
	}
	if k.mask != nil {
		head, tail = k.mask(head), k.mask(tail)
	}
	head, tail = head[:min(len(head), k.keep)], tail[max(0, len(tail)-k.keep):]
	left := k.n - int64(len(head)+len(tail)) // but for what a mask is longer or shorter
	return Output{Text: fmt.Sprintf("%s\n… %d bytes left out …\n%s", head, left, tail), Bytes: k.n, Cut: true}
}

// teller tells the client the lines of a running command: the newest a few times
// a second, not each of a million.
type teller struct {
	ctx  context.Context
	hide *Secrets
	mu   sync.Mutex
	line []byte
	n    float64
	last time.Time
}

const (
	tellEvery = 250 * time.Millisecond
	tellBytes = 200 // of a line, of which more is held to mask what is astride the end
)

func newTeller(ctx context.Context, hide *Secrets) *teller { return &teller{ctx: ctx, hide: hide} }

func (t *teller) tell(p []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now() // once for what may be thousands of lines
	for len(p) > 0 {
		line, rest, whole := bytes.Cut(p, []byte("\n"))
		t.line = append(t.line, line[:min(len(line), tellBytes+maskAround-len(t.line))]...)
		if p = rest; !whole {
			return
		}
		t.n++
		if now.Sub(t.last) >= tellEvery && len(t.line) > 0 {
			t.last = now
			Progress(t.ctx, t.n, 0, strings.ToValidUTF8(t.hide.head(string(t.line), tellBytes), "\ufffd"))
		}
		t.line = t.line[:0]
	}
}
