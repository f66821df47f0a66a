package mcp

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// renameAt moves one directory's entry into another, under a name that is free.
func renameAt(from *os.File, old string, to *os.File, name string) error {
	err := unix.Renameat2(int(from.Fd()), old, int(to.Fd()), name, unix.RENAME_NOREPLACE)
	if !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOSYS) {
		return err
	}
	// A file system that can't see to it in one step.
	var stat unix.Stat_t
	if err := unix.Fstatat(int(to.Fd()), name, &stat, unix.AT_SYMLINK_NOFOLLOW); err == nil {
		return fs.ErrExist
	} else if !errors.Is(err, unix.ENOENT) {
		return err
	}
	return unix.Renameat(int(from.Fd()), old, int(to.Fd()), name)
}

// crossesDevices reports whether a rename failed since it would have to copy.
func crossesDevices(err error) bool { return errors.Is(err, unix.EXDEV) }

func linksOf(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}
