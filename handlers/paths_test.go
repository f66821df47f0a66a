package handlers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type pathResult struct {
	Deleted, Trashed, Path string
	Files, Bytes, Skipped  int64
	Created                bool
	Preview                struct{ Text string }
}

func TestDeletePath(t *testing.T) {
	c := open(t, map[string]string{"a.txt": "hello", "dir/b": "bee", "dir/sub/c": "sea", "odd\xff": "x", "é": ""})
	c.link("a.txt", "link")
	c.link("/etc", "out")
	c.refused("deletePath", args{"path": "a.txt"}, "CONFIRM_REQUIRED", "confirm=true")
	c.refused("deletePath", args{"path": "nix", "confirm": true}, "NOT_FOUND")
	for _, path := range []string{".", "dir/..", "dir/."} {
		c.refused("deletePath", args{"path": path, "confirm": true}, "INVALID_PATH")
	}
	c.refused("deletePath", args{"path": "out/passwd", "confirm": true}, "OUTSIDE_WORKSPACE")
	var got pathResult
	c.get("deletePath", args{"path": "dir", "dry_run": true}, &got)
	for _, part := range []string{"2 files", "6 bytes", "dir/sub/c"} {
		if !strings.Contains(got.Preview.Text, part) || c.read("dir/b") != "bee" {
			t.Errorf("the preview %q lacks %q", got.Preview.Text, part)
		}
	}
	c.get("deletePath", args{"path": "a.txt", "dry_run": true}, &got)
	if want := `Would move "a.txt" (5 bytes) to the trash.`; got.Preview.Text != want {
		t.Errorf("previewed %q, want %q", got.Preview.Text, want)
	}
	for path, kept := range map[string]string{"dir/": "dir/sub/c", "link": "link", "out": "out", "é": "é"} {
		c.get("deletePath", args{"path": path, "confirm": true}, &got)
		if _, err := os.Lstat(c.path(path)); !os.IsNotExist(err) {
			t.Errorf("%q is still there: %v", path, err)
		}
		if _, err := os.Lstat(filepath.Join(got.Trashed, "content", kept)); err != nil {
			t.Errorf("%q is not in the trash: %v", path, err)
		}
		record, err := os.ReadFile(filepath.Join(got.Trashed, "item.json"))
		if err != nil || !strings.Contains(string(record), strings.TrimSuffix(path, "/")) {
			t.Errorf("the record of %q is %q, %v", path, record, err)
		}
	}
	if c.read("a.txt") != "hello" {
		t.Error("more was deleted than asked for")
	}
}

func TestPurgePath(t *testing.T) {
	c := open(t, map[string]string{"a.txt": "hello", "dir/b": "bee", "kept/c": "sea"})
	c.link("../kept", "dir/link")
	c.refused("purgePath", args{"path": "dir", "confirm": true}, "IS_DIRECTORY", "recursive=true")
	c.refused("purgePath", args{"path": ".", "recursive": true, "confirm": true}, "INVALID_PATH")
	c.text("purgePath", args{"path": "a.txt", "confirm": true})
	c.text("purgePath", args{"path": "dir", "recursive": true, "confirm": true})
	if c.read("a.txt") != "<none>" || c.read("dir/b") != "<none>" || c.read("kept/c") != "sea" {
		t.Error("purged too little, or through a link")
	}
}

func TestMovePath(t *testing.T) {
	c := open(t, map[string]string{"a.txt": "a", "b.txt": "b", "dir/sub/c": "c"})
	c.refused("movePath", args{"from": "a.txt", "to": "b.txt", "confirm": true}, "ALREADY_EXISTS", "replace=true")
	c.refused("movePath", args{"from": "dir", "to": "dir/sub/d", "confirm": true}, "INVALID_PATH", "inside")
	c.refused("movePath", args{"from": "dir/sub", "to": "dir", "replace": true, "confirm": true}, "INVALID_PATH", "inside")
	c.refused("movePath", args{"from": "a.txt", "to": "./a.txt", "replace": true, "confirm": true}, "INVALID_PATH", "same")
	c.refused("movePath", args{"from": "a.txt", "to": "nix/a", "confirm": true}, "NOT_FOUND", "nix")
	c.refused("movePath", args{"from": "a.txt", "to": "../a", "confirm": true}, "OUTSIDE_WORKSPACE")
	var got pathResult
	c.get("movePath", args{"from": "a.txt", "to": "b.txt", "replace": true, "confirm": true}, &got)
	old, err := os.ReadFile(filepath.Join(got.Trashed, "content", "b.txt"))
	if c.read("b.txt") != "a" || c.read("a.txt") != "<none>" || string(old) != "b" {
		t.Errorf("moved to %q; the trash has %q, %v", c.read("b.txt"), old, err)
	}
	c.text("movePath", args{"from": "dir", "to": "moved", "confirm": true})
	if c.read("moved/sub/c") != "c" {
		t.Error("the directory was not moved whole")
	}
}

func TestCopyPath(t *testing.T) {
	c := open(t, map[string]string{"dir/a": "aa", "dir/sub/b": "b", "old": "old"})
	c.link("a", "dir/in")
	c.link("/etc/passwd", "dir/out")
	c.link("../../x", "dir/sub/up")
	mkfifo(t, c.path("dir/pipe"))
	if err := os.Chmod(c.path("dir/a"), 0o755); err != nil {
		t.Fatal(err)
	}
	var got pathResult
	c.refused("copyPath", args{"from": "dir", "to": "dir/sub/new", "confirm": true}, "INVALID_PATH", "inside")
	c.refused("copyPath", args{"from": "dir", "to": "old", "confirm": true}, "ALREADY_EXISTS")
	c.refused("copyPath", args{"from": "dir/out", "to": "new", "confirm": true}, "NOT_A_FILE")
	c.get("copyPath", args{"from": "dir", "to": "copy", "confirm": true}, &got)
	if got.Bytes != 3 || got.Skipped != 2 || c.read("copy/a") != "aa" || c.read("copy/in") != "aa" || c.read("copy/sub/b") != "b" {
		t.Errorf("copied %+v", got)
	}
	if info, err := os.Stat(c.path("copy/a")); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the copy's mode: %v, %v", info, err)
	}
	for _, name := range []string{"copy/out", "copy/pipe"} {
		if _, err := os.Lstat(c.path(name)); err == nil {
			t.Errorf("%s was copied", name)
		}
	}
	c.get("copyPath", args{"from": "dir/a", "to": "old", "replace": true, "confirm": true}, &got)
	if old, err := os.ReadFile(filepath.Join(got.Trashed, "content", "old")); c.read("old") != "aa" || string(old) != "old" {
		t.Errorf("replaced: %q, %v", old, err)
	}
	if left, _ := filepath.Glob(c.path(".teaagent-*")); left != nil {
		t.Errorf("left behind: %q", left)
	}
}

func TestMakeDirectory(t *testing.T) {
	c := open(t, map[string]string{"a.txt": "a"})
	var got pathResult
	for _, created := range []bool{true, false} {
		if c.get("makeDirectory", args{"path": "x/y"}, &got); got.Created != created {
			t.Errorf("created %v, want %v", got.Created, created)
		}
	}
	c.refused("makeDirectory", args{"path": "a.txt"}, "ALREADY_EXISTS")
	c.refused("makeDirectory", args{"path": "../out"}, "OUTSIDE_WORKSPACE")
}
