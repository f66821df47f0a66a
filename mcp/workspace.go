package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/teaagent/teaagent/mcp/internal/temps"
)

// Workspace is the directory that a server works in. Every path goes through
// one os.Root, opened once: none leads out of it, symbolic links included, also
// while somebody exchanges directories behind our back. Paths are relative to
// it and written with slashes.
type Workspace struct {
	root   *os.Root
	dir    string
	access Access
	prefix string   // of paths in it, seen from the server's workspace: see Sub
	denied []string // globs of what no call may touch, seen from there

	secrets *Secrets // masked in errors

	trash         string // see KeepTrash
	denyHardlinks bool

	temps *temps.Record // of files being written, or nil
	below string        // the path of this Sub in the workspace that the record is of
}

// OpenWorkspace opens a directory as a workspace.
func OpenWorkspace(dir string) (*Workspace, error) {
	canonical, err := filepath.Abs(dir)
	if err == nil {
		canonical, err = filepath.EvalSymlinks(canonical)
	}
	if err != nil {
		return nil, fmt.Errorf("open workspace: %w", err)
	}
	root, err := os.OpenRoot(canonical + "/.") // see Sub
	if err != nil {
		return nil, fmt.Errorf("open workspace: %w", err)
	}
	return &Workspace{root: root, dir: canonical, access: AccessWrite}, nil
}

// WorkspaceFrom returns the workspace as the tool being called may use it: its
// spec's workspace says whether it reads or writes, and a preview only reads.
func WorkspaceFrom(ctx context.Context) *Workspace {
	c := callFrom(ctx)
	if c == nil || c.srv.root == nil {
		return &Workspace{}
	}
	w := *c.srv.root
	w.access = c.tool.spec.Workspace
	if c.dryRun && w.access == AccessWrite {
		w.access = AccessRead
	}
	w.denied = c.deniedPaths()
	w.secrets = c.srv.secrets
	return &w
}

// Dir returns the workspace's canonical path, for messages.
func (w *Workspace) Dir() string { return w.dir }

