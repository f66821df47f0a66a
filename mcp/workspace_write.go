package mcp

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
)

// WriteFile replaces a file's content, or makes the file, in one step: whoever
// reads it, or looks after a crash, finds the old content or the new one. The
// mode of a file that exists stays. A symbolic link is refused, since the step
// would put a file in its place.
func (w *Workspace) WriteFile(name string, data []byte) (err error) {
	if err := w.may(AccessWrite, name); err != nil {
		return err
	}
	info, err := w.Writable(name)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o666)
	if info != nil {
		mode = info.Mode().Perm()
	}
	// Not path.Join: it would drop a "..", which can mean more than it seems
	// where a link precedes it.
	dir, _ := path.Split(name)
	temp := dir + ".teaagent-" + rand.Text() + ".tmp"
	f, err := w.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return explain(name, err)
	}
	defer func() {
		if err != nil {
			w.root.Remove(temp)
			err = explain(name, err)
		}
	}()
	_, err = f.Write(data)
	if err == nil && info != nil {
		err = f.Chmod(mode) // past the umask
	}
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = w.root.Rename(temp, name)
	}
	return err
}

// Writable returns nil if WriteFile may make or replace the file, as far as can
// be told beforehand, and describes the file if there is one. It only looks.
func (w *Workspace) Writable(name string) (fs.FileInfo, error) {
	if err := w.may(AccessRead, name); err != nil {
		return nil, err
	}
	if strings.HasSuffix(name, "/") {
		return nil, Errorf("INVALID_PATH", "%s ends with a slash; a file's path does not", quotePath(name))
	}
	info, err := w.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, explain(name, err)
	case info.IsDir():
		return nil, Errorf("IS_DIRECTORY", "%s is a directory", quotePath(name))
	case info.Mode()&fs.ModeSymlink != 0:
		if _, err := w.root.Stat(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, explain(name, err)
		}
		return nil, Errorf("IS_LINK", "%s is a symbolic link; write to the file that it leads to", quotePath(name))
	case !info.Mode().IsRegular():
		return nil, notAFile(name, info.Mode())
	}
	return info, nil
}
