package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/teaagent/teaagent/mcp/mcptest"
)

// A whole session of the official Go client, in each era that it knows. Left to
// itself it looks for the modern one.
func TestSessionOfGoSDK(t *testing.T) {
	for _, era := range []struct{ pinned, revision string }{
		{"", "2026-07-28"},
		{"2025-11-25", "2025-11-25"},
		{"2025-06-18", "2025-06-18"},
	} {
		t.Run("pinned to "+era.pinned, func(t *testing.T) {
			t.Parallel()
			s := begin(t, era.pinned)
			if got := s.InitializeResult().ProtocolVersion; got != era.revision {
				t.Fatalf("the revision is %s, want %s", got, era.revision)
			}
			t.Run("tools", s.testTools)
			t.Run("questions", s.testQuestions)
			t.Run("progress", s.testProgress)
			t.Run("cancellation", s.testCancellation)
			t.Run("resources", s.testResources)
			t.Run("frames", s.testFrames)
			if err := s.Close(); err != nil {
				t.Errorf("the server ends with: %v", err)
			}
		})
	}
}

// session is a session of which everything is noted.
type session struct {
	*sdk.ClientSession
	person   *person
	progress chan *sdk.ProgressNotificationParams
	stderr   notes
	wire     notes // "read: …" or "write: …" for each frame
}

func begin(t *testing.T, revision string) *session {
	s := &session{person: &person{}, progress: make(chan *sdk.ProgressNotificationParams, 1<<16)}
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ElicitationHandler: func(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			s.person.asked.Add(1)
			return s.person.answer(ctx, r.Params)
		},
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			select {
			case s.progress <- r.Params:
			default:
			}
		},
	})
	command := fixture.Command(t, mcptest.Options{Args: []string{"--permission-mode", "prompt"}})
	command.Stderr = &s.stderr
	transport := &sdk.LoggingTransport{Transport: &sdk.CommandTransport{Command: command}, Writer: &s.wire}
	var err error
	if s.ClientSession, err = client.Connect(t.Context(), transport, &sdk.ClientSessionOptions{ProtocolVersion: revision}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func (s *session) testTools(t *testing.T) {
	var names []string
	for tool, err := range s.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	if !slices.Contains(names, "fx_giveResult") {
		t.Errorf("the tools are %q", names)
	}
	if got := says(t, s.ClientSession, "fx_echoText", args{"text": "tea", "times": 2}); got != "teatea" {
		t.Errorf("an echo is %q", got)
	}
	r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "fx_giveResult", Arguments: args{"count": 3}})
	want := args{"numbers": []any{0.0, 1.0, 2.0}, "note": "many"}
	if err != nil || r.IsError || !reflect.DeepEqual(r.StructuredContent, want) {
		t.Errorf("a result is %+v, %v", r, err)
	}
	r, err = s.CallTool(t.Context(), &sdk.CallToolParams{Name: "fx_giveContent"})
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, item := range r.Content {
		kinds = append(kinds, fmt.Sprintf("%T", item))
	}
	if got := strings.Join(kinds, " "); got != "*mcp.TextContent *mcp.ImageContent *mcp.AudioContent *mcp.EmbeddedResource *mcp.EmbeddedResource *mcp.ResourceLink" {
		t.Errorf("content is %s", got)
	}
	_, err = s.CallTool(t.Context(), &sdk.CallToolParams{Name: "fx_none"})
	checkCode(t, "an unknown tool", err, -32602)
}

