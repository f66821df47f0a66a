// Package lock lets one process at a time write to a workspace.
//
// An OS lock on a file of the workspace's own, held for the life of the process,
// is the truth: process ids lie across containers, and are used again. The
// registry beside it is what people and errors show. Both are in the user's
// folder of state.
package lock

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/teaagent/teaagent/mcp/internal/store"
)

// File is the registry's name in the folder of state.
const File = "workspace_registry.json"

// registry is the file: one record for each process that holds a workspace, and
// those of processes that died since the last one took a lock.
type registry struct {
	Locks []record `json:"locks"`
}

type record struct {
	Path   string    `json:"workspace_path"`
	PID    int       `json:"owner_pid"`
	Since  time.Time `json:"acquired_at"`
	Server string    `json:"server,omitempty"`
}

// UnmarshalJSON reads a registry that is there. It takes an empty or strange text
// never for "nothing is locked".
func (r *registry) UnmarshalJSON(data []byte) error {
	type plain registry
	var read plain
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&read); err != nil {
		return err
	}
	if read.Locks == nil {
		return errors.New(`it has no "locks"`)
	}
	for i, rec := range read.Locks {
		switch {
		case !filepath.IsAbs(rec.Path) || filepath.Clean(rec.Path) != rec.Path || strings.ContainsRune(rec.Path, 0):
			return fmt.Errorf("lock %d: its workspace_path %q is not absolute and clean", i+1, rec.Path)
		case rec.PID <= 0:
			return fmt.Errorf("lock %d: its owner_pid is %d", i+1, rec.PID)
		}
	}
	*r = registry(read)
	return nil
}

// Holder is who holds a workspace. All but Path is zero where it is not known.
type Holder struct {
	Path   string
	PID    int
	Since  time.Time
	Server string
}

// HeldError says that another process writes to the workspace, or to one inside
// or around it.
type HeldError struct {
	Workspace string
	Holder    Holder
}

func (e *HeldError) Error() string {
	what := "the workspace " + e.Workspace
	if e.Holder.Path != e.Workspace {
		what += " (" + e.Holder.Path + " is locked, and they share files)"
	}
	if e.Holder.PID == 0 {
		return what + " is held by another process"
	}
	return fmt.Sprintf("%s is held by process %d (%s) since %s", what, e.Holder.PID, e.Holder.Server, e.Holder.Since.UTC().Format(time.RFC3339))
}

// Lock is a workspace that this process holds.
type Lock struct {
	home *store.Home
	path string
	file *flock.Flock
}

// Acquire takes the workspace, given by its canonical path. Records of owners
// that have died are removed.
func Acquire(ctx context.Context, home *store.Home, workspace, server string) (*Lock, error) {
	l := &Lock{home: home, path: workspace, file: fileOf(home, workspace)}
	if err := os.MkdirAll(filepath.Dir(l.file.Path()), 0o700); err != nil {
		return nil, err
	}
	var r registry
	err := home.Update(ctx, File, &r, func() error {
		alive := []record{}
		for _, rec := range r.Locks {
			lives, err := lives(home, rec.Path)
			if err != nil {
				return err
			}
			if !lives {
				continue
			}
			if shareFiles(rec.Path, workspace) {
				return &HeldError{workspace, Holder(rec)}
			}
			alive = append(alive, rec)
		}
		// A folder around it may be held without a record too, as after somebody
		// moved the registry away. (One inside can't be found without.)
		for dir := workspace; dir != filepath.Dir(dir); {
			dir = filepath.Dir(dir)
			if lives, err := lives(home, dir); err != nil {
				return err
			} else if lives {
				return &HeldError{workspace, Holder{Path: dir}}
			}
		}
		ok, err := l.file.TryLock()
		if err != nil {
			return fmt.Errorf("lock %s: %w", l.file.Path(), err)
		}
		if !ok { // by somebody without a record
			return &HeldError{workspace, Holder{Path: workspace}}
		}
		r.Locks = append(alive, record{workspace, os.Getpid(), time.Now().UTC().Truncate(time.Second), server})
		return nil
	})
	if err != nil {
		l.file.Close()
		return nil, err
	}
	return l, nil
}

// Release lets go of the workspace and removes its record. A second one does
// nothing: the workspace may be another's by then.
func (l *Lock) Release() error {
	if !l.file.Locked() {
		return nil
	}
	var r registry
	err := l.home.Update(context.Background(), File, &r, func() error {
		others := []record{}
		for _, rec := range r.Locks {
			if rec.Path != l.path { // ours, for as long as we hold the lock
				others = append(others, rec)
			}
		}
		r.Locks = others
		return nil
	})
	if e := l.file.Close(); err == nil {
		err = e
	}
	return err
}

// Status is a record with whether its owner lives.
type Status struct {
	Holder
	Alive bool
}

// List returns the registry's records. It looks while nobody takes a lock: the
// look itself holds one for a moment.
func List(ctx context.Context, home *store.Home) ([]Status, error) {
	var r registry
	var list []Status
	err := home.Update(ctx, File, &r, func() error {
		for _, rec := range r.Locks {
			lives, err := lives(home, rec.Path)
			if err != nil {
				return err
			}
			list = append(list, Status{Holder(rec), lives})
		}
		return errOnlyLooked
	})
	if !errors.Is(err, errOnlyLooked) {
		return nil, err
	}
	return list, nil
}

var errOnlyLooked = errors.New("nothing is to be written")

func fileOf(home *store.Home, workspace string) *flock.Flock {
	sum := sha256.Sum256([]byte(workspace))
	return flock.New(filepath.Join(home.Path("locks"), hex.EncodeToString(sum[:])+".lock"), flock.SetPermissions(0o600))
}

// lives reports whether a process holds the lock of a workspace, by trying it.
func lives(home *store.Home, workspace string) (bool, error) {
	f := fileOf(home, workspace)
	defer f.Close()
	if _, err := os.Lstat(f.Path()); os.IsNotExist(err) {
		return false, nil
	}
	got, err := f.TryRLock() // shared: two that look at once do not see each other
	if err != nil {
		return false, fmt.Errorf("look at %s: %w", f.Path(), err)
	}
	return !got, nil
}

// shareFiles reports whether one workspace is the other, or inside of it: by
// their paths, or since one of the folders above is the same one by another
// name (a bind mount, or a file system that is blind to case).
func shareFiles(a, b string) bool { return within(a, b) || within(b, a) }

func within(inner, outer string) bool {
	if rel, err := filepath.Rel(outer, inner); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return true
	}
	out, err := os.Stat(outer)
	if err != nil {
		return false
	}
	for dir := inner; ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && os.SameFile(info, out) {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}
