//go:build unix

package mcp_test

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/teaagent/teaagent/mcp"
)

func openWorkspace(t *testing.T, files ...string) (w *mcp.Workspace, root string) {
	t.Helper()
	root = t.TempDir()
	for _, name := range files {
		full := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w, err := mcp.OpenWorkspace(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w, root
}

func wantCode(t *testing.T, what string, err error, code string) {
	t.Helper()
	if err == nil || !strings.HasPrefix(err.Error(), "["+code+"] ") {
		t.Errorf("%s: %v, want %s", what, err, code)
	}
}

// TestWorkspaceEntries: the kernel's own list is that of the standard library.
func TestWorkspaceEntries(t *testing.T) {
	w, root := openWorkspace(t, "file", "dir/x", "many/0")
	for i := range 3000 { // more than one buffer of names
		name := fmt.Sprintf("%d-%s", i, strings.Repeat("n", i%200))
		if err := os.WriteFile(filepath.Join(root, "many", name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{
		syscall.Mkfifo(filepath.Join(root, "pipe"), 0o666),
		os.Symlink("file", filepath.Join(root, "link")),
		os.Symlink("nowhere", filepath.Join(root, "dangling")),
		os.Mkdir(filepath.Join(root, "empty"), 0o777),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{".", "many", "dir", "empty", "./dir/"} {
		list, err := w.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var want []mcp.Entry
		for _, e := range list {
			want = append(want, mcp.Entry{Name: e.Name(), Type: e.Type()})
		}
		got, err := w.Entries(dir)
		slices.SortFunc(got, func(a, b mcp.Entry) int { return strings.Compare(a.Name, b.Name) })
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("entries of %s: %d, %v; ReadDir has %d", dir, len(got), err, len(want))
		}
	}
	for name, code := range map[string]string{"file": "NOT_A_DIRECTORY", "pipe": "NOT_A_DIRECTORY", "nix": "NOT_FOUND", "..": "OUTSIDE_WORKSPACE"} {
		_, err := w.Entries(name)
		wantCode(t, "Entries of "+name, err, code)
		_, err = w.ReadDir(name)
		wantCode(t, "ReadDir of "+name, err, code)
		_, err = w.Sub(name)
		wantCode(t, "Sub of "+name, err, code)
	}
}

// TestWorkspaceSub: no path leads out of a part of the workspace either.
func TestWorkspaceSub(t *testing.T) {
	w, root := openWorkspace(t, "a", "dir/x", "dir/deep/y")
	for to, name := range map[string]string{"../a": "dir/up", "deep": "dir/in", "/etc": "dir/out"} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	sub, err := w.Sub("dir")
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	for name, code := range map[string]string{"x": "", "in/y": "", "../a": "OUTSIDE_WORKSPACE", "up": "OUTSIDE_WORKSPACE", "out/passwd": "OUTSIDE_WORKSPACE"} {
		data, err := sub.ReadFile(name, 100)
		if code != "" {
			wantCode(t, name, err, code)
		} else if want := "dir/" + strings.Replace(name, "in", "deep", 1); string(data) != want || err != nil {
			t.Errorf("%s is %q, %v", name, data, err)
		}
	}
	if want := filepath.Join(w.Dir(), "dir"); sub.Dir() != want {
		t.Errorf("Dir() = %s, want %s", sub.Dir(), want)
	}
	// The directory stays open where it is moved.
	if err := os.Rename(filepath.Join(root, "dir"), filepath.Join(root, "moved")); err != nil {
		t.Fatal(err)
	}
	if _, err := sub.ReadFile("x", 100); err != nil {
		t.Error(err)
	}
}

// TestWorkspaceWriteFile: readers find one whole content or another.
func TestWorkspaceWriteFile(t *testing.T) {
	w, root := openWorkspace(t, "f")
	contents := []string{strings.Repeat("a", 100_000), strings.Repeat("b", 50_000), "f"}
	if err := os.Chmod(filepath.Join(root, "f"), 0o666); err != nil {
		t.Fatal(err)
	}
	var writers, readers sync.WaitGroup
	stop := make(chan struct{})
	for _, content := range contents {
		writers.Go(func() {
			for range 30 {
				if err := w.WriteFile("f", []byte(content)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	readers.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			data, err := w.ReadFile("f", 1<<20)
			if err != nil || !slices.Contains(contents, string(data)) {
				t.Errorf("read %d bytes, %v", len(data), err)
				return
			}
		}
	})
	writers.Wait()
	close(stop)
	readers.Wait()
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	// The mode of a file that exists stays; a new file's is up to the umask.
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	if err := w.WriteFile("g", nil); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{"f": 0o666, "g": 0o600} {
		if info, err := os.Stat(filepath.Join(root, name)); err != nil || info.Mode() != want {
			t.Errorf("the mode of %s is %v, %v; want %v", name, info.Mode(), err, want)
		}
	}
}

func TestWorkspaceWritable(t *testing.T) {
	w, root := openWorkspace(t, "f", "dir/x")
	if err := syscall.Mkfifo(filepath.Join(root, "pipe"), 0o666); err != nil {
		t.Fatal(err)
	}
	for to, name := range map[string]string{"f": "link", "/etc/passwd": "out", "nix": "dangling", "dir": "d"} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, code := range map[string]string{
		"": "INVALID_PATH", "f/": "INVALID_PATH", "/f": "INVALID_PATH", ".": "IS_DIRECTORY", "dir": "IS_DIRECTORY", "d": "IS_LINK", "link": "IS_LINK",
		"dangling": "IS_LINK", "out": "OUTSIDE_WORKSPACE", "../f": "OUTSIDE_WORKSPACE", "pipe": "NOT_A_FILE", "f/x": "NOT_A_DIRECTORY",
	} {
		_, err := w.Writable(name)
		wantCode(t, "Writable "+name, err, code)
		wantCode(t, "WriteFile "+name, w.WriteFile(name, nil), code)
	}
	if info, err := w.Writable("f"); err != nil || info.Size() != 1 {
		t.Errorf("Writable f: %v, %v", info, err)
	}
	for _, name := range []string{"new", "d/new", "nix/new"} { // the last for want of a directory, which is not Writable's to tell
		if info, err := w.Writable(name); err != nil || info != nil {
			t.Errorf("Writable %s: %v, %v", name, info, err)
		}
	}
	wantCode(t, "WriteFile nix/new", w.WriteFile("nix/new", nil), "NOT_FOUND")
}

// TestWorkspaceReadFile: the cap is a cap, and pipes do not block.
func TestWorkspaceReadFile(t *testing.T) {
	w, root := openWorkspace(t, "four")
	if data, err := w.ReadFile("four", 4); string(data) != "four" || err != nil {
		t.Errorf("read %q, %v", data, err)
	}
	_, err := w.ReadFile("four", 3)
	wantCode(t, "more than the cap", err, "TOO_LARGE")
	if err := syscall.Mkfifo(filepath.Join(root, "pipe"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err = w.Open("pipe")
	wantCode(t, "a pipe", err, "NOT_A_FILE")
	f, err := w.Open("four")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if data, err := io.ReadAll(f); string(data) != "four" || err != nil {
		t.Errorf("read %q, %v", data, err)
	}
}
