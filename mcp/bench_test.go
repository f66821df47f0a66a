package mcp

import (
	"context"
	"fmt"
	"io"
	"testing"

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
	return Text(fmt.Sprint(a.Text, a.N)), nil
}

var schemas = "{\n\"t_echo\":{\"input\":{\"type\":\"object\"}}\n}\n"

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

// One call at a time, over pipes in memory.
func BenchmarkCall(b *testing.B) {
	ir, iw := io.Pipe()
	or, ow := io.Pipe()
	go Serve(context.Background(), &testServer, bodies{}, Options{In: ir, Out: ow, Mode: policy.Allow, Home: b.TempDir()})
	line := []byte(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"t_echo","arguments":{"text":"a","n":5}}}` + "\n")
	buf := make([]byte, 4096)
	b.ReportAllocs()
	for b.Loop() {
		iw.Write(line)
		or.Read(buf)
	}
}

// repeat is a stream of n equal lines.
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

// As many as fit into the reader's buffer at a time.
func BenchmarkCallBatch(b *testing.B) {
	line := []byte(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"t_echo","arguments":{"text":"a","n":5}}}` + "\n")
	b.ReportAllocs()
	Serve(context.Background(), &testServer, bodies{}, Options{In: &repeat{line, b.N}, Out: io.Discard, Mode: policy.Allow, Home: b.TempDir()})
}
