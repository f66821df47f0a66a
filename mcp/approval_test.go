package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/teaagent/teaagent/mcp/internal/sandbox"
	"github.com/teaagent/teaagent/mcp/mcptest"
	"github.com/teaagent/teaagent/mcp/policy"
)

// person is somebody at a client, who answers what the server asks.
type person struct {
	answer func(context.Context, *sdk.ElicitParams) (*sdk.ElicitResult, error)
	asked  atomic.Int32
}

// connect starts the fixture with the official client, which speaks the newest
// revision. Without an answer the client does not declare that it can ask.
func connect(t *testing.T, o mcptest.Options, p *person) *sdk.ClientSession {
	t.Helper()
	return connectAs(t, "2026-07-28", o, p)
}

func connectAs(t *testing.T, revision string, o mcptest.Options, p *person) *sdk.ClientSession {
	t.Helper()
	opts := &sdk.ClientOptions{}
	if p != nil {
		opts.ElicitationHandler = func(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			p.asked.Add(1)
			return p.answer(ctx, r.Params)
		}
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, opts)
	s, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: fixture.Command(t, o)}, &sdk.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.InitializeResult().ProtocolVersion; got != revision {
		t.Fatalf("the client speaks %s, not %s", got, revision)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// says calls a tool and returns the text of its answer, errors included.
func says(t *testing.T, s *sdk.ClientSession, tool string, args map[string]any) string {
	t.Helper()
	r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	if len(r.Content) == 0 {
		return ""
	}
	text, ok := r.Content[0].(*sdk.TextContent)
	if !ok {
		return fmt.Sprintf("%T", r.Content[0])
	}
	return text.Text
}

type args = map[string]any

// probes are calls of each column of the mode table, with what they answer if
// they run.
var probes = []struct {
	column string
	tool   string
	args   args
	ran    string
}{
	{"Low", "fx_lookAt", args{}, `{"entries":["a"]}`},
	{"Medium", "fx_addThing", args{"path": "a"}, "added a"},
	{"Medium, destructive", "fx_dropThings", args{"paths": []string{"a"}, "confirm": true}, "dropped a"},
	{"High", "fx_runWords", args{"command": []string{"git", "push"}}, "ran git|push"},
	{"Critical", "fx_purgeThing", args{"name": "a", "confirm": true}, "purged a"},
}

// modeTable is DESIGN 5's: y runs, n is denied, a is asked about, g needs a grant.
var modeTable = map[policy.Mode]string{
	policy.ReadOnly:         "ynnnn",
	policy.WorkspaceWrite:   "yyygg",
	policy.Prompt:           "yyaaa",
	policy.Allow:            "yyyyy",
	policy.DangerFullAccess: "yyyyy",
}

func accept(content args) func(context.Context, *sdk.ElicitParams) (*sdk.ElicitResult, error) {
	return func(context.Context, *sdk.ElicitParams) (*sdk.ElicitResult, error) {
		return &sdk.ElicitResult{Action: "accept", Content: content}, nil
	}
}

func act(action string) func(context.Context, *sdk.ElicitParams) (*sdk.ElicitResult, error) {
	return func(context.Context, *sdk.ElicitParams) (*sdk.ElicitResult, error) {
		return &sdk.ElicitResult{Action: action}, nil
	}
}

// Every mode and tier, with a person who says yes, no, nothing, or something
// else, and with a client that can't ask.
func TestModes(t *testing.T) {
	people := []struct {
		name string
		yes  bool
		*person
	}{
		{"no person", false, nil},
		{"yes, once", true, &person{answer: accept(args{"approve": true, "scope": "once"})}},
		{"yes", true, &person{answer: accept(args{"approve": true})}},
		{"yes, this session", true, &person{answer: accept(args{"approve": true, "scope": "session"})}},
		{"approve is false", false, &person{answer: accept(args{"approve": false})}},
		{"nothing filled in", false, &person{answer: accept(nil)}},
		{"a foreign key", false, &person{answer: accept(args{"approve": true, "why": "because"})}},
		{"declined", false, &person{answer: act("decline")}},
		{"dismissed", false, &person{answer: act("cancel")}},
		{"an error", false, &person{answer: func(context.Context, *sdk.ElicitParams) (*sdk.ElicitResult, error) {
			return nil, errors.New("no")
		}}},
		{"silence", false, &person{answer: func(ctx context.Context, _ *sdk.ElicitParams) (*sdk.ElicitResult, error) {
			select { // a legacy server takes the question back, a modern one the answer not
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(time.Second):
				return &sdk.ElicitResult{Action: "accept", Content: args{"approve": true}}, nil
			}
		}}},
	}
	for _, someone := range people {
		for mode, row := range modeTable {
			if mode == policy.Allow && !sandbox.Confines() {
				row = "yyyay" // the tool of tier High runs commands
			}
			for _, revision := range []string{"2025-11-25", "2026-07-28"} {
				t.Run(fmt.Sprintf("%s/%s/%s", mode, someone.name, revision), func(t *testing.T) {
					t.Parallel()
					var p *person
					if someone.person != nil {
						p = &person{answer: someone.answer}
					}
					dir := t.TempDir()
					s := connectAs(t, revision, mcptest.Options{Dir: dir, Args: []string{
						"--permission-mode", mode.String(), "--approval-timeout", "300ms",
					}}, p)
					for i, probe := range probes {
						if err := os.WriteFile(filepath.Join(dir, "a"), nil, 0o666); err != nil {
							t.Fatal(err)
						}
						for range 2 {
							var before int32
							if p != nil {
								before = p.asked.Load()
							}
							got := "[APPROVAL_DENIED]"
							if someone.name != "an error" || revision != "2026-07-28" || row[i] != 'a' {
								got = says(t, s, probe.tool, probe.args)
							} else if _, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: probe.tool, Arguments: probe.args}); err == nil {
								t.Errorf("%s: the client went on without an answer", probe.column)
							}
							runs := row[i] == 'y' || row[i] == 'a' && someone.yes
							if again := probe.tool == "fx_dropThings" && strings.HasPrefix(got, "[NOT_FOUND]"); runs != (got == probe.ran || again) {
								t.Errorf("%s: got %q, runs should be %v", probe.column, got, runs)
							}
							if !runs && !strings.HasPrefix(got, "[APPROVAL_DENIED]") {
								t.Errorf("%s: a denial reads %q", probe.column, got)
							}
							if asked := p != nil && p.asked.Load() > before; p != nil && asked != (row[i] == 'a') && someone.name != "yes, this session" {
								t.Errorf("%s: asked is %v", probe.column, asked)
							}
						}
					}
					if someone.name == "yes, this session" && mode == policy.Prompt && p.asked.Load() != 3 {
						t.Errorf("a person who allowed three tools for the session was asked %d times", p.asked.Load())
					}
				})
			}
		}
	}
}

