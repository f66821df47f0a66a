package mcptest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Patience is how long a test waits for a server before it fails. It is for
// slow machines: no test takes that long when all is well.
const Patience = 20 * time.Second

// Options is how a server is started. The zero value starts it in a new, empty
// folder.
type Options struct {
	Args   []string // flags behind `mcp serve`
	Env    []string // as NAME=value, beside a PATH, HOME and TMPDIR of the test's own
	Dir    string   // the working folder, and by that the workspace
	Home   string   // the user's home folder, which holds .teaagent; a new, empty one if ""
	Stderr *os.File // takes standard error instead of Stderr and AwaitStderr
}

// Process is a running server. Its methods fail the test, with what the server
// wrote to standard error, rather than wait for longer than Patience. They are
// for the test's own goroutine. It is killed when the test ends.
type Process struct {
	t      testing.TB
	cmd    *exec.Cmd
	in     *os.File
	out    *os.File
	lines  *bufio.Reader
	stderr *gatherer
	exited chan struct{}
	pings  int
	check  *checker
}

// Start starts the server.
func (p *Program) Start(t testing.TB, o Options) *Process {
	t.Helper()
	return Start(t, p.Command(t, o), o)
}

// Command returns the server's command line without its standard streams, for
// tests that start it in a way of their own.
func (p *Program) Command(t testing.TB, o Options) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(p.Path(t), append([]string{"mcp", "serve"}, o.Args...)...)
	if cmd.Dir = o.Dir; o.Dir == "" {
		cmd.Dir = t.TempDir()
	}
	home := o.Home
	if home == "" {
		home = t.TempDir()
	}
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + home,
		"GORACE=atexit_sleep_ms=0", // else a program with the race detector takes a second to exit
	}, o.Env...)
	return cmd
}

// Start starts a command that serves on its standard streams: what Command
// returned, or one that runs it. Of o only Stderr is looked at.
func Start(t testing.TB, cmd *exec.Cmd, o Options) *Process {
	t.Helper()
	p := &Process{t: t, cmd: cmd, exited: make(chan struct{}), stderr: newGatherer(), check: newChecker()}
	var stdin, stdout *os.File
	stdin, p.in = pipe(t)
	p.out, stdout = pipe(t)
	p.lines = bufio.NewReaderSize(p.out, 64<<10)
	theirs := []*os.File{stdin, stdout}
	stderr := o.Stderr
	if stderr == nil {
		var read *os.File
		read, stderr = pipe(t)
		theirs = append(theirs, stderr)
		go p.stderr.gather(read)
	} else {
		p.stderr.close()
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	err := cmd.Start()
	for _, f := range theirs {
		f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		cmd.Wait()
		close(p.exited)
	}()
	t.Cleanup(p.end)
	return p
}

func pipe(t testing.TB) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

// end kills the server, if it still runs, and says what it wrote if the test
// failed.
func (p *Process) end() {
	p.cmd.Process.Kill()
	<-p.exited
	p.in.Close()
	p.out.Close()
	p.stderr.settle()
	if text := p.stderr.text(); p.t.Failed() && text != "" {
		if cut := len(text) - 10000; cut > 0 {
			text = "…" + text[cut:]
		}
		p.t.Logf("standard error of the server:\n%s", text)
	} else if strings.Contains(text, "DATA RACE") {
		p.t.Errorf("the race detector found:\n%s", text)
	}
}

// Pid returns the id of the process.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Write sends bytes as they are.
func (p *Process) Write(data []byte) {
	p.t.Helper()
	p.check.sent(data)
	for len(data) > 0 {
		part := data[:min(len(data), 1<<20)]
		data = data[len(part):]
		p.in.SetWriteDeadline(time.Now().Add(Patience))
		if _, err := p.in.Write(part); err != nil {
			p.t.Fatalf("the server does not read: %v", err)
		}
	}
}

// Send sends lines, each with its line feed.
func (p *Process) Send(lines ...string) {
	p.t.Helper()
	for _, line := range lines {
		p.Write([]byte(line + "\n"))
	}
}

// Line returns the server's next line without its line feed.
func (p *Process) Line() string {
	p.t.Helper()
	line, err := p.line()
	switch {
	case err == io.EOF && line == "":
		p.t.Fatal("the server's output ended, and a line was expected")
	case err != nil:
		p.t.Fatalf("read the server's next line: %v; it begins with %.200q", err, line)
	}
	return line
}

// Rest returns the lines that are left until the server's output ends.
func (p *Process) Rest() (lines []string) {
	p.t.Helper()
	for {
		line, err := p.line()
		if err == io.EOF && line == "" {
			return lines
		}
		if err != nil {
			p.t.Fatalf("read until the server's output ends: %v; what is left is %.200q", err, line)
		}
		lines = append(lines, line)
	}
}

// line returns io.ErrUnexpectedEOF for a last line without its line feed.
func (p *Process) line() (string, error) {
	p.out.SetReadDeadline(time.Now().Add(Patience))
	line, err := p.lines.ReadString('\n')
	if err == io.EOF && line != "" {
		err = io.ErrUnexpectedEOF
	}
	line = strings.TrimSuffix(line, "\n")
	if err == nil {
		if broken := p.check.frame(line); broken != nil {
			p.t.Errorf("a frame breaks the official schema: %v\n%.2000s", broken, line)
		}
	}
	return line, err
}

// Ping asks the server whether it is alive. Nothing but the answer may come.
func (p *Process) Ping() {
	p.t.Helper()
	p.pings++
	p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"ping-%d","method":"ping"}`, p.pings))
	if got, want := p.Line(), fmt.Sprintf(`{"jsonrpc":"2.0","id":"ping-%d","result":{}}`, p.pings); got != want {
		p.t.Fatalf("asked for a ping, the server sent %.2000s", got)
	}
}

// Initialize opens the session with a revision of the protocol, for a client
// that can do what capabilities, a JSON object, says; "" stands for nothing.
func (p *Process) Initialize(revision, capabilities string) {
	p.t.Helper()
	if capabilities == "" {
		capabilities = "{}"
	}
	p.Send(
		`{"jsonrpc":"2.0","id":"initialize","method":"initialize","params":{"protocolVersion":"`+revision+`","capabilities":`+capabilities+`,"clientInfo":{"name":"mcptest","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if got := p.Line(); !strings.Contains(got, `"protocolVersion":"`+revision+`"`) {
		p.t.Fatalf("initialize with %s was answered by %s", revision, got)
	}
}

// CloseInput tells the server that no more will come.
func (p *Process) CloseInput() { p.in.Close() }

// CloseOutput stops reading what the server sends, as a client that has crashed.
func (p *Process) CloseOutput() { p.out.Close() }

// Signal sends a signal.
func (p *Process) Signal(s os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// Exit waits until the process has ended, for at most the time given, and
// returns its exit code; -1 stands for a death by a signal.
func (p *Process) Exit(within time.Duration) int {
	p.t.Helper()
	select {
	case <-p.exited:
	case <-time.After(within):
		p.t.Fatalf("the server did not exit within %s", within)
	}
	return p.cmd.ProcessState.ExitCode()
}

// Stderr returns what the server has written to standard error so far.
func (p *Process) Stderr() string { return p.stderr.text() }

// AwaitStderr waits until standard error holds the text as often as count says.
func (p *Process) AwaitStderr(text string, count int) {
	p.t.Helper()
	if err := p.stderr.await(text, count); err != nil {
		p.t.Fatal(err)
	}
}
