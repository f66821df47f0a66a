package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
)

// Expect is what a change demands of the file that it finds. The zero value
// takes any file, and none.
type Expect struct {
	SHA256 string // its content's hash, in lower-case hex; "" for any
	Absent bool   // there must be no file
}

// WriteFile replaces a file's content, or makes the file, in one step: whoever
// reads it, or looks after a crash, finds the old content or the new one. The
// mode of a file that exists stays. A symbolic link is refused, since the step
// would put a file in its place.
func (w *Workspace) WriteFile(name string, data []byte) error {
	_, err := w.WriteFileIf(name, data, Expect{})
	return err
}

// WriteFileIf is WriteFile if the file is what is expected, and reports whether
// it made one. Looking and replacing are one step for all that write through a
// Workspace, in this process and in others: of two that expect the same content
// one fails, with CHANGED or ALREADY_EXISTS.
func (w *Workspace) WriteFileIf(name string, data []byte, e Expect) (created bool, err error) {
	if err := w.may(AccessWrite, name); err != nil {
		return false, err
	}
	if _, err := w.Writable(name); err != nil {
		return false, err
	}
	p, err := w.placeOf(name)
	if err != nil {
		return false, err
	}
	defer p.close()
	t, err := w.writeTemp(p, data)
	if err != nil {
		return false, explain(name, err)
	}
	defer t.drop()

	unlock, err := p.lock()
	if err != nil {
		return false, err
	}
	defer unlock()
	info, err := p.check(e)
	if err != nil {
		return false, err
	}
	if err := t.become(info); err != nil {
		return false, explain(name, err)
	}
	return info == nil, nil
}

// Check fails as WriteFileIf would if the file is not what is expected. It only
// looks, so it may be otherwise the next moment.
func (w *Workspace) Check(name string, e Expect) error {
	if err := w.may(AccessRead, name); err != nil {
		return err
	}
	p, err := w.placeOf(name)
	if err != nil {
		return err
	}
	defer p.close()
	_, err = p.check(e)
	return err
}

// RemoveFileIf removes a file if it is what is expected, in one step like
// WriteFileIf. It is for files: links and directories are refused.
func (w *Workspace) RemoveFileIf(name string, e Expect) error {
	if err := w.may(AccessWrite, name); err != nil {
		return err
	}
	p, err := w.placeOf(name)
	if err != nil {
		return err
	}
	defer p.close()
	unlock, err := p.lock()
	if err != nil {
		return err
	}
	defer unlock()
	info, err := p.check(e)
	if err == nil && info == nil {
		err = fs.ErrNotExist
	}
	if err == nil {
		err = p.dir.Remove(p.base)
	}
	if err == nil {
		p.sync()
	}
	return explainIf(name, err)
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
	return writable(w.root, name, name)
}

// writable looks at the file that is base in root, and name for messages.
func writable(root *os.Root, base, name string) (fs.FileInfo, error) {
	info, err := root.Lstat(base)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, explain(name, err)
	case info.IsDir():
		return nil, Errorf("IS_DIRECTORY", "%s is a directory", quotePath(name))
	case info.Mode()&fs.ModeSymlink != 0:
		if _, err := root.Stat(base); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, explain(name, err)
		}
		return nil, Errorf("IS_LINK", "%s is a symbolic link; write to the file that it leads to", quotePath(name))
	case !info.Mode().IsRegular():
		return nil, notAFile(name, info.Mode())
	}
	// A rename would not ask whether the file itself may be written.
	f, err := root.OpenFile(base, os.O_WRONLY|openFlags, 0)
	if errors.Is(err, fs.ErrPermission) {
		return nil, explain(name, err)
	}
	if err == nil {
		f.Close()
	}
	return info, nil
}

// place is a file's directory, held open, and its name in there. However
// directories are moved meanwhile, all steps happen in this one.
type place struct {
	name string // as the caller wrote it
	dir  *os.Root
	self *os.File // the directory again, to lock and to sync
	base string

	alone bool // locked by a mutex, for want of a lock of the directory
}

