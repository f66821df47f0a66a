package mcp_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/teaagent/teaagent/mcp/mcptest"
)

// patient is a second, or more where the race detector slows everything down.
var patient = time.Second

func init() {
	if mcptest.Race {
		patient = 5 * time.Second
	}
}

// peakBelow fails the test if the server has held more memory than that at any
// time. Where the system does not tell, or the race detector takes its part, it
// passes.
func peakBelow(t *testing.T, p *mcptest.Process, limit int) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Pid()))
	if err != nil {
		return
	}
	_, text2, _ := strings.Cut(string(text), "VmHWM:")
	kib, _, _ := strings.Cut(strings.TrimSpace(text2), " ")
	peak, err := strconv.Atoi(kib)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("peak memory: %d MiB", peak>>10)
	if peak<<10 > limit && !mcptest.Race {
		t.Errorf("the server has held %d MiB, more than %d", peak>>10, limit>>20)
	}
}

// awaitIdle waits until the server does nothing any more: no event tells that
// it is stuck in a write, but that it needs no processor for a while.
func awaitIdle(t *testing.T, p *mcptest.Process) {
	t.Helper()
	same, last := 0, ""
	for end := time.Now().Add(mcptest.Patience); same < 10; {
		if time.Now().After(end) {
			t.Fatal("the server does not come to rest")
		}
		<-time.After(5 * time.Millisecond)
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Pid()))
		if _, none := os.Stat("/proc/self/stat"); none != nil {
			t.Skip("this system does not tell when a process is idle")
		} else if err != nil {
			return // gone
		}
		state, used := processorTime(string(text))
		if same++; used != last || state == "R" {
			same = 0
		}
		last = used
	}
}

// processorTime takes the state and the time in user and system mode from
// /proc/…/stat.
func processorTime(stat string) (state, used string) {
	_, rest, _ := strings.Cut(stat, ") ")
	fields := strings.Fields(rest)
	return fields[0], fields[11] + " " + fields[12]
}
