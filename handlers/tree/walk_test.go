package tree

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/teaagent/teaagent/mcp"
)

// TestWalkOrder holds the order to that of plain strings, which From relies on.
func TestWalkOrder(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"a/z", "a-b/c", "a.txt", "a0", "B", "a/b/c", "a/b.c", "é/x", "z"} {
		write(t, root, name, "")
	}
	all := walked(t, root, Options{})
	if !slices.IsSorted(all) || len(all) != 9 {
		t.Errorf("walked %q", all)
	}
	for i, name := range all {
		if got := walked(t, root, Options{From: name}); !slices.Equal(got, all[i:]) {
			t.Errorf("from %q: %q, want %q", name, got, all[i:])
		}
		if got := walked(t, root, Options{From: name + "\x00"}); !slices.Equal(got, all[i+1:]) {
			t.Errorf("behind %q: %q, want %q", name, got, all[i+1:])
		}
	}
	if got := walked(t, root, Options{Dir: "a/", From: "a/b/"}); !slices.Equal(got, []string{"a/b/c", "a/z"}) {
		t.Errorf("in a: %q", got)
	}
}

func TestWalkDir(t *testing.T) {
	root := t.TempDir()
	write(t, root, ".gitignore", "*.log\n/gone/\n")
	write(t, root, "gone/x.log", "")
	write(t, root, "gone/x.go", "")
	write(t, root, "src/.gitignore", "y.go\n")
	write(t, root, "src/in/x.log", "")
	write(t, root, "src/in/y.go", "")
	write(t, root, "src/in/z.go", "")
	for _, tc := range []struct {
		o    Options
		want string
	}{
		{Options{}, ".gitignore src/.gitignore src/in/z.go"},
		{Options{Dir: "src/in"}, "src/in/z.go"},        // the rules above count
		{Options{Dir: "./src//in/."}, "src/in/z.go"},   // paths are clean
		{Options{Dir: "src/../src/in"}, "src/in/z.go"}, //
		{Options{Dir: "gone"}, "gone/x.go"},            // named, so it is walked
		{Options{Dir: "src/in", Ignored: true}, "src/in/x.log src/in/y.go src/in/z.go"},
	} {
		if got := strings.Join(walked(t, root, tc.o), " "); got != tc.want {
			t.Errorf("%+v: walked %q, want %q", tc.o, got, tc.want)
		}
	}
}

// TestWalkKinds leaves out what is no file, and does not follow links.
func TestWalkKinds(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	write(t, outside, "secret", "")
	write(t, root, "d/x", "")
	mkfifo(t, filepath.Join(root, "pipe"))
	mkfifo(t, filepath.Join(root, "p", ".gitignore"))
	write(t, root, "p/x", "")
	for name, to := range map[string]string{"in": "d", "out": outside, "loop": ".", "q/.gitignore": "../rules"} {
		if err := os.MkdirAll(filepath.Join(root, "q"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	write(t, root, "rules", "*\n") // git does not follow a .gitignore that is a link
	write(t, root, "q/x", "")
	want := "d/x in loop out p/x q/.gitignore q/x rules"
	if got := strings.Join(walked(t, root, Options{}), " "); got != want {
		t.Errorf("walked %q, want %q", got, want)
	}
	w, err := mcp.OpenWorkspace(root)
	if err != nil {
		t.Fatal(err)
	}
	for dir, code := range map[string]string{
		"..": "OUTSIDE_WORKSPACE", "out": "OUTSIDE_WORKSPACE", outside: "INVALID_PATH", "pipe": "NOT_A_DIRECTORY", "nix": "NOT_FOUND", "d/x": "NOT_A_DIRECTORY",
	} {
		if _, err := New(w, Options{Dir: dir}); err == nil || !strings.HasPrefix(err.Error(), "["+code+"]") {
			t.Errorf("New in %q: %v, want %s", dir, err, code)
		}
	}
}

// TestWalkSkips counts what no client could ask for.
func TestWalkSkips(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a", "")
	if err := os.WriteFile(filepath.Join(root, "b\xff"), nil, 0o666); err != nil {
		t.Skip("the file system takes only UTF-8: ", err)
	}
	deep, err := os.OpenRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 { // 20 names of 250 bytes: too long for a path that a tool takes
		if err := deep.Mkdir(strings.Repeat("d", 250), 0o777); err != nil {
			t.Fatal(err)
		}
		if deep, err = deep.OpenRoot(strings.Repeat("d", 250)); err != nil {
			t.Fatal(err)
		}
	}
	w, err := mcp.OpenWorkspace(root)
	if err != nil {
		t.Fatal(err)
	}
	walk, err := New(w, Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for run := range walk.Runs(context.Background()) {
		n += len(run.Files)
	}
	if n != 1 || walk.Skipped != 2 {
		t.Errorf("%d files, %d skipped; want 1 and 2", n, walk.Skipped)
	}
}

// TestWalkStops asks for no more than a walker takes, and stops when told to.
func TestWalkStops(t *testing.T) {
	root := t.TempDir()
	for i := range 200 {
		write(t, root, fmt.Sprintf("d%d/x", i), "")
	}
	w, err := mcp.OpenWorkspace(root)
	if err != nil {
		t.Fatal(err)
	}
	walk, err := New(w, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	runs := 0
	for range walk.Runs(ctx) {
		if runs++; runs == 3 {
			cancel()
		}
	}
	if runs > 4 {
		t.Errorf("%d runs after the walk was cancelled in the third", runs)
	}
	for range walk.Runs(context.Background()) {
		break
	}
}