func (s *session) testQuestions(t *testing.T) {
	var question *sdk.ElicitParams
	reply := func(action string, content args) {
		s.person.answer = func(_ context.Context, p *sdk.ElicitParams) (*sdk.ElicitResult, error) {
			question = p
			return &sdk.ElicitResult{Action: action, Content: content}, nil
		}
	}
	for i, step := range []struct {
		tool    string
		args    args
		action  string
		content args
		asked   string
		want    string
	}{
		{"fx_askUser", args{}, "accept", args{"name": "Ann"}, "What is your name?", "hello Ann"},
		{"fx_askUser", args{}, "decline", nil, "What is your name?", "[ASK_DECLINED]"},
		{"fx_purgeThing", args{"name": "a", "confirm": true}, "accept", args{"approve": true, "scope": "once"}, "May fx_purgeThing run?", "purged a"},
		{"fx_purgeThing", args{"name": "b", "confirm": true}, "accept", args{"approve": false}, "May fx_purgeThing run?", "[APPROVAL_DENIED]"},
		{"fx_purgeThing", args{"name": "c", "confirm": true}, "cancel", nil, "May fx_purgeThing run?", "[APPROVAL_DENIED]"},
	} {
		reply(step.action, step.content)
		if got := says(t, s.ClientSession, step.tool, step.args); !strings.HasPrefix(got, step.want) {
			t.Errorf("%s, %s %v: got %q, want %s", step.tool, step.action, step.content, got, step.want)
		}
		if asked := int(s.person.asked.Load()); asked != i+1 || !strings.HasPrefix(question.Message, step.asked) {
			t.Fatalf("%s: after %d questions the last is %+v", step.tool, asked, question)
		}
	}
}

func (s *session) testProgress(t *testing.T) {
	params := &sdk.CallToolParams{Meta: sdk.Meta{}, Name: "fx_reportProgress"}
	params.SetProgressToken("steps")
	if r, err := s.CallTool(t.Context(), params); err != nil || r.IsError {
		t.Fatal(r, err)
	}
	for step := 1.0; step <= 3; step++ {
		p := s.nextProgress(t)
		if p.ProgressToken != "steps" || p.Progress != step || p.Total != 3 || p.Message != "step" {
			t.Errorf("progress %v is %+v", step, p)
		}
	}
	if got := says(t, s.ClientSession, "fx_reportProgress", args{}); got != "done" || len(s.progress) > 0 {
		t.Errorf("without a token: %q, and %d progress", got, len(s.progress))
	}
}

func (s *session) nextProgress(t *testing.T) *sdk.ProgressNotificationParams {
	t.Helper()
	select {
	case p := <-s.progress:
		return p
	case <-time.After(mcptest.Patience):
		t.Fatal("no progress")
		return nil
	}
}

func (s *session) testCancellation(t *testing.T) {
	flood := &sdk.CallToolParams{Meta: sdk.Meta{}, Name: "fx_reportProgress", Arguments: args{"how": "flood"}}
	flood.SetProgressToken("flood")
	for i, request := range []struct {
		method string
		run    func(context.Context) error
	}{
		{"tools/call", func(ctx context.Context) error {
			_, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "fx_waitLong"})
			return err
		}},
		{"resources/read", func(ctx context.Context) error {
			_, err := s.ReadResource(ctx, &sdk.ReadResourceParams{URI: "fx://slow"})
			return err
		}},
		{"tools/call", func(ctx context.Context) error {
			_, err := s.CallTool(ctx, flood)
			return err
		}},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		sent := s.wire.count(request.method)
		ended := make(chan error, 1)
		go func() { ended <- request.run(ctx) }()
		s.wire.await(t, request.method, sent+1)
		if i == 2 {
			for step := 1.0; step <= 3; step++ {
				if p := s.nextProgress(t); p.ProgressToken != "flood" || p.Progress != step {
					t.Errorf("progress %v is %+v", step, p)
				}
			}
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("request %d ends with: %v", i, err)
		}
		s.stderr.await(t, "told to stop", i+1)
	}
	says(t, s.ClientSession, "fx_echoText", args{"text": "all that was sent before is read"})
	before := s.wire.count("notifications/progress")
	if got := says(t, s.ClientSession, "fx_echoText", args{"text": "still here"}); got != "still here" {
		t.Errorf("the next call answers %q", got)
	}
	if after := s.wire.count("notifications/progress"); after != before {
		t.Errorf("%d progress after a call's end", after-before)
	}
}

