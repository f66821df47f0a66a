package mcp

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestRemoveTemp: whatever a record says, only temporary files go.
func TestRemoveTemp(t *testing.T) {
	root := t.TempDir()
	w, err := OpenWorkspace(root)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	file, dir, link := tempName(), tempName(), tempName()
	for _, name := range []string{file, "mine", ".teaagent-notes.tmp", dir + "/x", "d/" + file} {
		full := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o777), os.WriteFile(full, nil, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	outside := filepath.Join(t.TempDir(), file)
	if err := errors.Join(os.WriteFile(outside, nil, 0o666), os.Symlink(filepath.Dir(outside), filepath.Join(root, "out")), os.Symlink("mine", filepath.Join(root, link))); err != nil {
		t.Fatal(err)
	}
	for name, gone := range map[string]bool{
		file: true, dir: true, "d/" + file: true, link: false, "mine": false, ".teaagent-notes.tmp": false, "d": false, ".": false, "": false, "..": false,
	} {
		err := w.removeTemp(name)
		if _, e := os.Lstat(filepath.Join(root, name)); errors.Is(e, fs.ErrNotExist) != gone {
			t.Errorf("after %q is removed, %v: %v", name, err, e)
		}
	}
	if err := w.removeTemp("out/" + file); err == nil {
		t.Error("a file outside of the workspace is removed")
	}
	if _, err := os.Stat(outside); err != nil {
		t.Error(err)
	}
	if err := w.removeTemp("nix/" + file); err != nil {
		t.Errorf("what is gone already: %v", err)
	}
}
