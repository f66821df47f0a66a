package mcp

import (
	"errors"
	"io/fs"
	"os"
)

// RenameFileIf gives a file another path, where there must be none, if it is
// what is expected. Its directory must exist.
func (w *Workspace) RenameFileIf(from, to string, e Expect) error {
	for _, name := range [2]string{from, to} {
		if err := w.may(AccessWrite, name); err != nil {
			return err
		}
		if _, err := w.Writable(name); err != nil {
			return err
		}
	}
	a, err := w.placeOf(from)
	if err != nil {
		return err
	}
	defer a.close()
	b, err := w.placeOf(to)
	if err != nil {
		return err
	}
	defer b.close()
	unlock, err := lockBoth(a, b)
	if err != nil {
		return err
	}
	defer unlock()
	info, err := a.check(e)
	if err == nil && info == nil {
		err = explain(from, fs.ErrNotExist)
	}
	if err == nil {
		_, err = b.check(Expect{Absent: true})
	}
	if err != nil {
		return err
	}
	// A link fails where there is a file, a rename would replace it: somebody
	// who takes no lock may have made one just now.
	switch err := w.root.Link(from, to); {
	case err == nil:
		if err := a.dir.Remove(a.base); err != nil {
			return errors.Join(explain(from, err), b.dir.Remove(b.base))
		}
	case errors.Is(err, fs.ErrExist):
		return &Error{"ALREADY_EXISTS", quotePath(to) + " exists already", err}
	default: // not every file system has links
		if err := w.root.Rename(from, to); err != nil {
			return explain(from, err)
		}
	}
	a.sync()
	b.sync()
	return nil
}

// lockBoth locks two directories, which may be one. Two calls that lock them
// crosswise do not wait for each other for ever, since a lock's patience ends.
func lockBoth(a, b *place) (unlock func(), err error) {
	if a.self == nil || b.self == nil {
		return a.lock()
	}
	x, err := a.self.Stat()
	if err != nil {
		return nil, explain(a.name, err)
	}
	y, err := b.self.Stat()
	if err != nil {
		return nil, explain(b.name, err)
	}
	if os.SameFile(x, y) {
		return a.lock()
	}
	if a.name > b.name { // in one order, for most
		a, b = b, a
	}
	first, err := a.lock()
	if err != nil {
		return nil, err
	}
	if a.alone { // then so is b, which is on the same file system
		return first, nil
	}
	second, err := b.lock()
	if err != nil {
		first()
		return nil, err
	}
	return func() { second(); first() }, nil
}

// SetMode sets the permissions of a file, of which a new one has the usual.
func (w *Workspace) SetMode(name string, mode fs.FileMode) error {
	if err := w.may(AccessWrite, name); err != nil {
		return err
	}
	if _, err := w.Writable(name); err != nil {
		return err
	}
	return explainIf(name, w.root.Chmod(name, mode.Perm()))
}