// What a person reads before the decision.
func TestQuestion(t *testing.T) {
	var asked *sdk.ElicitParams
	dir := t.TempDir()
	s := connect(t, mcptest.Options{Dir: dir}, &person{answer: func(_ context.Context, p *sdk.ElicitParams) (*sdk.ElicitResult, error) {
		asked = p
		return &sdk.ElicitResult{Action: "decline"}, nil
	}})
	says(t, s, "fx_dropThings", args{"paths": []string{"x/y"}, "confirm": true, "password": "correct horse"})
	for _, want := range []string{
		"May fx_dropThings run?", "Delete files of the workspace.", "may destroy what is there (tier Medium)",
		dir, `"paths":["x/y"]`, `"password":"[redacted]"`, "Would drop x/y. The password is [redacted].", "Digest: ",
	} {
		if !strings.Contains(asked.Message, want) {
			t.Errorf("the question lacks %q:\n%s", want, asked.Message)
		}
	}
	if strings.Contains(asked.Message, "horse") {
		t.Errorf("the question shows a secret argument:\n%s", asked.Message)
	}
}

// A session's yes to a command is to that command alone.
func TestSessionOfCommand(t *testing.T) {
	p := &person{answer: accept(args{"approve": true, "scope": "session"})}
	s := connect(t, mcptest.Options{}, p)
	for i, words := range [][]string{{"git", "log"}, {"git", "log"}, {"git", "log", "-p"}, {"git"}} {
		says(t, s, "fx_runWords", args{"command": words})
		if want := []int32{1, 1, 2, 3}[i]; p.asked.Load() != want {
			t.Errorf("after %q: asked %d times, want %d", words, p.asked.Load(), want)
		}
	}
}
