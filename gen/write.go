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
		folder, made, err := s.makeFolder(path.Dir(c.Path))
		undo = append(undo, made...)
		if err == nil {
			err = create(folder, temporary(path.Base(c.Path)), c.new, c.mode)
		}
		if err != nil {
			return fmt.Errorf("write %s: %w; nothing was changed", c.Path, err)
		}
		undo = append(undo, path.Join(path.Dir(c.Path), temporary(path.Base(c.Path))))
	}
	for _, c := range changes {
		folder, base := s.folders[path.Dir(c.Path)], path.Base(c.Path)
		if c.Kind == Orphaned {
			err = folder.Remove(base)
		} else {
			err = folder.Rename(temporary(base), base)
		}
		if err != nil {
			return fmt.Errorf("settle %s: %w; some files are new and some old, generate again", c.Path, err)
		}
	}
	return nil
}

// temporary is what a file is called before it is complete. The go command
// ignores it.
func temporary(base string) string { return "." + base + ".teagen-tmp" }

func create(folder *os.Root, base string, data []byte, mode fs.FileMode) error {
	f, err := folder.OpenFile(base, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		folder.Remove(base)
	}
	return err
}

// makeFolder opens a folder, and makes it and those above it where they are
// missing. It returns the names of those that it made.
func (s *site) makeFolder(name string) (folder *os.Root, made []string, err error) {
	if folder, err = s.folder(name); folder != nil || err != nil {
		return folder, nil, err
	}
	above, made, err := s.makeFolder(path.Dir(name))
	if err != nil {
		return nil, made, err
	}
	if err := above.Mkdir(path.Base(name), 0o755); err != nil {
		return nil, made, err
	}
	delete(s.folders, name)
	folder, err = s.folder(name)
	return folder, append(made, name), err
}
