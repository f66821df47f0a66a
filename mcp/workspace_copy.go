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

// Copied counts what a copy made.
type Copied struct {
	Files, Bytes int64
	Skipped      int64  // links that lead out, pipes, sockets, devices
	Trashed      string // where what was replaced is
}

// Copy copies a file or directory; the directory of the new one must exist. A
// link in it is copied as a link if it leads to somewhere in the workspace from
// its new place too. The copy appears in one step, when it is complete. What is
// there already is treated as by Move.
func (w *Workspace) Copy(ctx context.Context, from, to string, replace bool) (n Copied, err error) {
	if err := w.may(AccessRead, from); err != nil {
		return n, err
	}
	if err := w.may(AccessWrite, to); err != nil {
		return n, err
	}
	if err := w.Vacant(from, to, replace); err != nil {
		return n, err
	}
	dir, base, err := w.parent(to)
	if err != nil {
		return n, err
	}
	defer dir.Close()
	above, _ := path.Split(trimSlash(to))
	tempBase := tempName()
	temp := above + tempBase
	place, err := w.resolve(path.Clean("./" + above))
	if err != nil {
		return n, explain(to, err)
	}
	done, err := w.noteTemp(path.Clean("./"+above), tempBase)
	if err != nil {
		return n, err
	}
	defer done()
	c := copying{ctx: ctx, n: &n, check: w.mayCopy(place), checkFile: w.checkHardlinks}
	// Only once: a temporary that somebody exchanges is not removed twice.
	if err := c.entry(w.root, trimSlash(from), w.root, temp, trimSlash(from), base, 0); err != nil {
		w.root.RemoveAll(temp)
		return n, explain(from, err)
	}
	if n.Files == 0 && n.Skipped > 0 {
		if _, err := w.root.Lstat(temp); err != nil {
			return n, Errorf("NOT_A_FILE", "%s is a link that leads out of the workspace, or no file", quotePath(from))
		}
	}
	if replace {
		if n.Trashed, err = w.makeRoom(to); err != nil {
			w.root.RemoveAll(temp)
			return n, err
		}
	}
	if err := renameAt(dir, tempBase, dir, base); err != nil {
		w.root.RemoveAll(temp)
		return n, explainPlaced(to, n.Trashed, err)
	}
	return n, nil
}

// mayCopy checks each path that a copy reads, and each that it would make below
// the directory place.
func (w *Workspace) mayCopy(place string) func(name, within, target string) error {
	return func(name, within, target string) error {
		if err := w.may(AccessRead, name); err != nil {
			return err
		}
		if err := w.may(AccessWrite, path.Join(place, within)); err != nil || target == "" {
			return err
		}
		lead, err := w.resolve(name)
		there := path.Join(place, path.Dir(within), target)
		if err != nil || outside(lead) || path.IsAbs(target) || outside(there) {
			return errSkip
		}
		return nil
	}
}

func outside(name string) bool {
	return name == ".." || strings.HasPrefix(name, "../") || path.IsAbs(name)
}

// errSkip leaves an entry out of a copy.
var errSkip = errors.New("skip")

// copying is one copy under way.
type copying struct {
	ctx     context.Context
	n       *Copied
	whole   bool // to the trash: links as they are, nothing left out
	entries int64
	// check is asked about each entry: its path, its path in the copy, and what
	// it leads to if it is a link.
	check func(name, within, target string) error
	// checkFile is asked about each file that was opened, unless nil.
	checkFile func(name string, info fs.FileInfo) error
}

// entry copies what has a name in one directory to a free name in another.
func (c *copying) entry(from *os.Root, old string, to *os.Root, name, shown, within string, depth int) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	if c.entries++; c.entries > maxCopyEntries || depth > maxCopyDepth {
		return Errorf("TOO_LARGE", "a copy has at most %d files in %d levels of directories", maxCopyEntries, maxCopyDepth)
	}
	info, err := from.Lstat(old)
	if err != nil {
		return err
	}
	target := ""
	if info.Mode()&fs.ModeSymlink != 0 {
		if target, err = from.Readlink(old); err != nil {
			return err
		}
	}
	if c.check != nil {
		if err := c.check(shown, within, target); err == errSkip {
			c.n.Skipped++
			return nil
		} else if err != nil {
			return err
		}
	}
	switch {
	case target != "":
		c.n.Files++
		return to.Symlink(target, name)
	case info.IsDir():
		return c.directory(from, old, to, name, shown, within, depth, info)
	case info.Mode().IsRegular():
		return c.file(from, old, to, name, shown, info)
	case c.whole:
		return notAFile(shown, info.Mode())
	}
	c.n.Skipped++
	return nil
}

var errExchanged = Errorf("CHANGED", "a file was exchanged while it was copied; try again")

func (c *copying) directory(from *os.Root, old string, to *os.Root, name, shown, within string, depth int, info fs.FileInfo) error {
	source, err := from.OpenRoot(old + "/.")
	if err != nil {
		return err
	}
	defer source.Close()
	if now, err := source.Stat("."); err != nil || !os.SameFile(now, info) {
		return errExchanged
	}
	if err := to.Mkdir(name, 0o700); err != nil {
		return err
	}
	target, err := to.OpenRoot(name)
	if err != nil {
		return err
	}
	defer target.Close()
	list, err := source.OpenFile(".", os.O_RDONLY|openDirFlags, 0)
	if err != nil {
		return err
	}
	entries, err := list.ReadDir(-1)
	list.Close()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := c.entry(source, e.Name(), target, e.Name(), shown+"/"+e.Name(), within+"/"+e.Name(), depth+1); err != nil {
			return err
		}
	}
	if err := target.Chmod(".", info.Mode().Perm()); err != nil {
		return err
	}
	made, err := target.Open(".")
	if err != nil {
		return err
	}
	defer made.Close()
	if c.whole { // what it was copied from goes
		return made.Sync()
	}
	return nil
}

func (c *copying) file(from *os.Root, old string, to *os.Root, name, shown string, info fs.FileInfo) (err error) {
	source, err := from.OpenFile(old, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return err
	}
	defer source.Close()
	now, err := source.Stat()
	if err != nil || !os.SameFile(now, info) {
		return errExchanged
	}
	if c.checkFile != nil {
		if err := c.checkFile(shown, now); err != nil {
			return err
		}
	}
	f, err := to.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	n, err := io.Copy(f, io.LimitReader(contextReader{c.ctx, source}, maxCopyBytes-c.n.Bytes+1))
	c.n.Files++
	if c.n.Bytes += n; c.n.Bytes > maxCopyBytes {
		return Errorf("TOO_LARGE", "a copy has at most %d bytes", int64(maxCopyBytes))
	}
	if err == nil {
		err = f.Chmod(info.Mode().Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	return err
}
