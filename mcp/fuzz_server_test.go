package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/teaagent/teaagent/mcp"
	"github.com/teaagent/teaagent/mcp/policy"
)

// The server of the fuzz targets runs inside of the test: thousands of sessions
// a second, and the fuzzer sees which code they reach. Its tools are those that
// lead down different ways: a text, a struct, all kinds of content, a question,
// a change that has to be approved, an error.
var fuzzServer = mcp.Server[*fuzzHandlers]{
	Info: mcp.Info{
		Name: "fz", Prefix: "fz", Title: "Fuzzed", Version: "1", Instructions: "Break it.", Resources: true,
		Templates: []mcp.ResourceTemplate{{URITemplate: "fz://{+path}", Name: "any"}},
	},
	Categories: []mcp.Category[*fuzzHandlers]{{
		Name: "all", Schemas: &fuzzSchemas, Call: fuzzCall,
		Specs: []mcp.Spec{
			{Name: "fz_echo", Description: "Echo.", Tier: mcp.TierLow, ReadOnly: true},
			{Name: "fz_count", Description: "Count.", Tier: mcp.TierLow, ReadOnly: true},
			{Name: "fz_show", Description: "Show.", Tier: mcp.TierLow, ReadOnly: true},
			{Name: "fz_ask", Description: "Ask.", Tier: mcp.TierMedium, RateLimit: mcp.RateLimit{MaxCalls: 3, Window: time.Hour}},
			{Name: "fz_drop", Description: "Drop.", Tier: mcp.TierHigh, Destructive: true, RequiresConfirm: true},
			{Name: "fz_fail", Description: "Fail.", Tier: mcp.TierLow, Auth: []string{"FZ_TOKEN"}},
		},
	}},
}

var fuzzSchemas = `{
"fz_echo":{"input":{"type":"object"}},
"fz_count":{"input":{"type":"object"},
"output":{"type":"object"}},
"fz_show":{"input":{"type":"object"}},
"fz_ask":{"input":{"type":"object"}},
"fz_drop":{"input":{"type":"object"}},
"fz_fail":{"input":{"type":"object"}}
}
`

type fuzzHandlers struct{}

var fuzzKeys = mcp.Keys{{Name: "text"}, {Name: "n"}, {Name: "list"}}

type fuzzArgs struct {
	text string
	n    int64
	list []float64
}

func (a *fuzzArgs) decode(d *mcp.Decoder) {
	for d.Next(fuzzKeys) {
		switch d.Key() {
		case "text":
			a.text = d.Text(mcp.Length(0, 1000))
		case "n":
			a.n = d.Int(-9, 1<<53)
		case "list":
			for d.Elem(mcp.Items(0, 5)) {
				a.list = append(a.list, d.Number())
			}
		}
	}
}

// fuzzCount is a result as it is generated.
type fuzzCount struct{ a fuzzArgs }

func (r fuzzCount) EncodeJSON(e *mcp.Encoder) {
	e.Begin('{')
	e.Key("n")
	e.Int(r.a.n, -5, 1<<53)
	e.Key("text")
	e.Text(r.a.text)
	e.End('}')
}

func fuzzCall(c *mcp.Call, h *fuzzHandlers, tool int) {
	var a fuzzArgs
	if a.decode(c.Args()); !c.Admit() {
		return
	}
	ctx := c.Context()
	mcp.Progress(ctx, 1, 2, a.text)
	if a.n == 7 {
		if err := mcp.SetMeta(ctx, "com.example/"+a.text, mcp.JSON(`{"n":7}`)); err != nil {
			c.Return(nil, err)
			return
		}
	}
	switch tool {
	case 0:
		c.Return(mcp.Text(fmt.Sprint(a.text, a.n, a.list)), nil)
	case 1:
		c.Return(fuzzCount{a}, nil)
	case 2:
		contents := mcp.ResourceContents{URI: "fz://a", Text: a.text}
		c.Return(mcp.Content{
			mcp.Text(a.text), mcp.Image{Data: []byte(a.text), MIMEType: "image/png"}, mcp.Audio{MIMEType: "audio/wav"},
			mcp.Embedded{Contents: contents}, mcp.Link{Resource: mcp.Resource{URI: "fz://a", Name: a.text, Size: mcp.Some(a.n)}},
		}, nil)
	case 3:
		c.Return(fuzzAsk(ctx, a))
	case 4:
		if c.DryRun() {
			c.Preview(mcp.Preview{Text: a.text, Diff: a.text}, nil)
		} else {
			c.Return(mcp.Text("dropped"), nil)
		}
	default:
		c.Return(nil, mcp.Errorf("BROKEN", "%s", a.text))
	}
}

