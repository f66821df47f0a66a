package mcp_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/teaagent/teaagent/mcp/internal/sandbox"
	"github.com/teaagent/teaagent/mcp/mcptest"
)

// The tests of this package drive a built server: testdata/fixture, generated
// by teagen like any other, with bodies that misbehave. What they assert is
// what a client would see.
var fixture = mcptest.Program{Dir: "../testdata/fixture", Package: "./cmd/fixture"}

var update = flag.Bool("update", false, "rewrite what the server says in testdata/transcripts")

func TestMain(m *testing.M) {
	sandbox.Enter()
	code := m.Run()
	fixture.Remove()
	os.Exit(code)
}

func TestSchemas(t *testing.T) { mcptest.Schemas(t) }

func TestTranscripts(t *testing.T) {
	mcptest.Transcripts(t, &fixture, "testdata/transcripts/*.txtar", *update)
	mcptest.Transcripts(t, &fixture, "testdata/transcripts/failures/*.txtar", *update)
}

// open starts the fixture and opens the session with a revision, unless that is empty.
func open(t *testing.T, revision, capabilities string, args ...string) *mcptest.Process {
	t.Helper()
	p := fixture.Start(t, mcptest.Options{Args: args})
	if revision != "" {
		p.Initialize(revision, capabilities)
	}
	return p
}

// frame is a line of the server, read by a JSON reader that is not the server's.
type frame struct {
	text string

	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"` // nil if there is none
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  *result         `json:"result"`
	Error   *protocolError  `json:"error"`
}

type result struct {
	Type    string `json:"resultType"` // "" in the legacy era
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
	Meta       struct {
		Error *failureData `json:"dev.teaagent/error"`
	} `json:"_meta"`
}

type protocolError struct {
	Code    int          `json:"code"`
	Message string       `json:"message"`
	Data    *failureData `json:"data"`
}

// failureData is what a failure says beside its text, in either shape.
type failureData struct {
	Tool         string `json:"tool"`
	Reason       string `json:"reason"`
	Details      string `json:"details"`
	Rule         string `json:"rule"`
	Digest       string `json:"digest"`
	Command      string `json:"command"`
	Pending      bool   `json:"pending"`
	RetryAfterMs int    `json:"retryAfterMs"`
	Retryable    bool   `json:"retryable"`
	Holder       struct {
		Path   string `json:"workspace_path"`
		PID    int    `json:"owner_pid"`
		Since  string `json:"acquired_at"`
		Server string `json:"server"`
	} `json:"holder"`
	Variable   string            `json:"variable"`
	URI        string            `json:"uri"`
	Count      int               `json:"count"`
	Violations []json.RawMessage `json:"violations"`
}

func parse(t *testing.T, line string) frame {
	t.Helper()
	f := frame{text: line}
	if err := json.Unmarshal([]byte(line), &f); err != nil || f.Version != "2.0" {
		t.Fatalf("no JSON-RPC 2.0 (error: %v): %.1000s", err, line)
	}
	return f
}

func next(t *testing.T, p *mcptest.Process) frame {
	t.Helper()
	return parse(t, p.Line())
}

var label = regexp.MustCompile(`^\[[A-Z_]+\]`)

// String says in a few words what a frame is: its id, and then a code, the
// label of a failed call, or what it has else.
func (f frame) String() string {
	id := string(f.ID)
	switch {
	case f.Method != "":
		return f.Method
	case f.ID == nil:
		id = "none"
	}
	switch {
	case f.Error != nil:
		return fmt.Sprint(id, " ", f.Error.Code)
	case f.Result == nil:
		return id + " nothing"
	case f.Result.IsError:
		return id + " " + label.FindString(f.Result.Content[0].Text)
	}
	return id + " result"
}

// call returns a call of a tool with its arguments.
func call(id, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments)
}

func cancel(id string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, id)
}
