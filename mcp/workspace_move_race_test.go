//go:build linux

package mcp_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/teaagent/teaagent/mcp"
	"github.com/teaagent/teaagent/mcp/mcptest"
)

// While a directory is exchanged for a link that leads outside, again and
// again, nothing outside is moved, copied, trashed or purged, and nothing is
// put there.
func TestMoveRace(t *testing.T) {
	n := mcptest.Rounds(t, "RACE_ROUNDS", 300)
	dir, outside := t.TempDir(), t.TempDir()
	put := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"f", "sub/g", "kept"} {
		put(filepath.Join(outside, name), "needle")
	}
	before := listing(t, outside)
	put(filepath.Join(dir, "d", "kept"), "inside")
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	w, err := mcp.OpenWorkspace(dir)
	if err != nil {
		t.Fatal(err)
	}
	trash := t.TempDir()
	w.KeepTrash(trash)

	inside, err := os.OpenRoot(filepath.Join(dir, "d")) // it stays the directory
	if err != nil {
		t.Fatal(err)
	}
	defer inside.Close()
	exchange := func() error {
		return unix.Renameat2(unix.AT_FDCWD, filepath.Join(dir, "d"), unix.AT_FDCWD, filepath.Join(dir, "link"), unix.RENAME_EXCHANGE)
	}
	if err := exchange(); err != nil {
		t.Skip("this system does not exchange directories: ", err)
	}
	stop := make(chan struct{})
	var other sync.WaitGroup
	other.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				exchange()
			}
		}
	})
	for _, op := range []struct {
		name string
		do   func(i int) error
	}{
		{"Copy out of it", func(i int) error {
			_, err := w.Copy(t.Context(), "d/kept", fmt.Sprintf("copy%d", i), false)
			return err
		}},
		{"Copy of it", func(i int) error {
			_, err := w.Copy(t.Context(), "d", fmt.Sprintf("all%d", i), false)
			return err
		}},
		{"Copy into it", func(i int) error {
			put(filepath.Join(dir, "source", "x"), "x")
			_, err := w.Copy(t.Context(), "source", fmt.Sprintf("d/c%d", i), false)
			return err
		}},
		{"Move into it", func(i int) error {
			put(filepath.Join(dir, "one"), "x")
			_, err := w.Move("one", "d/kept2", true)
			return err
		}},
		{"Move out of it", func(i int) error {
			inside.WriteFile("f", []byte("x"), 0o666)
			_, err := w.Move("d/f", fmt.Sprintf("moved%d", i), false)
			return err
		}},
		{"Trash", func(int) error {
			inside.MkdirAll("sub/deep", 0o777)
			_, err := w.Trash("d/sub")
			return err
		}},
		{"Purge", func(int) error {
			inside.MkdirAll("sub/deep", 0o777)
			return w.Purge("d/sub", true)
		}},
	} {
		done, refused := 0, 0
		// More rounds only if the other side had no chance to run.
		for i := 0; i < n || (done == 0 || refused == 0) && i < 100*n; i++ {
			if op.do(i) == nil {
				done++
			} else {
				refused++
			}
		}
		t.Logf("%s: done %d times, refused %d times", op.name, done, refused)
		if done == 0 || refused == 0 {
			t.Errorf("%s: the exchange was not seen: the race was none", op.name)
		}
		if after := listing(t, outside); after != before {
			t.Fatalf("%s changed what is outside from\n%sto\n%s", op.name, before, after)
		}
	}
	close(stop)
	other.Wait()
	for _, place := range []string{dir, trash} {
		if text := listing(t, place); strings.Contains(text, "needle") {
			t.Errorf("what is outside was brought in:\n%.2000s", text)
		}
	}
}

// listing describes all below a directory.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %v", path, d.Type())
		if d.Type().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %s", data)
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
