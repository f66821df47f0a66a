package mcp

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/teaagent/teaagent/mcp/internal/temps"
)

const (
	tempPrefix = ".teaagent-"
	tempSuffix = ".tmp"
)

func tempName() string { return tempPrefix + rand.Text() + tempSuffix }

// isTemp reports whether a file's name is one of tempName's.
func isTemp(name string) bool {
	middle, ok := strings.CutPrefix(name, tempPrefix)
	middle, ok2 := strings.CutSuffix(middle, tempSuffix)
	return ok && ok2 && len(middle) == len(rand.Text())
}

// openTemps opens the record of a workspace's temporary files, which is in the
// user's folder, and removes those that a killed process left.
func (s *state) openTemps() error {
	sum := sha256.Sum256([]byte(s.root.Dir()))
	s.temps = temps.New(filepath.Join(s.home.Path("temps"), hex.EncodeToString(sum[:])), s.root.removeTemp)
	return s.temps.Clean()
}

// removeTemp removes a temporary file, or directory with all that is in it, given
// by its path. Nothing else is touched, whatever a record says, and no link is
// followed.
func (w *Workspace) removeTemp(name string) error {
	if !isTemp(path.Base(name)) {
		return fmt.Errorf("%q is not the name of a temporary file", name)
	}
	info, err := w.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && (info.Mode().IsRegular() || info.IsDir()) {
		err = w.root.RemoveAll(name)
	}
	if err != nil {
		return fmt.Errorf("remove a temporary file that was left behind: %w", err)
	}
	return nil
}

// noteTemp records a temporary file before it is made in a directory. Call done
// when it is gone. A workspace without a user's folder keeps no record.
func (w *Workspace) noteTemp(dir, name string) (done func(), err error) {
	if w.temps == nil {
		return func() {}, nil
	}
	resolved, err := w.resolve(dir)
	if err != nil {
		return nil, err
	}
	return w.temps.Add(path.Join(w.below, resolved, name))
}
