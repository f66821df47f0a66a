package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"testing"
	"time"
)

// The tests' server is this test binary itself, in a mode named by SERVER.
func TestMain(m *testing.M) {
	if mode := os.Getenv("SERVER"); mode != "" {
		serve(mode)
		return
	}
	os.Exit(m.Run())
}

type message struct {
	ID     json.RawMessage
	Method string
	Error  *struct{ Code int }
	Result json.RawMessage
	Params struct {
		ProtocolVersion, Cursor, Name string
		Arguments                     json.RawMessage
	}
}

const greeting = `{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"fake","version":"1.2"},"instructions":"Mind the gap."}`

// serve is the server: hostile in one way each.
func serve(mode string) {
	in := bufio.NewReader(os.Stdin)
	next := func() (m message) {
		line, err := in.ReadBytes('\n')
		if err != nil {
			os.Exit(0)
		}
		json.Unmarshal(line, &m)
		return m
	}
	say := func(format string, args ...any) { fmt.Printf(format+"\n", args...) }
	answer := func(m message, result string) { say(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result) }
	switch mode {
	case "deaf":
		say(`{"jsonrpc":"2.0","id":1,"result":%s}`, greeting)
		c := make(chan os.Signal, 1)
		signal.Notify(c) // any but the one that ends it for good
		for {
			<-c
		}
	case "stays": // and leaves a child that nobody told to go
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), "SERVER=deaf")
		child.Stderr = os.Stderr
		child.Start()
	case "gone":
		os.Exit(3)
	}
	m := next()
	if mode == "noise" {
		say("Server ready on stdio\n\n{\"level\":30,\"msg\":\"log\"}\n[1,2\n\x00\xff\nnull\n[]")
		say(`{"jsonrpc":"2.0","id":"1","result":{}}`)
		say(`{"jsonrpc":"2.0","id":99,"result":{}}`)
		say(`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}`)
		say(`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":1}}`)
		say(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`) // with the id of our own request
		if got := next(); string(got.ID) != "1" || got.Error == nil || got.Error.Code != -32601 {
			os.Exit(4)
		}
		say(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
		if got := next(); string(got.ID) != `"p"` || string(got.Result) != "{}" {
			os.Exit(5)
		}
		say(`{"jsonrpc":"2.0","method":"x","params":{"long":"%s"}}`, strings.Repeat("x", 1<<20))
	}
	answer(m, greeting)
	next() // notifications/initialized
	for {
		m := next()
		switch {
		case m.Method == "tools/call":
			answer(m, fmt.Sprintf(`{"content":[],"name":%q,"arguments":%s}`, m.Params.Name, m.Params.Arguments))
		case mode == "silent":
		case mode == "flood":
			for {
				say(`{"jsonrpc":"2.0","method":"x"}`)
			}
		case mode == "loop":
			answer(m, `{"tools":[],"nextCursor":"again"}`)
		case mode == "endless":
			answer(m, fmt.Sprintf(`{"tools":[{"name":"a"}],"nextCursor":"%sx"}`, m.Params.Cursor))
		case mode == "long":
			say(`{"jsonrpc":"2.0","id":%s,"result":{"tools":["%s"]}}`, m.ID, strings.Repeat("x", 1<<20))
		case mode == "twice":
			say(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"a":1,"a":2}]}}`, m.ID)
		case mode == "error":
			say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"no"}}`, m.ID)
		case mode == "odd":
			answer(m, `{"tools":"none"}`)
		case mode == "half":
			fmt.Print(`{"jsonrpc":"2.0","id":`)
			os.Exit(0)
		case m.Params.Cursor == "":
			answer(m, `{"tools":[{"name":"a","inputSchema":{"maximum":9007199254740993}}],"nextCursor":"c2","_meta":null}`)
		default:
			answer(m, `{"tools":[{"name":"b","x":"`+m.Params.Cursor+`"}],"nextCursor":null}`)
		}
	}
}

func start(t *testing.T, mode string, o Options) (*Client, error) {
	t.Helper()
	o.Env = append(os.Environ(), "SERVER="+mode)
	c, err := Start(t.Context(), []string{os.Args[0]}, o)
	if c != nil {
		t.Cleanup(func() { c.Close() })
	}
	return c, err
}

// A session works, whatever else the server says in it.
func TestSession(t *testing.T) {
	for _, mode := range []string{"good", "noise"} {
		c, err := start(t, mode, Options{MaxLine: 1 << 16})
		if err != nil {
			t.Fatal(mode, err)
		}
		if want := (ServerInfo{"fake", "", "1.2", "2025-06-18", "Mind the gap."}); c.Info != want {
			t.Errorf("%s: %+v", mode, c.Info)
		}
		tools, err := c.Tools(t.Context())
		if err != nil || len(tools) != 2 || string(tools[0]) != `{"name":"a","inputSchema":{"maximum":9007199254740993}}` || string(tools[1]) != `{"name":"b","x":"c2"}` {
			t.Errorf("%s: %s %v", mode, tools, err)
		}
		result, err := c.Call(t.Context(), "b", json.RawMessage(`{"n":1}`))
		if err != nil || string(result) != `{"content":[],"name":"b","arguments":{"n":1}}` {
			t.Errorf("%s: %s %v", mode, result, err)
		}
	}
}

// Whatever a server does, the client ends with an error that says what it was.
func TestHostile(t *testing.T) {
	for _, c := range []struct {
		mode, want string
		o          Options
	}{
		{"silent", "no answer to tools/list within 300ms", Options{Timeout: 300 * time.Millisecond}},
		{"flood", "no answer to tools/list among 501 lines", Options{MaxJunk: 500}},
		{"loop", `its cursor "again" comes again`, Options{}},
		{"endless", "more than 7 pages", Options{MaxPages: 7}},
		{"endless", "longer than 100 bytes", Options{MaxBytes: 100}},
		{"long", "the answer to tools/list is longer than 65536 bytes", Options{MaxLine: 1 << 16}},
		{"twice", "the server's answer is no message: ", Options{}},
		{"error", "the server answered with error -32000: no", Options{}},
		{"odd", "the answer to tools/list: ", Options{}},
		{"half", "the server ended before it answered tools/list", Options{}},
		{"gone", "the server ended before it answered initialize", Options{}},
	} {
		s, err := start(t, c.mode, c.o)
		if err == nil {
			_, err = s.Tools(t.Context())
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.mode, err, c.want)
		}
	}
}

func TestDeaf(t *testing.T) {
	c, err := start(t, "deaf", Options{Grace: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	_, err = c.Call(ctx, "a", json.RawMessage(`"`+strings.Repeat("x", 1<<20)+`"`))
	if err == nil || !strings.Contains(err.Error(), "does not read its input") {
		t.Errorf("a large request: %v", err)
	}
	if _, err = c.Tools(t.Context()); err == nil {
		t.Error("a request behind half of another")
	}
}

func TestCancel(t *testing.T) {
	c, err := start(t, "silent", Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Tools(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := c.Call(t.Context(), "a", nil); err != nil {
		t.Error("the session outlives a cancelled request:", err)
	}
}

// Nothing that the server started survives the session.
func TestGroupIsKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no process groups")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c, err := start(t, "stays", Options{Stderr: w, Grace: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	c.Close()
	c.Close() // again does nothing
	r.SetReadDeadline(time.Now().Add(20 * time.Second))
	if _, err := io.ReadAll(r); err != nil { // ends when the last holder of w does
		t.Fatal("a process is left:", err)
	}
	if _, err := c.Tools(t.Context()); err == nil {
		t.Error("a request to a closed session")
	}
}

func TestNoCommand(t *testing.T) {
	if _, err := Start(t.Context(), nil, Options{}); err == nil {
		t.Error("started nothing")
	}
	if _, err := Start(t.Context(), []string{"./no-such-command"}, Options{}); err == nil || !strings.Contains(err.Error(), "start the server: ") {
		t.Error(err)
	}
}
