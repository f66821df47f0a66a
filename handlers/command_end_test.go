//go:build linux

package handlers_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/teaagent/teaagent/mcp/mcptest"
)

// mark returns a number of seconds that no other sleep of this machine has.
func mark(t *testing.T, n int) string { return fmt.Sprintf("9%d%03d", os.Getpid(), n) }

// await waits until so many processes have the mark.
func await(t *testing.T, mark string, n int) {
	t.Helper()
	for end := time.Now().Add(mcptest.Patience); ; time.Sleep(10 * time.Millisecond) {
		found := marked(t, mark)
		if len(found) >= n && n > 0 || len(found) == 0 && n == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d processes are expected, these are there: %q", n, found)
		}
	}
}

// Whatever a command does, at its deadline it is gone, and all that it started.
func TestDeadline(t *testing.T) {
	c := open(t, nil, commandMode(t))
	for i, script := range []string{
		"sleep %s",
		"yes %s",
		"trap '' TERM HUP INT QUIT PIPE; while :; do sleep %s; done",
		"sleep %s & sleep %[1]s & wait",
		"setsid sh -c 'trap \"\" TERM; sleep %s & wait' & setsid setsid sleep %[1]s & sleep %[1]s",
		"(sh -c 'while :; do sleep %s & wait; done' &) ; exec sleep %[1]s",
		"kill -STOP $$; sleep %s",
		"while :; do sleep %s & sleep 0.05; done",
	} {
		m := mark(t, i)
		start := time.Now()
		r := c.run(args{"script": fmt.Sprintf(script, m), "timeoutSeconds": 1})
		took := time.Since(start)
		if !r.TimedOut || !strings.Contains(r.Note, "timeoutSeconds") {
			t.Errorf("%s: %+v", script, r)
		}
		if left := marked(t, m); len(left) > 0 && r.Confined {
			t.Errorf("%s has left %q", script, left)
		}
		await(t, m, 0)
		t.Logf("%s: gone after %v", script, took.Round(time.Millisecond))
	}
}

// A command that ends ends with all that it started, though a child holds its output.
func TestLeavesNothing(t *testing.T) {
	c := open(t, nil, commandMode(t))
	for i, script := range []string{"sleep %s & echo ended", "setsid sleep %s & echo ended", "(setsid sh -c 'trap \"\" TERM HUP; sleep %s' &) ; echo ended"} {
		m := mark(t, 100+i)
		r := c.run(args{"script": fmt.Sprintf(script, m), "timeoutSeconds": 60})
		if r.TimedOut || r.ExitCode != 0 || r.Stdout.Text != "ended\n" {
			t.Errorf("%s: %+v", script, r)
		}
		await(t, m, 0)
	}
}

// A call that its client cancels takes its processes with it.
func TestCancelledCommand(t *testing.T) {
	c := open(t, nil, commandMode(t))
	m := mark(t, 200)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		_, err := c.s.CallTool(ctx, &mcp.CallToolParams{Name: "teaagent_runCommand", Arguments: args{"confirm": true, "script": "trap '' TERM; setsid sleep " + m + " & sleep " + m}})
		ended <- err
	}()
	await(t, m, 2)
	cancel()
	if err := <-ended; err == nil {
		t.Error("the call ended well")
	}
	await(t, m, 0)
	if r := c.run(args{"argv": []string{"echo", "on"}}); r.Stdout.Text != "on\n" {
		t.Errorf("afterwards: %+v", r)
	}
}

// Those that run when the server ends are gone, too, and soon.
func TestShutdownEndsCommands(t *testing.T) {
	const n = 32
	mode := commandMode(t)
	for i, end := range []struct {
		how string
		end func(p *mcptest.Process, cmd *exec.Cmd)
	}{
		{"its input ends", func(p *mcptest.Process, _ *exec.Cmd) { p.CloseInput() }},
		{"a signal asks it to", func(_ *mcptest.Process, cmd *exec.Cmd) { cmd.Process.Signal(syscall.SIGTERM) }},
		{"it is killed", func(_ *mcptest.Process, cmd *exec.Cmd) { cmd.Process.Kill() }},
	} {
		t.Run(end.how, func(t *testing.T) {
			cmd := server.Command(t, mcptest.Options{Args: []string{"--permission-mode", mode}})
			p := mcptest.Start(t, cmd, mcptest.Options{})
			p.Initialize("2025-11-25", "")
			m := mark(t, 300+i)
			for id := range n {
				p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"teaagent_runCommand","arguments":{"confirm":true,"script":"trap '' TERM HUP INT; setsid sleep %s & while :; do sleep %[2]s; done"}}}`, id, m))
			}
			await(t, m, 2*n)
			start := time.Now()
			end.end(p, cmd)
			p.Exit(mcptest.Patience)
			ended := time.Since(start)
			await(t, m, 0)
			t.Logf("%d commands: the server ended after %v, nothing of them was left after %v", n, ended.Round(time.Millisecond), time.Since(start).Round(time.Millisecond))
		})
	}
}
