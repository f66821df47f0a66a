//go:build unix

package tree

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func mkfifo(t *testing.T, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Skip("no pipes here: ", err)
	}
}
