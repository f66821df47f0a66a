//go:build !linux

package mcp

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// renameAt moves one directory's entry into another, under a name that is free.
// Without the kernel's help it goes by the directories' paths.
func renameAt(from *os.File, old string, to *os.File, name string) error {
	target := filepath.Join(to.Name(), name)
	if _, err := os.Lstat(target); err == nil {
		return fs.ErrExist
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(filepath.Join(from.Name(), old), target)
}

// crossesDevices reports whether a rename failed since it would have to copy.
func crossesDevices(err error) bool { return errors.Is(err, syscall.EXDEV) }

func linksOf(fs.FileInfo) uint64 { return 1 }
