//go:build !unix

package store

import (
	"fmt"
	"io/fs"
	"os"
)

// private fails if the path is no folder. Whose it is can't be told here.
func private(dir string) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return fmt.Errorf("%s is not a folder (%v)", dir, err)
	}
	return nil
}

func stampOf(info fs.FileInfo) Stamp {
	return Stamp{size: info.Size(), mtime: info.ModTime().UnixNano()}
}
