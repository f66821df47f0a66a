//go:build unix

package store

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// private fails if anybody but the user may write to the folder.
func private(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder", dir)
	}
	if s, ok := info.Sys().(*syscall.Stat_t); ok && int(s.Uid) != os.Geteuid() {
		return fmt.Errorf("%s belongs to another user, who could approve calls: set TEAAGENT_HOME to a folder of your own", dir)
	}
	if info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("others may write to %s, and approve calls by that: run chmod 700 %s", dir, dir)
	}
	return nil
}

func stampOf(info fs.FileInfo) Stamp {
	s := Stamp{size: info.Size(), mtime: info.ModTime().UnixNano()}
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		s.inode = uint64(sys.Ino)
	}
	return s
}