func (w *Workspace) placeOf(name string) (*place, error) {
	// Not path.Dir: it would drop a "..", which can mean more than it seems
	// where a link precedes it.
	dir, base := path.Split(name)
	if base == "" || base == "." || base == ".." {
		return nil, Errorf("IS_DIRECTORY", "%s is a directory", quotePath(name))
	}
	root, err := w.root.OpenRoot(dir + ".")
	if err != nil {
		return nil, explain(name, err)
	}
	self, err := root.OpenFile(".", os.O_RDONLY|openDirFlags, 0)
	if err != nil && !errors.Is(err, fs.ErrPermission) { // files can be made where names can't be listed
		root.Close()
		return nil, explain(name, err)
	}
	return &place{name: name, dir: root, self: self, base: base}, nil
}

// hold keeps all others that write through a Workspace from a path's directory.
// Whatever makes, moves or removes a path holds its directory meanwhile: else a
// file could go between a writer's look and its rename, and be back after it.
func (w *Workspace) hold(name string) (release func(), err error) {
	p, err := w.placeOf(strings.TrimRight(name, "/"))
	if err != nil {
		return nil, err
	}
	unlock, err := p.lock()
	if err != nil {
		p.close()
		return nil, err
	}
	return func() { unlock(); p.close() }, nil
}

func (p *place) close() {
	if p.self != nil {
		p.self.Close()
	}
	p.dir.Close()
}

// alone stands in for the lock of a directory where there can be none.
var alone sync.Mutex

func (p *place) lockAlone() (unlock func()) {
	alone.Lock()
	p.alone = true
	return alone.Unlock
}

// sync makes a change of the directory last through a power cut, where the
// system can. The change is made already, so a failure changes nothing.
func (p *place) sync() {
	if p.self != nil {
		p.self.Sync()
	}
}

// check looks at the file and compares it with what is expected. It is called
// under the directory's lock.
func (p *place) check(e Expect) (fs.FileInfo, error) {
	info, err := writable(p.dir, p.base, p.name)
	switch {
	case err != nil:
		return nil, err
	case e.Absent && info != nil:
		return nil, &Error{"ALREADY_EXISTS", quotePath(p.name) + " exists already", fs.ErrExist}
	case e.SHA256 == "":
		return info, nil
	case info == nil:
		return nil, Errorf("CHANGED", "%s does not exist, so it is not what you expect; nothing was written", quotePath(p.name))
	}
	sum, err := p.hash()
	if err != nil {
		return nil, explain(p.name, err)
	}
	if sum != e.SHA256 {
		return nil, Errorf("CHANGED", "%s is not what you expect: the SHA-256 of its content is %s. Nothing was written; read it again", quotePath(p.name), sum)
	}
	return info, nil
}

func (p *place) hash() (string, error) {
	f, err := p.dir.OpenFile(p.base, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// temp is new content that waits for its place.
type temp struct {
	place *place
	name  string
	file  *os.File
	done  func() // the record forgets it
}

// writeTemp writes new content beside its place, down to the disk.
func (w *Workspace) writeTemp(p *place, data []byte) (*temp, error) {
	t := &temp{place: p, name: tempName()}
	var err error
	dir, _ := path.Split(p.name)
	if t.done, err = w.noteTemp(dir, t.name); err != nil {
		return nil, err
	}
	if t.file, err = p.dir.OpenFile(t.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666); err != nil {
		t.done()
		return nil, err
	}
	if _, err = t.file.Write(data); err == nil {
		err = t.file.Sync()
	}
	if err != nil {
		t.drop()
		return nil, err
	}
	return t, nil
}

// become puts the content in its place. It is called under the directory's
// lock; info describes the file that is there.
func (t *temp) become(info fs.FileInfo) error {
	if info != nil {
		keepOwner(t.file, info)
		if err := t.file.Chmod(info.Mode().Perm()); err != nil { // past the umask
			return err
		}
	}
	err := t.file.Close() // before the rename: some systems ask for that
	t.file = nil
	if err == nil {
		err = t.place.dir.Rename(t.name, t.place.base)
	}
	if err != nil {
		return err
	}
	t.name = ""
	t.place.sync()
	return nil
}

// drop removes what has not come to its place.
func (t *temp) drop() {
	if t.file != nil {
		t.file.Close()
	}
	if t.name != "" {
		t.place.dir.Remove(t.name)
	}
	t.done()
}

func explainIf(name string, err error) error {
	if err == nil {
		return nil
	}
	return explain(name, err)
}
