//go:build linux

package handlers_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/sys/unix"

	"github.com/teaagent/teaagent/mcp/mcptest"
)

// While another process exchanges a directory for a link that leads outside,
// again and again, nothing outside is read. (Writes are raced in package mcp,
// whose tools have no rate limit.)
func TestPathRace(t *testing.T) {
	if dir := os.Getenv("RACE_TEST_DIR"); dir != "" { // the other process
		fmt.Println("ready")
		for {
			if err := unix.Renameat2(unix.AT_FDCWD, filepath.Join(dir, "d"), unix.AT_FDCWD, filepath.Join(dir, "link"), unix.RENAME_EXCHANGE); err != nil {
				fmt.Println(err)
				return
			}
		}
	}
	reads := mcptest.Rounds(t, "RACE_ROUNDS", 3000)
	outside := t.TempDir()
	write(t, filepath.Join(outside, "f"), "needle")
	c := open(t, map[string]string{"d/f": "inside"})
	c.link(outside, "link")
	other := exec.Command(os.Args[0], "-test.run=^TestPathRace$")
	other.Env = append(os.Environ(), "RACE_TEST_DIR="+c.root)
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

	var inside, refused, leaked atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range reads / 8 {
				text := ""
				if i%2 == 0 {
					if r, err := c.readResource("teaagent://workspace/d/f"); err == nil {
						text = r.Text
					}
				} else {
					text = callText(c, "readFile", args{"path": "d/f"})
				}
				switch {
				case strings.Contains(text, "needle"):
					leaked.Add(1)
				case strings.Contains(text, "inside"):
					inside.Add(1)
				default:
					refused.Add(1)
				}
			}
		})
	}
	wg.Wait()
	t.Logf("%d reads got the file, %d were refused", inside.Load(), refused.Load())
	if leaked.Load() > 0 {
		t.Errorf("%d of %d reads got the file outside", leaked.Load(), reads)
	}
	if inside.Load() == 0 || refused.Load() == 0 {
		t.Error("the exchange was not seen: the race was none")
	}
}

func callText(c *client, tool string, a args) string {
	r, err := c.s.CallTool(context.Background(), &mcp.CallToolParams{Name: "teaagent_" + tool, Arguments: a})
	if err != nil {
		c.t.Error(err)
		return ""
	}
	return textOf(r)
}
