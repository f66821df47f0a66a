// Package temps remembers the temporary files of a process while they exist, so
// that the next process removes those of one that was killed, without looking
// for them.
package temps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

const (
	maxRecord = 16 << 20 // bytes of a record that is read
	patience  = 10 * time.Second
)

// Record is a file with a line for every temporary file, each a Go string. A
// process that has added a name holds the lock beside it for as long as it
// lives: what another process finds unlocked was left behind.
type Record struct {
	path   string
	remove func(name string) error
	lock   *flock.Flock

	mu   sync.Mutex
	file *os.File // nil until the first name
	base int64    // size of what was there before, and could not be removed
	live int      // names whose files may exist
}

// New returns the record in a file, which need not exist. The function removes
// a temporary file by the name under which it was added.
func New(path string, remove func(name string) error) *Record {
	return &Record{path: path, remove: remove, lock: flock.New(path+".lock", flock.SetPermissions(0o600))}
}

// Add notes a file that is about to be made. Call done when it is gone.
func (r *Record) Add(name string) (done func(), err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		if err := r.open(); err != nil {
			return nil, fmt.Errorf("open the record of temporary files %s: %w", r.path, err)
		}
	}
	// One write, so that a line is there as a whole before its file is.
	if _, err := r.file.WriteString(strconv.Quote(name) + "\n"); err != nil {
		return nil, fmt.Errorf("write the record of temporary files %s: %w", r.path, err)
	}
	r.live++
	return r.done, nil
}

func (r *Record) done() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.live--; r.live == 0 {
		r.file.Truncate(r.base) // if it fails, names of files that are gone stay, which harms nothing
	}
}

// open takes the lock for the life of the process.
func (r *Record) open() error {
	if err := os.MkdirAll(filepath.Dir(r.path), 0o700); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if ok, err := r.lock.TryLockContext(ctx, time.Millisecond); !ok {
		return fmt.Errorf("%w; another process holds its lock", err)
	}
	err := r.clean() // what it can't remove is the next start's to report
	f, e := os.OpenFile(r.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if e == nil {
		r.base, e = f.Seek(0, io.SeekEnd)
	}
	if e == nil && err != nil { // a last line that was cut
		_, e = f.WriteString("\n")
	}
	if e != nil {
		return errors.Join(e, r.lock.Unlock())
	}
	r.file = f
	return nil
}

// Clean removes the files that a process left behind when it was killed. It
// leaves those of a process that lives. It takes one look at the disk if there
// are none.
func (r *Record) Clean() error {
	if info, err := os.Lstat(r.path); errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file != nil {
		return nil
	}
	ok, err := r.lock.TryLock()
	if !ok {
		return err
	}
	return errors.Join(r.clean(), r.lock.Unlock())
}

// clean is Clean under the lock. Lines whose files can't be removed stay.
func (r *Record) clean() error {
	f, err := os.OpenFile(r.path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxRecord+1))
	if err != nil {
		return err
	}
	if len(data) > maxRecord {
		return fmt.Errorf("%s has more than %d bytes; remove it, and the files .teaagent-*.tmp of the workspace", r.path, maxRecord)
	}
	var failed []error
	var kept []byte
	for line := range bytes.Lines(data) {
		text, whole := bytes.CutSuffix(line, []byte("\n"))
		if !whole || len(text) == 0 {
			continue // cut while it was written: its file was not made
		}
		name, err := strconv.Unquote(string(text))
		if err != nil {
			failed = append(failed, fmt.Errorf("%s has a line that is no name: %.100q", r.path, text))
			continue
		}
		if err := r.remove(name); err != nil {
			failed = append(failed, err)
			kept = append(kept, line...)
		}
	}
	if len(kept) < len(data) {
		if err := f.Truncate(0); err != nil {
			return err
		}
		if _, err := f.WriteAt(kept, 0); err != nil {
			return err
		}
	}
	return errors.Join(failed...)
}

// Close lets go of the record, which must have no live names.
func (r *Record) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return nil
	}
	err := errors.Join(r.file.Close(), r.lock.Close())
	r.file = nil
	return err
}
