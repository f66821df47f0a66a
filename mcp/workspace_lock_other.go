//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package mcp

import (
	"io/fs"
	"os"
	"sync"
)

// alone stands in for a directory's lock. The workspace's own lock keeps other
// processes away.
var alone sync.Mutex

func (p *place) lock() (unlock func(), err error) {
	alone.Lock()
	return alone.Unlock, nil
}

func keepOwner(*os.File, fs.FileInfo) {}
