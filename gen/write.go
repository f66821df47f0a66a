package gen

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
)

// write settles the changes: every new file beside its place first, then all
// of them moved there, then the orphans removed. Whatever fails before the
// first move leaves the repo as it was. Files are not synced to the disk: what
// a power cut takes can be generated again.
func (s *site) write(changes []Change) (err error) {
	var undo []string // temporary files and new folders, in the order they were made
	defer func() {
		if err == nil {
			return
		}
		for i := len(undo) - 1; i >= 0; i-- {
			s.root.Remove(undo[i]) // a folder stays if it holds something by now
		}
	}()
	for _, c := range changes {
		if c.Kind == Orphaned {
			continue
		}
		made, err := s.makeFolder(path.Dir(c.Path))
		undo = append(undo, made...)
		if err == nil {
			err = s.create(temporary(c.Path), c.new, c.mode)
		}
		if err != nil {
			return fmt.Errorf("write %s: %w; nothing was changed", c.Path, err)
		}
		undo = append(undo, temporary(c.Path))
	}
	for _, c := range changes {
		if c.Kind == Orphaned {
			err = s.root.Remove(c.Path)
		} else {
			err = s.root.Rename(temporary(c.Path), c.Path)
		}
		if err != nil {
			return fmt.Errorf("settle %s: %w; some files are new and some old, generate again", c.Path, err)
		}
	}
	return nil
}

// temporary is where a file is written first. The go command ignores it.
func temporary(name string) string {
	return path.Join(path.Dir(name), "."+path.Base(name)+".teagen-tmp")
}

func (s *site) create(name string, data []byte, mode fs.FileMode) error {
	f, err := s.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		s.root.Remove(name)
	}
	return err
}

// makeFolder makes a folder and those above it, and returns the ones it made.
func (s *site) makeFolder(name string) (made []string, err error) {
	for i := 1; i <= len(name); i++ {
		if i < len(name) && name[i] != '/' {
			continue
		}
		switch err := s.root.Mkdir(name[:i], 0o755); {
		case err == nil:
			made = append(made, name[:i])
		case !errors.Is(err, fs.ErrExist):
			return made, err
		}
	}
	return made, nil
}
