package mcp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/teaagent/teaagent/mcp"
)

func TestTrashOnAnotherFileSystem(t *testing.T) {
	other, err := os.MkdirTemp("/dev/shm", "teaagent-test-")
	if err != nil {
		t.Skip("there is no other file system: ", err)
	}
	t.Cleanup(func() { os.RemoveAll(other) })
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "d", "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(dir, "d", "sub", "a"), []byte("hello"), 0o640)
	os.Symlink("/etc", filepath.Join(dir, "d", "out"))
	w, err := mcp.OpenWorkspace(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Trash("d"); err == nil || !strings.Contains(err.Error(), "NO_TRASH") {
		t.Errorf("without a trash: %v", err)
	}
	w.KeepTrash(filepath.Join(other, "trash"))
	item, err := w.Trash("d")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(item, "content", "d", "sub", "a"))
	if string(got) != "hello" {
		t.Errorf("the trash has %q, %v", got, err)
	}
	if to, err := os.Readlink(filepath.Join(item, "content", "d", "out")); to != "/etc" {
		t.Errorf("the link in the trash leads to %q, %v", to, err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestDenyHardlinks(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "a"), []byte("hello"), 0o666)
	if err := os.Link(filepath.Join(dir, "a"), filepath.Join(dir, "b")); err != nil {
		t.Skip(err)
	}
	w, err := mcp.OpenWorkspace(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.ReadFile("a", 10); err != nil {
		t.Error(err)
	}
	w.DenyHardlinks(true)
	if _, err := w.ReadFile("a", 10); err == nil || !strings.Contains(err.Error(), "HARD_LINK") {
		t.Errorf("a file with two names: %v", err)
	}
	if _, err := w.Copy(t.Context(), "a", "c", false); err == nil || !strings.Contains(err.Error(), "HARD_LINK") {
		t.Errorf("a copy of a file with two names: %v", err)
	}
}

// A trash that the tools could reach is none.
func TestTrashInside(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "a"), []byte("hello"), 0o666)
	w, err := mcp.OpenWorkspace(dir)
	if err != nil {
		t.Fatal(err)
	}
	w.KeepTrash(filepath.Join(dir, "home", "trash"))
	if _, err := w.Trash("a"); err == nil || !strings.Contains(err.Error(), "NO_TRASH") {
		t.Errorf("a trash in the workspace: %v", err)
	}
	if _, err := w.Lstat("a"); err != nil {
		t.Error(err)
	}
}
