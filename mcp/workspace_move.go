package mcp

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// Bounds of one copy or survey, beyond which a person should look first.
const (
	maxCopyEntries = 100_000
	maxCopyBytes   = 4 << 30
	maxCopyDepth   = 200
)

// DenyHardlinks makes Open refuse files that have more than one name: the other
// may be outside of the workspace. It is for the server to call at its start.
func (w *Workspace) DenyHardlinks(deny bool) { w.denyHardlinks = deny }

// checkHardlinks is DenyHardlinks' check of a file that is open.
func (w *Workspace) checkHardlinks(name string, info fs.FileInfo) error {
	if w.denyHardlinks && info.Mode().IsRegular() && linksOf(info) > 1 {
		return Errorf("HARD_LINK", "%s has more than one name, and the operator denies such files; replace it by a copy of itself, or start the server without --deny-hardlinks", quotePath(name))
	}
	return nil
}

// Move gives a file, link or directory another path; the directory of the new
// one must exist. What is there already is an error, ALREADY_EXISTS, or with
// replace goes to the trash, and trashed says where.
func (w *Workspace) Move(from, to string, replace bool) (trashed string, err error) {
	if err := w.may(AccessWrite, from); err != nil {
		return "", err
	}
	if err := w.may(AccessWrite, to); err != nil {
		return "", err
	}
	if err := w.Vacant(from, to, replace); err != nil {
		return "", err
	}
	old, oldBase, err := w.parent(from)
	if err != nil {
		return "", err
	}
	defer old.Close()
	dir, base, err := w.parent(to)
	if err != nil {
		return "", err
	}
	defer dir.Close()
	if err := w.mayTake(trimSlash(from), trimSlash(to)); err != nil {
		return "", err
	}
	if replace {
		if trashed, err = w.makeRoom(to); err != nil {
			return "", err
		}
	}
	if err := renameAt(old, oldBase, dir, base); err != nil {
		return trashed, explainPlaced(to, trashed, err)
	}
	return trashed, nil
}

// Vacant returns nil if Move and Copy may put from's content at to, as far as
// can be told beforehand. It only looks.
func (w *Workspace) Vacant(from, to string, replace bool) error {
	source, err := w.Lstat(trimSlash(from))
	if err != nil {
		return err
	}
	dir, base, err := w.parent(to)
	if err != nil {
		return err
	}
	dir.Close()
	target, err := w.Lstat(trimSlash(to))
	var coded *Error
	switch {
	case err == nil && os.SameFile(source, target):
		return Errorf("INVALID_PATH", "%s and %s are the same", quotePath(from), quotePath(to))
	case err == nil && !replace:
		return Errorf("ALREADY_EXISTS", "%s exists; choose another path, or say replace=true to put it in the trash", quotePath(to))
	case err == nil && w.within(from, target):
		return Errorf("INVALID_PATH", "%s is inside of %s, which it can't replace", quotePath(from), quotePath(to))
	case err != nil && !(errors.As(err, &coded) && coded.Code == "NOT_FOUND"):
		return err
	case w.within(to, source):
		return Errorf("INVALID_PATH", "%s is inside of %s itself", quotePath(to), quotePath(from))
	case len(base) > 255:
		return Errorf("INVALID_PATH", "%s is too long a name", quotePath(to))
	}
	return nil
}

// within reports whether one of the directories above a path is dir.
func (w *Workspace) within(name string, dir fs.FileInfo) bool {
	above, _ := path.Split(trimSlash(name))
	at, err := w.resolve(path.Clean("./" + above))
	for ; err == nil; at = path.Dir(at) {
		info, err := w.root.Lstat(at)
		if err == nil && os.SameFile(info, dir) {
			return true
		}
		if err != nil || at == "." || at == ".." || at == "/" {
			return false
		}
	}
	return false
}

// mayTake checks all that goes along when a directory is taken away, and comes
// if it is put elsewhere: a glob that denies may match just some of it.
func (w *Workspace) mayTake(from, to string) error {
	if len(w.denied) == 0 {
		return nil
	}
	entries := 0
	return w.mayTakeBelow(from, to, &entries)
}

func (w *Workspace) mayTakeBelow(from, to string, entries *int) error {
	if *entries++; *entries > maxCopyEntries || strings.Count(from, "/") > maxCopyDepth {
		return Errorf("TOO_LARGE", "there is too much in it to look for what the operator denies; take its parts")
	}
	if err := w.may(AccessWrite, from); err != nil {
		return err
	}
	if to != "" {
		if err := w.may(AccessWrite, to); err != nil {
			return err
		}
	}
	if info, err := w.root.Lstat(from); err != nil {
		return explain(from, err)
	} else if !info.IsDir() {
		return nil
	}
	list, err := w.Entries(from)
	if err != nil {
		return err
	}
	for _, e := range list {
		below := ""
		if to != "" {
			below = to + "/" + e.Name
		}
		if err := w.mayTakeBelow(from+"/"+e.Name, below, entries); err != nil {
			return err
		}
	}
	return nil
}

