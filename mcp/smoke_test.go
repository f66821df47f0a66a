package mcp

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/teaagent/teaagent/mcp/policy"
)

type echoArgs struct {
	Text string
	N    int64
}

var echoKeys = Keys{{Name: "text", Required: true}, {Name: "n"}}

func (a *echoArgs) decodeArgs(d *Decoder) {
	a.N = 1
	for d.Next(echoKeys) {
		switch d.Key() {
		case "text":
			a.Text = d.Text(Length(1, 200000))
		case "n":
			a.N = d.Int(1, 100)
		}
	}
}

type bodies struct{}

func (bodies) Echo(ctx context.Context, a echoArgs) (Result, error) {
	switch a.Text {
	case "panic":
		panic("x")
	case "exit":
		runtime.Goexit()
	case "slow":
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(300 * time.Millisecond):
		}
	}
	return Text(fmt.Sprint(a.Text, a.N)), nil
}

var schemas = "{\n\"t_echo\": {\"input\":{\"type\":\"object\"}}\n}\n"

var testServer = Server[bodies]{
	Info: Info{Name: "t", Version: "1"},
	Categories: []Category[bodies]{{
		Name: "c", Schemas: &schemas,
		Specs: []Spec{{Name: "t_echo", Tier: TierLow, ReadOnly: true}},
		Call: func(c *Call, h bodies, tool int) {
			var a echoArgs
			if a.decodeArgs(c.Args()); c.Admit() {
				c.Return(h.Echo(c.Context(), a))
			}
		},
	}},
}

func TestSmoke(t *testing.T) {
	ir, iw := io.Pipe()
	or, ow := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- Serve(context.Background(), &testServer, bodies{}, Options{In: ir, Out: ow, Mode: policy.Allow})
		ow.Close()
	}()
	go func() {
		for _, l := range []string{
			`{"jsonrpc":"2.0","id":1,"method":"ping"}`,
			`{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`,
			`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`,
			`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"t_echo","arguments":{"text":"a","n":5}}}`,
			`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"t_echo","arguments":{"n":500,"x":1}}}`,
			`{"jsonrpc":"2.0","id":"s","method":"tools/call","params":{"name":"t_echo","arguments":{"text":"slow"}}}`,
			`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"t_echo","arguments":{"text":"panic"}}}`,
			`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t_echo","arguments":{"text":"exit"}}}`,
			`{"jsonrpc":"2.0","id":8,"method":"ping"}`,
			`{"jsonrpc":"2.0","id":9,"method":"ping"`,
			`[]`,
		} {
			io.WriteString(iw, l+"\n")
		}
		iw.Close()
	}()
	s := bufio.NewScanner(or)
	for s.Scan() {
		t.Log(s.Text())
	}
	<-done
}

func BenchmarkCall(b *testing.B) {
	ir, iw := io.Pipe()
	or, ow := io.Pipe()
	go Serve(context.Background(), &testServer, bodies{}, Options{In: ir, Out: ow, Mode: policy.Allow})
	line := []byte(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"t_echo","arguments":{"text":"a","n":5}}}` + "\n")
	buf := make([]byte, 4096)
	b.ReportAllocs()
	for b.Loop() {
		iw.Write(line)
		or.Read(buf)
	}
}

type repeat struct {
	line []byte
	n    int
}

func (r *repeat) Read(p []byte) (int, error) {
	n := 0
	for n+len(r.line) <= len(p) && r.n > 0 {
		n += copy(p[n:], r.line)
		r.n--
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func BenchmarkCallBatch(b *testing.B) {
	line := []byte(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"t_echo","arguments":{"text":"a","n":5}}}` + "\n")
	b.ReportAllocs()
	Serve(context.Background(), &testServer, bodies{}, Options{In: &repeat{line, b.N}, Out: io.Discard, Mode: policy.Allow})
}