func (s *session) testResources(t *testing.T) {
	var listed []string
	for r, err := range s.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		listed = append(listed, r.URI)
	}
	for r, err := range s.ResourceTemplates(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		listed = append(listed, r.URITemplate)
	}
	if want := []string{"fx://text", "fx://blob", "fx://{+name}"}; !slices.Equal(listed, want) {
		t.Errorf("listed are %q, want %q", listed, want)
	}
	for uri, want := range map[string]string{"fx://text": "text", "fx://blob": "\xff\x00\xfe"} {
		r, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil || len(r.Contents) != 1 || r.Contents[0].Text+string(r.Contents[0].Blob) != want {
			t.Errorf("%s: %+v, %v", uri, r, err)
		}
	}
	_, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "fx://none"})
	checkCode(t, "an unknown resource", err, -32602)
}

// testFrames looks at what went over the wire.
func (s *session) testFrames(t *testing.T) {
	modern := s.InitializeResult().ProtocolVersion == "2026-07-28"
	var questions, handshakes, cancelled int
	ended, answered := map[string]bool{}, map[string]bool{}
	results := map[string]int{}
	for line := range strings.Lines(s.wire.String()) {
		side, text, _ := strings.Cut(strings.TrimSpace(line), ": ")
		var f struct {
			ID     json.RawMessage
			Method string
			Params struct{ RequestID json.RawMessage }
			Result *struct{ ResultType string }
		}
		if err := json.Unmarshal([]byte(text), &f); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		switch {
		case side == "write" && f.Method == "initialize":
			handshakes++
		case side == "write" && f.Method == "notifications/cancelled":
			cancelled++
			ended[string(f.Params.RequestID)] = true
		case side == "read" && f.Method != "" && f.ID != nil:
			questions++
		case side == "read" && f.Method == "":
			answered[string(f.ID)] = true
			if f.Result != nil {
				results[f.Result.ResultType]++
			}
		}
	}
	if cancelled != 3 || len(ended) != 3 {
		t.Errorf("%d requests were cancelled, with the ids of %d", cancelled, len(ended))
	}
	for id := range ended {
		if answered[id] {
			t.Errorf("request %s was cancelled and answered", id)
		}
	}
	if modern {
		if handshakes != 0 || questions != 0 || results["input_required"] != 5 || results[""] != 0 {
			t.Errorf("modern: %d handshakes, %d requests of the server, results %v", handshakes, questions, results)
		}
	} else if handshakes != 1 || questions != 5 || len(results) != 1 || results[""] == 0 {
		t.Errorf("legacy: %d handshakes, %d requests of the server, results %v", handshakes, questions, results)
	}
}

func checkCode(t *testing.T, what string, err error, code int64) {
	t.Helper()
	var e *jsonrpc.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("%s: %v, want code %d", what, err, code)
	}
}

// notes is a text that others write.
type notes struct {
	mu      sync.Mutex
	text    []byte
	changed chan struct{} // closed at the next change, if there is one
}

func (n *notes) Write(text []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.text = append(n.text, text...)
	if n.changed != nil {
		close(n.changed)
		n.changed = nil
	}
	return len(text), nil
}

func (n *notes) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return string(n.text)
}

func (n *notes) count(part string) int { return strings.Count(n.String(), part) }

// await waits until part stands there count times.
func (n *notes) await(t *testing.T, part string, count int) {
	t.Helper()
	late := time.After(mcptest.Patience)
	for {
		n.mu.Lock()
		if n.changed == nil {
			n.changed = make(chan struct{})
		}
		changed, text := n.changed, string(n.text)
		n.mu.Unlock()
		if strings.Count(text, part) >= count {
			return
		}
		select {
		case <-changed:
		case <-late:
			t.Fatalf("%q does not come %d times:\n%.2000s", part, count, text)
		}
	}
}