// fuzzAsk asks one thing, and where there is a number another one; it may need
// what few clients have.
func fuzzAsk(ctx context.Context, a fuzzArgs) (mcp.Result, error) {
	var answer struct{ Name string }
	if a.n < 0 {
		if err := mcp.Require(ctx, "sampling"); err != nil {
			return nil, err
		}
	}
	err := mcp.Ask(ctx, "who", a.text, json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"},"approve":{"type":"boolean"},"scope":{"type":"string"}}}`), &answer)
	if err == nil && a.n > 0 {
		err = mcp.Ask(ctx, "why", a.text, json.RawMessage(`{"type":"object","properties":{"name":{"type":"string","enum":["x","y"]},"approve":{"type":"boolean"},"scope":{"type":"string"}}}`), &answer)
	}
	mcp.Progress(ctx, 2, 2, a.text)
	return mcp.Text(answer.Name), err
}

// ListResources takes the cursor "2", and gives it.
func (*fuzzHandlers) ListResources(_ context.Context, cursor string) ([]mcp.Resource, string, error) {
	switch cursor {
	case "":
		return []mcp.Resource{{URI: "fz://a", Name: "a"}}, "2", nil
	case "2":
		return []mcp.Resource{{URI: "fz://b", Name: "b", Title: "B", MIMEType: "text/plain"}}, "", nil
	}
	return nil, "", mcp.ErrBadCursor
}

func (*fuzzHandlers) ReadResource(_ context.Context, uri string) ([]mcp.ResourceContents, error) {
	path, ok := strings.CutPrefix(uri, "fz://")
	switch {
	case !ok || path == "":
		return nil, fmt.Errorf("%w: %s", mcp.ErrNoResource, uri)
	case strings.HasPrefix(path, "blob/"):
		return []mcp.ResourceContents{{URI: uri, Blob: []byte(path)}}, nil
	case path == "broken":
		return nil, mcp.Errorf("BROKEN", "%s", uri)
	}
	return []mcp.ResourceContents{{URI: uri, Text: path, MIMEType: "text/plain"}}, nil
}

// fuzzSession is a client that sends lines, answers what it is asked, and hangs
// up when all that it waits for is there.
type fuzzSession struct {
	t       *testing.T
	answers []string // to what the server asks: results, of which the last one counts again and again

	mu    sync.Mutex
	came  sync.Cond
	in    []byte                                    // on its way to the server
	half  []byte                                    // of a line from the server
	lines []fuzzLine                                // from the server
	waits map[string]bool                           // ids of requests without an answer
	then  func(id string, m fuzzLine) (more string) // what is sent after an answer
	asked int
}

// fuzzLine is a message from the server, split by a reader that is not the server's.
type fuzzLine struct {
	text    []byte
	members map[string]jsontext.Value
}

// Read gives the server what it was sent.
func (s *fuzzSession) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.in) == 0 && len(s.waits) > 0 {
		s.came.Wait()
	}
	if len(s.in) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.in)
	s.in = s.in[n:]
	return n, nil
}

// Write takes what the server says.
func (s *fuzzSession) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.half = append(s.half, p...)
	for {
		line, rest, whole := bytes.Cut(s.half, []byte("\n"))
		if !whole {
			break
		}
		s.take(bytes.Clone(line))
		s.half = rest
	}
	s.came.Broadcast()
	return len(p), nil
}

// take takes a line: one message, or a batch of answers.
func (s *fuzzSession) take(line []byte) {
	value := jsontext.Value(line)
	if !value.IsValid() {
		s.t.Errorf("the server says what is no JSON: %q", line)
		return
	}
	if value.Kind() != '[' {
		s.message(line)
		return
	}
	var batch []jsontext.Value
	if json.Unmarshal(line, &batch); len(batch) == 0 {
		s.t.Errorf("the server says %s", line)
	}
	for _, one := range batch {
		s.message(one)
	}
}

func (s *fuzzSession) message(text []byte) {
	m := fuzzLine{text, membersOf(text)}
	s.lines = append(s.lines, m)
	id := string(m.members["id"])
	switch {
	case m.members["method"] != nil && id != "": // a question: its answer is the fuzzer's, and then one that is good
		answer := s.answers[min(s.asked, len(s.answers)-1)]
		s.asked++
		s.in = fmt.Appendf(s.in, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"action\":\"decline\"}}\n", id, answer, id)
	case m.members["method"] == nil && s.waits[id]:
		delete(s.waits, id)
		if s.then != nil {
			s.in = append(s.in, s.then(id, m)...)
		}
	}
}

// serve runs the server until the session is over.
func (s *fuzzSession) serve(how uint8) {
	s.t.Helper()
	s.came.L = &s.mu
	ctx, cancel := context.WithTimeout(s.t.Context(), 10*time.Second)
	defer cancel()
	o := mcp.Options{In: s, Out: s, Mode: policy.Allow, Getenv: func(string) string { return "" }, Log: slog.New(slog.DiscardHandler), MaxLine: 1 << 20}
	if how&howPrompt != 0 {
		o.Mode = policy.Prompt
	}
	if how&howSeed != 0 {
		o.Profile = mcp.ProfileSeed
	}
	if err := mcp.Serve(ctx, &fuzzServer, &fuzzHandlers{}, o); err != nil {
		s.t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range s.waits {
		s.t.Errorf("request %s was not answered", id)
	}
	if clear(s.waits); len(s.half) > 0 {
		s.t.Errorf("half a line: %q", s.half)
	}
	s.came.Broadcast()
}

// membersOf returns the members of an object; nil of anything else.
func membersOf(object jsontext.Value) map[string]jsontext.Value {
	if object.Kind() != '{' || !object.IsValid() {
		return nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(object))
	members := map[string]jsontext.Value{}
	d.ReadToken()
	for d.PeekKind() == '"' {
		key, _ := d.ReadToken()
		name := key.String()
		value, _ := d.ReadValue()
		members[name] = bytes.Clone(value)
	}
	return members
}
