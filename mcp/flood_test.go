package mcp_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/teaagent/teaagent/mcp/mcptest"
)

func pingLine(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, id)
}

func TestOneByteWrites(t *testing.T) {
	t.Parallel()
	p := open(t, "", "")
	for _, b := range []byte("\ufeff" + pingLine(1) + "\r\n\n" + call("2", "fx_echoText", `{"text":"é"}`) + "\n" + pingLine(3) + "\n") {
		p.Write([]byte{b})
	}
	var got []string // on a busy machine the ping overtakes the call
	for range 3 {
		got = append(got, next(t, p).String())
	}
	if slices.Sort(got); !slices.Equal(got, []string{"1 result", "2 result", "3 result"}) {
		t.Errorf("got %q", got)
	}
}

// A byte order mark is taken off the start, and only there.
func TestByteOrderMark(t *testing.T) {
	p := open(t, "", "")
	p.Send("\ufeff"+pingLine(1), "\ufeff"+pingLine(2), pingLine(3))
	for _, want := range []string{"1 result", "null -32700", "3 result"} {
		if got := next(t, p).String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	blank := open(t, "", "")
	blank.Send("\ufeff")
	blank.Ping()
}

func TestNoNewlineAtTheEnd(t *testing.T) {
	p := open(t, "", "")
	p.Write([]byte(pingLine(1) + "\n" + pingLine(2)))
	p.CloseInput()
	if got := p.Rest(); len(got) != 2 || parse(t, got[1]).String() != "2 result" {
		t.Errorf("%q", got)
	}
	if code := p.Exit(mcptest.Patience); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// The limit is that of the line, with its line end in whatever form not counted.
func TestLineLimit(t *testing.T) {
	p := open(t, "", "", "--max-line", "100")
	line := func(length int) string {
		frame := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":""}}`
		return strings.Replace(frame, `""`, `"`+strings.Repeat("x", length-len(frame))+`"`, 1)
	}
	for _, c := range []struct{ sent, want string }{
		{line(100), "1 result"}, {line(100) + "\r", "1 result"}, {line(101), "1 -32600"}, {line(101) + "\r", "1 -32600"},
		{line(100_000), "1 -32600"}, {strings.Repeat(" ", 99) + "\n" + line(60), "1 result"}, {strings.Repeat(" ", 101), "null -32600"},
		{`{"params":{"x":"` + strings.Repeat("x", 200) + `"},"id":1}`, "null -32600"},
	} {
		p.Send(c.sent)
		if f := next(t, p); f.String() != c.want {
			t.Errorf("%d bytes: got %s, want %s", len(c.sent), f.text, c.want)
		}
		p.Ping()
	}
	p.Write([]byte(line(101))) // the last line, without its line feed
	p.CloseInput()
	if got := p.Rest(); len(got) != 1 || parse(t, got[0]).String() != "1 -32600" {
		t.Errorf("%q", got)
	}
}

// A line over the limit is answered as soon as that is clear, and not held.
func TestHugeLine(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]string{
		"text":   `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fx_echoText","arguments":{"text":"`,
		"nested": `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[[[["`,
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, "2025-11-25", "")
			p.Write([]byte(begin))
			part := []byte(strings.Repeat("tea ", 256<<10))
			for range 256 {
				p.Write(part)
			}
			if f := next(t, p); f.String() != "1 -32600" || !strings.Contains(f.Error.Message, "16777216") {
				t.Errorf("before the end of the line: %s", f.text)
			}
			p.Send(`"}}}`)
			p.Ping()
			peakBelow(t, p, 48<<20)
		})
	}
}

// Lines that are just not too long need memory, but not more with each.
func TestLargeLines(t *testing.T) {
	t.Parallel()
	p := open(t, "2025-11-25", "")
	text := strings.Repeat("tea ", 15<<18) // 15 MiB
	for range 8 {
		p.Send(call("1", "fx_echoText", `{"text":"`+text+`"}`))
		if f := next(t, p); f.String() != "1 [INTERNAL]" { // the answer is over its own limit
			t.Fatal(f.text[:200])
		}
	}
	p.Ping()
	peakBelow(t, p, 200<<20)
}

func TestPingsBeforeReading(t *testing.T) {
	p := open(t, "", "")
	var all strings.Builder
	for n := range 5000 {
		all.WriteString(pingLine(n) + "\n")
	}
	p.Write([]byte(all.String()))
	for n := range 5000 {
		if got, want := p.Line(), fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, n); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
}

