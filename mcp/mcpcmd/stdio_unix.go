//go:build unix

package mcpcmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// claimStdout moves descriptor 1 away for the frames and puts standard error
// in its place, so that a stray print does no harm. Only a server's command
// line does so: help goes where people look for it.
func claimStdout(args []string) (io.Writer, error) {
	if !slices.Contains(args, "serve") || slices.ContainsFunc(args, isHelp) {
		return os.Stdout, nil
	}
	unblockStderr()
	fd, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 3)
	if err == nil {
		err = unix.Dup2(2, 1)
	}
	if err != nil {
		return nil, fmt.Errorf("move standard output: %w", err)
	}
	return os.NewFile(uintptr(fd), "frames"), nil
}

func isHelp(arg string) bool { return arg == "--help" || arg == "-h" }

// unblockStderr makes standard error lossy where nobody may be reading it: a
// full pipe drops what is written instead of stopping the server.
func unblockStderr() {
	var stat unix.Stat_t
	if unix.Fstat(2, &stat) != nil {
		return
	}
	switch stat.Mode & unix.S_IFMT {
	case unix.S_IFIFO:
		// A description of our own, where the system has one to give: the
		// flag would show in every process that shares the pipe.
		if fd, err := unix.Open("/dev/fd/2", unix.O_WRONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0); err == nil {
			unix.Dup2(fd, 2)
			unix.Close(fd)
		} else {
			unix.SetNonblock(2, true)
		}
	case unix.S_IFSOCK:
		unix.SetNonblock(2, true)
	}
}

// parent is the process that started this one, asked for as early as can be: it
// may be gone a moment later.
var parent = syscall.Getppid()

// watchParent ends the server when the process that started it is gone, though
// another one may hold the pipe open.
func watchParent(ctx context.Context, gone func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(500 * time.Millisecond):
		}
		if syscall.Getppid() != parent {
			gone()
			return
		}
	}
}
