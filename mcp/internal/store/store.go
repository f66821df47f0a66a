// Package store keeps a user's state: small JSON files in one folder of his own,
// shared by all servers that he runs.
//
// A file is only ever replaced as a whole, under a lock: whoever reads it, or
// looks after a crash, finds what was there before or after a change. What can't
// be read is an error, never taken for empty.
package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/teaagent/teaagent/mcp/internal/lex"
)

const (
	maxFile  = 16 << 20 // bytes of a file that is read
	patience = 10 * time.Second
)

// Home is the folder of a user's state.
type Home struct {
	dir string
}

// Open opens the folder that TEAAGENT_HOME names, or .teaagent in HOME, and
// makes it if it is not there. It must be the user's alone: what is in it lets
// tools run.
func Open(getenv func(string) string) (*Home, error) {
	dir := getenv("TEAAGENT_HOME")
	if dir == "" {
		home := getenv("HOME")
		if home == "" {
			home, _ = os.UserHomeDir()
		}
		if home == "" {
			return nil, errors.New("there is no home folder to keep approvals, locks and the audit log in: set TEAAGENT_HOME to a folder of your own")
		}
		dir = filepath.Join(home, ".teaagent")
	}
	if !filepath.IsAbs(dir) {
		return nil, fmt.Errorf("the folder of approvals, locks and the audit log is %q: set TEAAGENT_HOME to an absolute path", dir)
	}
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("open the folder of approvals, locks and the audit log (TEAAGENT_HOME moves it): %w", err)
	}
	if err := private(dir); err != nil {
		return nil, err
	}
	return &Home{dir: dir}, nil
}

// Dir returns the folder's canonical path.
func (h *Home) Dir() string { return h.dir }

// Path returns the path of a file in the folder.
func (h *Home) Path(name string) string { return filepath.Join(h.dir, name) }

// CorruptError is a file that can't be read as what it should be.
type CorruptError struct {
	Path string
	Err  error
}

// Error says what is wrong and how to go on.
func (e *CorruptError) Error() string {
	return fmt.Sprintf("%s can't be used: %v. Correct it, or move it away to start anew", e.Path, e.Err)
}

// Unwrap returns what is wrong.
func (e *CorruptError) Unwrap() error { return e.Err }

// Stamp tells one state of a file from another. The zero value is that of an
// absent one.
type Stamp struct {
	size  int64
	mtime int64 // in nanoseconds
	inode uint64
}

// Stamp returns the file's, by one look at its entry.
func (h *Home) Stamp(name string) (Stamp, error) {
	info, err := os.Lstat(h.Path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return Stamp{}, nil
	}
	if err != nil {
		return Stamp{}, err
	}
	return stampOf(info), nil
}

// Read reads a file into v. An absent one leaves v as it is.
func (h *Home) Read(name string, v any) (Stamp, error) {
	path := h.Path(name)
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Stamp{}, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		return Stamp{}, &CorruptError{path, errors.New("it is not a file")}
	}
	if err != nil {
		return Stamp{}, err
	}
	f, err := os.Open(path)
	if err != nil {
		return Stamp{}, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return Stamp{}, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return Stamp{}, err
	}
	if err := decode(data, v); err != nil {
		return Stamp{}, &CorruptError{path, err}
	}
	return stampOf(info), nil
}

// decode reads JSON to the letter: no unknown or repeated keys, nothing behind
// the value. (encoding/json alone takes repeated keys, and keys in any case.)
func decode(data []byte, v any) error {
	switch {
	case len(data) > maxFile:
		return fmt.Errorf("it has more than %d bytes", maxFile)
	case len(bytes.TrimSpace(data)) == 0:
		return errors.New("it is empty")
	}
	if err := lex.Valid(data); err != nil {
		return err
	}
	if err := exact(data, reflect.TypeOf(v)); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if string(bytes.TrimSpace(data)) == "null" { // which leaves v as it is
		return errors.New("it is null")
	}
	return nil
}

// Update changes a file: it reads it into v, lets change edit v, and writes v,
// while no other process can do the same. If change fails nothing is written.
func (h *Home) Update(ctx context.Context, name string, v any, change func() error) (err error) {
	unlock, err := h.lock(ctx, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if _, err := h.Read(name, v); err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return h.replace(name, append(data, '\n'))
}

// lock takes the lock of a file, which is a file beside it that stays.
func (h *Home) lock(ctx context.Context, name string) (unlock func() error, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := os.MkdirAll(filepath.Dir(h.Path(name)), 0o700); err != nil {
		return nil, err
	}
	l := flock.New(h.Path(name)+".lock", flock.SetPermissions(0o600))
	ok, err := l.TryLockContext(ctx, time.Millisecond)
	switch {
	case ok:
		return l.Unlock, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("lock %s: another process holds it: %w", l.Path(), err)
	}
	return nil, fmt.Errorf("lock %s: %w", l.Path(), err)
}

// replace writes a file in one step. It is called under the file's lock, so a
// temporary file that is there is one of a process that was killed.
func (h *Home) replace(name string, data []byte) error {
	temp := h.Path(name) + ".tmp"
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(temp, h.Path(name))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", h.Path(name), err), os.Remove(temp))
	}
	return syncDir(filepath.Dir(h.Path(name)))
}

// syncDir makes a rename last through a power cut, where the system can.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !strings.Contains(err.Error(), "not supported") && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