// Many frames of all sorts in one write are each answered once.
func TestManyFramesInOneWrite(t *testing.T) {
	t.Parallel()
	p := open(t, "", "")
	var all strings.Builder
	want := map[string]int{}
	for n := range 1000 {
		all.WriteString(pingLine(3*n) + "\r\n")
		all.WriteString(call(fmt.Sprint(3*n+1), "fx_echoText", `{"text":"abc","times":100}`) + "\n\n")
		all.WriteString(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"no"}`, 3*n+2) + "\n{\n")
		want[fmt.Sprint(3*n, " result")], want[fmt.Sprint(3*n+1, " result")], want[fmt.Sprint(3*n+2, " -32601")] = 1, 1, 1
	}
	want["null -32700"] = 1000
	p.Write([]byte(all.String()))
	for range 4000 {
		want[next(t, p).String()]--
	}
	for answer, missing := range want {
		if missing != 0 {
			t.Errorf("%d answers %q too few", missing, answer)
		}
	}
	p.Ping()
}

// Sixty-four large answers at once do not get into each other's way.
func TestLargeAnswersAtOnce(t *testing.T) {
	t.Parallel()
	const calls, size = 64, 200_000
	p := open(t, "2025-11-25", "")
	for n := range calls {
		if n == calls-1 {
			p.Ping() // while all others wait
		}
		p.Send(call(fmt.Sprint(n), "fx_joinOthers", fmt.Sprintf(`{"others":%d,"letter":%q,"size":%d}`, calls-1, string(rune('0'+n)), size)))
	}
	seen := map[string]bool{}
	for range calls {
		f := next(t, p)
		if f.String() != string(f.ID)+" result" || seen[string(f.ID)] {
			t.Fatalf("%.200s", f.text)
		}
		seen[string(f.ID)] = true
		text := f.Result.Content[0].Text
		if n := slices.Index(allIDs(calls), string(f.ID)); text != strings.Repeat(string(rune('0'+n)), size) {
			t.Errorf("answer %s: %d bytes, %.50q", f.ID, len(text), text)
		}
	}
}

func allIDs(n int) (ids []string) {
	for i := range n {
		ids = append(ids, fmt.Sprint(i))
	}
	return ids
}

// A client that does not read is waited for: with bounded memory, and no longer
// than until the server is told to go.
func TestUnreadOutput(t *testing.T) {
	t.Parallel()
	const calls, size = 600, 200_000 // 120 MB of answers
	flood := func(t *testing.T) *mcptest.Process {
		p := open(t, "2025-11-25", "")
		p.Send(call(`"running"`, "fx_waitLong", `{}`))
		for n := range calls {
			p.Send(call(fmt.Sprint(n), "fx_echoText", fmt.Sprintf(`{"text":"x","times":%d}`, size)))
		}
		awaitIdle(t, p)
		return p
	}
	t.Run("then read", func(t *testing.T) {
		p := flood(t)
		peakBelow(t, p, 220<<20)
		seen := map[string]bool{}
		for range calls {
			f := next(t, p)
			if f.Result == nil || len(f.Result.Content[0].Text) != size || seen[string(f.ID)] {
				t.Fatalf("%.200s", f.text)
			}
			seen[string(f.ID)] = true
		}
		p.Ping()
	})
	t.Run("then SIGTERM", func(t *testing.T) {
		p := flood(t)
		p.Signal(syscall.SIGTERM)
		if code := p.Exit(2 * patient); code != 0 {
			t.Errorf("exit code %d", code)
		}
	})
	t.Run("then gone", func(t *testing.T) {
		p := flood(t)
		p.CloseOutput()
		if code := p.Exit(mcptest.Patience); code != 0 {
			t.Errorf("exit code %d", code)
		}
	})
	t.Run("progress", func(t *testing.T) {
		p := open(t, "2025-11-25", "")
		p.Send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fx_reportProgress","arguments":{"how":"flood"},"_meta":{"progressToken":1}}}`)
		awaitIdle(t, p)
		p.Send(cancel("1"), call("2", "fx_failWith", `{"how":"print"}`)) // are read, though the output is full
		p.AwaitStderr("a stray print", 1)
		p.Signal(syscall.SIGTERM)
		if code := p.Exit(2 * patient); code != 0 {
			t.Errorf("exit code %d", code)
		}
	})
}

// What nobody reads on standard error is lost, and stops nothing.
func TestUnreadStderr(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"full", "closed"} {
		t.Run(name, func(t *testing.T) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			defer w.Close()
			if name == "closed" {
				r.Close()
			}
			p := fixture.Start(t, mcptest.Options{Stderr: w})
			for n := range 200 { // a stack trace each
				p.Send(call(fmt.Sprint(n), "fx_failWith", `{"how":"panic"}`), call(`"print"`, "fx_failWith", `{"how":"print"}`))
				for range 2 {
					if f := next(t, p); f.Result == nil {
						t.Fatal(f.text)
					}
				}
			}
			p.Ping()
			p.CloseInput()
			if code := p.Exit(mcptest.Patience); code != 0 {
				t.Errorf("exit code %d", code)
			}
		})
	}
}

// What a handler prints does not get between the frames.
func TestStrayPrint(t *testing.T) {
	p := open(t, "", "")
	p.Send(call("1", "fx_failWith", `{"how":"print"}`))
	if f := next(t, p); f.String() != "1 result" {
		t.Error(f.text)
	}
	p.AwaitStderr("a stray print", 1)
	p.Ping()
}