// makeRoom puts what is at a path, if anything is, in the trash.
func (w *Workspace) makeRoom(name string) (trashed string, err error) {
	if _, err := w.root.Lstat(trimSlash(name)); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return w.Trash(name)
}

func explainPlaced(name, trashed string, err error) error {
	if errors.Is(err, fs.ErrExist) {
		return Errorf("ALREADY_EXISTS", "%s exists by now", quotePath(name))
	}
	if crossesDevices(err) {
		err = Errorf("OTHER_DEVICE", "%s would be on another file system; copy it there, then delete it", quotePath(name))
	}
	err = explain(name, err)
	if trashed != "" {
		e := asError(err)
		return &Error{e.Code, e.Message + "; what was there is in " + trashed, err}
	}
	return err
}

// parent opens the directory that a path's last name is in. The name is a plain
// one, so nothing is followed by what is done to it there.
func (w *Workspace) parent(name string) (dir *os.File, base string, err error) {
	above, base := path.Split(trimSlash(name))
	if base == "" || base == "." || base == ".." {
		if _, err := w.root.Lstat(name); err != nil {
			return nil, "", explain(name, err)
		}
		return nil, "", Errorf("INVALID_PATH", "%s must end with the name of a file or directory", quotePath(name))
	}
	if above == "" {
		above = "."
	}
	if info, err := w.root.Lstat(trimSlash(name)); err == nil && strings.HasSuffix(name, "/") && !info.IsDir() {
		return nil, "", Errorf("NOT_A_DIRECTORY", "%s is not a directory", quotePath(name))
	}
	dir, err = w.root.OpenFile(above, os.O_RDONLY|openDirFlags, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", Errorf("NOT_FOUND", "the directory %s does not exist", quotePath(above))
	}
	if err != nil {
		return nil, "", explain(name, err)
	}
	return dir, base, nil
}

func trimSlash(name string) string {
	if trimmed := strings.TrimRight(name, "/"); trimmed != "" {
		return trimmed
	}
	return name
}

// Purge removes a file, a link (not what it leads to) or, if recursive, a
// directory with all that is in it, for good. No link is followed.
func (w *Workspace) Purge(name string, recursive bool) error {
	if err := w.may(AccessWrite, name); err != nil {
		return err
	}
	dir, _, err := w.parent(name)
	if err != nil {
		return err
	}
	dir.Close()
	name = trimSlash(name)
	info, err := w.root.Lstat(name)
	if err != nil {
		return explain(name, err)
	}
	if !info.IsDir() {
		err = w.root.Remove(name)
	} else if err := w.mayTake(name, ""); err != nil {
		return err
	} else if !recursive {
		return Errorf("IS_DIRECTORY", "%s is a directory; say recursive=true to delete all that is in it", quotePath(name))
	} else {
		err = w.root.RemoveAll(name)
	}
	if err != nil {
		return explain(name, err)
	}
	return nil
}

// Survey is what a path holds: itself, and all below it if it is a directory.
type Survey struct {
	Kind  string // file, directory, symbolic link, …
	Files int64  // what is not a directory
	Dirs  int64  // not counting itself
	Bytes int64  // of regular files
	First []string
	More  bool // counting ended early: the numbers are lower bounds
}

// Survey counts what a path holds and follows no link. It keeps the first ten
// paths, and ends at 100,000 entries. The workspace itself is refused, as what
// would move or remove it is.
func (w *Workspace) Survey(ctx context.Context, name string) (Survey, error) {
	if err := w.may(AccessRead, name); err != nil {
		return Survey{}, err
	}
	above, _, err := w.parent(name)
	if err != nil {
		return Survey{}, err
	}
	above.Close()
	name = trimSlash(name)
	info, err := w.Lstat(name)
	if err != nil {
		return Survey{}, err
	}
	s := Survey{Kind: kindOf(info.Mode())}
	if !info.IsDir() {
		s.Files = 1
		if info.Mode().IsRegular() {
			s.Bytes = info.Size()
		}
		return s, nil
	}
	return s, w.survey(ctx, name, 0, &s)
}

func (w *Workspace) survey(ctx context.Context, dir string, depth int, s *Survey) error {
	entries, err := w.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if s.Files+s.Dirs >= maxCopyEntries || depth > maxCopyDepth {
			s.More = true
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		name := dir + "/" + e.Name()
		if len(s.First) < 10 && !e.IsDir() {
			s.First = append(s.First, name)
		}
		if e.IsDir() {
			s.Dirs++
			if err := w.survey(ctx, name, depth+1, s); err != nil {
				return err
			}
			continue
		}
		s.Files++
		if info, err := e.Info(); err == nil && e.Type().IsRegular() {
			s.Bytes += info.Size()
		}
	}
	return nil
}

// contextReader ends a copy when its call is over.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// Readlink returns what a link leads to, as it is written in the link.
func (w *Workspace) Readlink(name string) (string, error) {
	if err := w.may(AccessRead, name); err != nil {
		return "", err
	}
	target, err := w.root.Readlink(name)
	if err != nil {
		return "", explain(name, err)
	}
	return target, nil
}