// Open opens a regular file for reading. It never blocks: pipes, devices and
// sockets are refused.
func (w *Workspace) Open(name string) (*os.File, error) {
	if err := w.may(AccessRead, name); err != nil {
		return nil, err
	}
	f, err := w.root.OpenFile(name, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, w.explainOpen(name, err)
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = Errorf("IS_DIRECTORY", "%s is a directory", quotePath(name))
	} else if err == nil && !info.Mode().IsRegular() {
		err = notAFile(name, info.Mode())
	} else if err == nil {
		err = w.checkHardlinks(name, info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// ReadFile returns a regular file's content, or TOO_LARGE if it has more than max bytes.
func (w *Workspace) ReadFile(name string, max int64) ([]byte, error) {
	f, err := w.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, max+1))
	if err != nil {
		return nil, explain(name, err)
	}
	if int64(len(data)) > max {
		return nil, Errorf("TOO_LARGE", "%s has more than %d bytes", quotePath(name), max)
	}
	return data, nil
}

// ReadDir returns a directory's entries in the order of their names.
func (w *Workspace) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := w.may(AccessRead, name); err != nil {
		return nil, err
	}
	f, err := w.root.OpenFile(name, os.O_RDONLY|openDirFlags, 0)
	if err != nil {
		return nil, explain(name, err)
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	if err != nil {
		return nil, explain(name, err)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// Entry is a directory's entry without its size and times.
type Entry struct {
	Name string
	Type fs.FileMode // type bits only
}

// Entries returns a directory's entries in no order. It does not look at each
// of them as ReadDir does, and takes a third of its time.
func (w *Workspace) Entries(name string) ([]Entry, error) {
	if err := w.may(AccessRead, name); err != nil {
		return nil, err
	}
	f, err := w.root.OpenFile(name, os.O_RDONLY|openDirFlags, 0)
	if err != nil {
		return nil, explain(name, err)
	}
	defer f.Close()
	entries, err := readEntries(f)
	if err != nil {
		return nil, explain(name, err)
	}
	return entries, nil
}

// readEntriesPortably is readEntries where the system's own call is not used.
func readEntriesPortably(f *os.File) ([]Entry, error) {
	list, err := f.ReadDir(-1)
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, len(list))
	for i, e := range list {
		entries[i] = Entry{e.Name(), e.Type()}
	}
	return entries, nil
}

// Sub returns a workspace that is one of w's directories. The directory is held
// open until Close: its files are reached in one step each, wherever it is
// moved, and no path leads out of it, not even to the rest of w.
func (w *Workspace) Sub(name string) (*Workspace, error) {
	if err := w.may(AccessRead, name); err != nil {
		return nil, err
	}
	// The "." makes the name one that is led through: OpenRoot opens the last
	// one as it is, and would wait for a pipe's other end.
	root, err := w.root.OpenRoot(name + "/.")
	if err != nil {
		return nil, explain(name, err)
	}
	sub := *w
	sub.root, sub.dir = root, filepath.Join(w.dir, filepath.FromSlash(name))
	if w.temps != nil && w.access == AccessWrite {
		resolved, err := w.resolve(name)
		if err != nil {
			root.Close()
			return nil, explain(name, err)
		}
		sub.below = path.Join(w.below, resolved)
	}
	if len(w.denied) > 0 {
		sub.prefix = path.Join(w.prefix, w.pathOf(name).Resolved)
	}
	return &sub, nil
}

// Close lets go of the directory. Only what Sub returned needs it: a server's
// workspace lives as long as the server.
func (w *Workspace) Close() error { return w.root.Close() }

// Stat describes what a path leads to, following links inside the workspace.
func (w *Workspace) Stat(name string) (fs.FileInfo, error) {
	if err := w.may(AccessRead, name); err != nil {
		return nil, err
	}
	info, err := w.root.Stat(name)
	if err != nil {
		return nil, explain(name, err)
	}
	return info, nil
}

// Lstat describes a path itself, be it a link.
func (w *Workspace) Lstat(name string) (fs.FileInfo, error) {
	if err := w.may(AccessRead, name); err != nil {
		return nil, err
	}
	info, err := w.root.Lstat(name)
	if err != nil {
		return nil, explain(name, err)
	}
	return info, nil
}

// Remove removes a file, a link (not what it leads to) or an empty directory.
func (w *Workspace) Remove(name string) error {
	if err := w.may(AccessWrite, name); err != nil {
		return err
	}
	release, err := w.hold(name)
	if err != nil {
		return err
	}
	defer release()
	if err := w.root.Remove(name); err != nil {
		return explain(name, err)
	}
	return nil
}

// MkdirAll makes a directory and its parents.
func (w *Workspace) MkdirAll(name string) error {
	if err := w.may(AccessWrite, name); err != nil {
		return err
	}
	if err := w.root.MkdirAll(name, 0o777); err != nil {
		return explain(name, err)
	}
	return nil
}

// may refuses what the tool's spec does not declare, and paths that mean
// nothing inside a workspace, with a better text than the system's.
func (w *Workspace) may(need Access, name string) error {
	switch {
	case w.root == nil:
		return Errorf("NO_WORKSPACE", "the server was started without a workspace: give it --root DIR")
	case w.access < need && need == AccessWrite:
		return Errorf("READ_ONLY", "this call may only read the workspace")
	case w.access < need:
		return Errorf("NO_WORKSPACE", "the tool's spec does not let it use the workspace")
	case name == "":
		return Errorf("INVALID_PATH", `the path is empty; "." is the workspace itself`)
	case strings.IndexByte(name, 0) >= 0:
		return Errorf("INVALID_PATH", "the path has a NUL byte")
	case path.IsAbs(name):
		return Errorf("INVALID_PATH", "%s is absolute; paths are relative to the workspace", quotePath(name))
	case w.forbids(need, name):
		return Errorf("DENIED_PATH", "the operator denies %s; see the list of approvals", quotePath(name))
	}
	return nil
}

// explain gives the system's error a code and the path as the caller wrote it.
func explain(name string, err error) error {
	var coded *Error
	if errors.As(err, &coded) {
		return err
	}
	cause := err
	for next := errors.Unwrap(cause); next != nil; next = errors.Unwrap(cause) {
		cause = next
	}
	q := quotePath(name)
	switch {
	case cause.Error() == "path escapes from parent": // os.Root's, which it does not export
		return Errorf("OUTSIDE_WORKSPACE", "%s leads out of the workspace", q)
	case errors.Is(err, fs.ErrNotExist):
		return &Error{"NOT_FOUND", q + " does not exist", err}
	case errors.Is(err, syscall.EISDIR):
		return &Error{"IS_DIRECTORY", q + " is a directory", err}
	case errors.Is(err, syscall.ENOTDIR):
		return &Error{"NOT_A_DIRECTORY", q + " is not a directory, or leads through something that is none", err}
	case errors.Is(err, syscall.ENOTEMPTY):
		return &Error{"NOT_EMPTY", q + " is a directory that is not empty", err}
	case errors.Is(err, syscall.ELOOP):
		return &Error{"INVALID_PATH", q + " leads through too many links", err}
	case errors.Is(err, syscall.ENAMETOOLONG):
		return &Error{"INVALID_PATH", q + " is too long a name", err}
	}
	e := asError(err)
	return &Error{e.Code, q + ": " + cause.Error(), err}
}

// explainOpen is explain for what can't even be opened: a socket says no more
// than that there is no such device.
func (w *Workspace) explainOpen(name string, err error) error {
	if errors.Is(err, syscall.ENXIO) {
		if info, e := w.root.Stat(name); e == nil && !info.Mode().IsRegular() {
			return notAFile(name, info.Mode())
		}
	}
	return explain(name, err)
}

func notAFile(name string, mode fs.FileMode) error {
	return Errorf("NOT_A_FILE", "%s is neither a file nor a directory but a %s", quotePath(name), kindOf(mode))
}

func quotePath(name string) string { return fmt.Sprintf("%q", shortenTo(name, 200)) }

func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "directory"
	case mode&fs.ModeNamedPipe != 0:
		return "named pipe"
	case mode&fs.ModeSocket != 0:
		return "socket"
	case mode&fs.ModeDevice != 0:
		return "device"
	case mode&fs.ModeSymlink != 0:
		return "symbolic link"
	case mode.IsRegular():
		return "file"
	}
	return "special file"
}
