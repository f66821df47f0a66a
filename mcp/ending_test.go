package mcp_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/teaagent/teaagent/mcp/mcptest"
)

// With nothing to wait for, the end of the input is the end at once: sooner
// than calls would get to end. (One of a few tries has to show it: the machine
// may be busy.)
func TestEndOfInput(t *testing.T) {
	for range 5 {
		p := open(t, "2025-11-25", "")
		p.Send(call("1", "fx_waitLong", "{}"), cancel("1"))
		p.AwaitStderr("told to stop", 1)
		p.Ping()
		start := time.Now()
		p.CloseInput()
		if rest, code := p.Rest(), p.Exit(mcptest.Patience); code != 0 || len(rest) > 0 {
			t.Fatalf("exit code %d, and %q", code, rest)
		}
		if time.Since(start) < time.Second {
			return
		}
	}
	t.Error("it takes a second or more")
}

// Calls that run when the input ends get a second. Those that need longer are
// told to stop, and the server does not wait for those that do not listen.
func TestEndOfInputWithCallsRunning(t *testing.T) {
	p := open(t, "2025-11-25", "")
	p.Send(call("1", "fx_waitFor", `{"millis":100}`), call("2", "fx_waitLong", "{}"), call("3", "fx_waitFor", `{"millis":600000,"stubborn":true}`))
	start := time.Now()
	p.CloseInput()
	if f := next(t, p); f.String() != "1 result" {
		t.Error(f.text)
	}
	rest := p.Rest()
	if code := p.Exit(mcptest.Patience); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if took := time.Since(start); took < time.Second || took > 2*patient {
		t.Errorf("the server ended after %s", took)
	}
	p.AwaitStderr("told to stop", 1)
	for _, line := range rest { // the end of what was told to stop may be reported, if it was quick
		if f := parse(t, line); f.String() != "2 [CANCELLED]" && f.String() != "3 [TIMEOUT]" {
			t.Errorf("%s", line)
		}
	}
}

// What was answered is written before the server ends, however much it is.
func TestEndOfInputWithAnswersUnread(t *testing.T) {
	p := open(t, "2025-11-25", "")
	for n := range 100 {
		p.Send(call(fmt.Sprint(n), "fx_echoText", `{"text":"x","times":200000}`))
	}
	p.CloseInput()
	if lines := p.Rest(); len(lines) != 100 {
		t.Errorf("%d of 100 answers", len(lines))
	}
	if code := p.Exit(mcptest.Patience); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// A client that reads slowly gets whole frames, and all of them.
func TestEndOfInputWithSlowReader(t *testing.T) {
	p := open(t, "2025-11-25", "")
	for n := range 100 {
		p.Send(call(fmt.Sprint(n), "fx_echoText", `{"text":"x","times":200000}`))
	}
	p.CloseInput()
	for range 15 { // longer than a client that does not read is waited for
		awaitIdle(t, p)
		next(t, p)
	}
	if lines := p.Rest(); len(lines) != 85 {
		t.Errorf("%d of 85 answers are left", len(lines))
	}
}

// One that reads nothing is not waited for.
func TestEndOfInputWithOutputUnread(t *testing.T) {
	p := open(t, "2025-11-25", "")
	for n := range 10 {
		p.Send(call(fmt.Sprint(n), "fx_echoText", `{"text":"x","times":200000}`))
	}
	p.CloseInput()
	if code := p.Exit(mcptest.Patience); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// A signal ends the server within two seconds, whatever its tools do.
func TestSignals(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			p := open(t, "2025-11-25", "")
			for n := range 16 {
				p.Send(call(fmt.Sprint(n), "fx_waitLong", "{}"), call(fmt.Sprint(100+n), "fx_waitFor", `{"millis":600000,"stubborn":true}`))
			}
			p.Ping() // comes when all of them run
			start := time.Now()
			p.Signal(signal)
			if code := p.Exit(mcptest.Patience); code != 0 {
				t.Errorf("exit code %d", code)
			}
			if took := time.Since(start); took > 2*patient {
				t.Errorf("the server ended after %s", took)
			}
			p.AwaitStderr("told to stop", 16)
		})
	}
}

// Calls that run when the input ends are told to stop, all at once; how long
// that takes is told by go test -v.
func TestManyRunAtTheEnd(t *testing.T) {
	p := open(t, "2025-11-25", "")
	for id := range 32 {
		p.Send(call(fmt.Sprint(id), "fx_waitLong", `{}`))
	}
	p.Ping()
	began := time.Now()
	p.CloseInput()
	if code := p.Exit(mcptest.Patience); code != 0 {
		t.Errorf("exit code %d", code)
	}
	t.Logf("32 calls were gone in %s", time.Since(began))
	p.AwaitStderr("told to stop", 32)
}

// A server whose parent has died ends by itself, though another process holds
// both of its pipes open.
func TestParentDies(t *testing.T) {
	server := fixture.Command(t, mcptest.Options{})
	leave, tellParent, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer tellParent.Close()
	// The parent starts the server with its own streams, and waits for a line.
	parent := exec.Command("/bin/sh", append([]string{"-c", `"$@" <&4 & read line <&3`, "sh"}, server.Args...)...)
	parent.Dir, parent.Env = server.Dir, server.Env
	parent.ExtraFiles = []*os.File{leave, nil}
	stdin, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer theirs.Close()
	parent.ExtraFiles[1] = stdin
	p := mcptest.Start(t, parent, mcptest.Options{})
	leave.Close()
	stdin.Close()
	io.WriteString(theirs, pingLine(1)+"\n")
	if f := next(t, p); f.String() != "1 result" {
		t.Fatal(f.text)
	}
	tellParent.Close()
	p.Exit(mcptest.Patience)
	if rest := p.Rest(); len(rest) > 0 { // ends when the server, the last to hold it, is gone
		t.Errorf("%q", rest)
	}
}

// A client that has stopped reading is noticed at the next answer.
func TestClientStopsReading(t *testing.T) {
	p := open(t, "2025-11-25", "")
	p.CloseOutput()
	p.Send(pingLine(1), pingLine(2))
	if code := p.Exit(mcptest.Patience); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
