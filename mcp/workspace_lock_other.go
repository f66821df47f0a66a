//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package mcp

import (
	"io/fs"
	"os"
)

// lock takes the directory from all others of this process. The workspace's own
// lock keeps other processes away.
func (p *place) lock() (unlock func(), err error) { return p.lockAlone(), nil }

func keepOwner(*os.File, fs.FileInfo) {}
