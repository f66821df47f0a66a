//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package mcp

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// lock takes the directory from all others that write through a Workspace, in
// this process and in others. It is held for a look and a rename.
func (p *place) lock() (unlock func(), err error) {
	const patience = 10 * time.Second
	if p.self == nil {
		return p.lockAlone(), nil
	}
	fd := int(p.self.Fd())
	for start, pause := time.Now(), 50*time.Microsecond; ; pause = min(2*pause, 5*time.Millisecond) {
		err := syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return func() { syscall.Flock(fd, syscall.LOCK_UN) }, nil
		case errors.Is(err, syscall.EINTR):
			continue
		case !errors.Is(err, syscall.EWOULDBLOCK): // some file systems know no locks
			return p.lockAlone(), nil
		case time.Since(start) > patience:
			return nil, Errorf("BUSY", "another process holds the directory of %s; nothing was written, so try again", quotePath(p.name))
		}
		time.Sleep(pause)
	}
}

// keepOwner gives a new file the owner and group of the one it replaces, as far
// as this process may: a server that runs as root takes no files from people.
func keepOwner(f *os.File, info fs.FileInfo) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		if now, err := f.Stat(); err == nil {
			if n, ok := now.Sys().(*syscall.Stat_t); ok && (n.Uid != s.Uid || n.Gid != s.Gid) {
				f.Chown(int(s.Uid), int(s.Gid))
			}
		}
	}
}
