//go:build linux

package mcp_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/teaagent/teaagent/mcp/mcptest"
)

// While another process exchanges a directory for a link that leads outside,
// again and again, nothing is written outside, and no temporary file is left.
func TestWriteRace(t *testing.T) {
	if dir := os.Getenv("RACE_TEST_DIR"); dir != "" { // the other process
		fmt.Println("ready")
		for {
			if err := unix.Renameat2(unix.AT_FDCWD, filepath.Join(dir, "d"), unix.AT_FDCWD, filepath.Join(dir, "link"), unix.RENAME_EXCHANGE); err != nil {
				fmt.Println(err)
				return
			}
		}
	}
	n := mcptest.Rounds(t, "RACE_ROUNDS", 1000)
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "d"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	other := exec.Command(os.Args[0], "-test.run=^TestWriteRace$")
	other.Env = append(os.Environ(), "RACE_TEST_DIR="+dir)
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { other.Process.Kill(); other.Wait() }()
	if line := make([]byte, 6); func() bool { _, err := out.Read(line); return err != nil || string(line) != "ready\n" }() {
		t.Skipf("this system does not exchange directories: %q", line)
	}
	p := fixture.Start(t, mcptest.Options{Dir: dir})
	wrote, refused := 0, 0
	for i := range n {
		p.Send(toolCall("fx_addThing", fmt.Sprintf(`{"path":"d/%d"}`, i)))
		switch f := next(t, p); {
		case strings.Contains(f.text, "added d/"):
			wrote++
		case f.Error != nil || f.Result.IsError: // the path led outside, or changed under the system's eyes
			refused++
		default:
			t.Fatal(f.text)
		}
	}
	other.Process.Kill()
	other.Wait()
	t.Logf("%d writes went inside, %d were refused", wrote, refused)
	if entries, err := os.ReadDir(outside); err != nil || len(entries) > 0 {
		t.Errorf("outside there are %v (%v)", entries, err)
	}
	inside := 0
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if inside++; strings.HasSuffix(path, ".tmp") {
				t.Errorf("left behind: %s", path)
			}
		}
		return err
	})
	if inside != wrote {
		t.Errorf("%d writes are said to be done, and there are %d files", wrote, inside)
	}
	if wrote == 0 || refused == 0 {
		t.Error("the exchange was not seen: the race was none")
	}
}
