package mcp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/teaagent/teaagent/mcp/mcptest"
)

// cell is what a failure looks like to a client: a protocol error with a code,
// or an isError result with a label.
type cell struct {
	code  int
	label string
}

func code(n int) cell         { return cell{code: n} }
func isError(s string) cell   { return cell{label: s} }
func both(c cell) [2]cell     { return [2]cell{c, c} }
func cells(a, b cell) [2]cell { return [2]cell{a, b} }

// situation is a row of the table in DESIGN 4: a request that fails, and how
// that looks in the profiles seed and official.
type situation struct {
	name    string
	request string // the line that the client sends
	reason  string
	says    string // is in the text
	want    [2]cell
	check   func(failureData) bool // what else the data says; nil for nothing
}

// sort tells the rows that every client gets from those that take megabytes,
// or seconds.
func (s situation) sort() string {
	switch {
	case strings.HasPrefix(s.name, "timeout"):
		return "slow"
	case strings.Contains(s.name, "over the cap"), strings.Contains(s.name, "long name"):
		return "large"
	}
	return "small"
}

func toolCall(tool, arguments string) string { return call(`"x"`, tool, arguments) }

// Rows that need more than one request, rate limit, lock and overload, are
// below.
var situations = []situation{
	{"unknown tool", toolCall("fx_echoTxt", `{}`), "unknown_tool", `did you mean "fx_echoText"?`, cells(code(-32601), code(-32602)), nil},
	{"unknown tool, long name", toolCall(strings.Repeat("n", 9<<20), `{}`), "unknown_tool", "unknown tool", cells(code(-32601), code(-32602)), nil},
	{"bad argument", toolCall("fx_echoText", `{"text":5}`), "invalid_argument", "/text: want a string, got the number 5", cells(code(-32602), isError("INVALID_ARGUMENT")),
		func(d failureData) bool {
			return d.Count == 1 && len(d.Violations) == 1 && string(d.Violations[0]) == `{"pointer":"/text","want":"a string","got":"the number 5"}`
		}},
	{"many bad arguments", toolCall("fx_echoText", manyKeys(99)), "invalid_argument", "and 50 more", cells(code(-32602), isError("INVALID_ARGUMENT")),
		func(d failureData) bool { return d.Count == 100 && len(d.Violations) == 50 }},
	{"wrong case", toolCall("fx_echoText", `{"Text":"a"}`), "invalid_argument", `did you mean "text"?`, cells(code(-32602), isError("INVALID_ARGUMENT")), nil},
	{"arguments are an array", toolCall("fx_echoText", `["a"]`), "invalid_argument", "want an object, got an array", cells(code(-32602), isError("INVALID_ARGUMENT")), nil},
	{"arguments are null", toolCall("fx_echoText", `null`), "invalid_argument", "want an object, got null", cells(code(-32602), isError("INVALID_ARGUMENT")), nil},
	{"denied", toolCall("fx_removeThing", `{"name":"a","confirm":true}`), "approval_denied", "An operator approves exactly this call, once, by running:\n  fixture mcp approvals approve ", cells(code(-32001), isError("APPROVAL_DENIED")),
		func(d failureData) bool {
			return d.Rule == "mode:prompt" && d.Pending && len(d.Digest) == 64 && strings.Contains(d.Command, d.Digest)
		}},
	{"result out of range", toolCall("fx_breakSchema", `{"how":"range"}`), "unsendable_result", `"small" is not`, cells(code(-32000), isError("INTERNAL")), nil},
	{"result not in its enum", toolCall("fx_breakSchema", `{"how":"enum"}`), "unsendable_result", `"color" is not`, cells(code(-32000), isError("INTERNAL")), nil},
	{"result no number", toolCall("fx_breakSchema", `{"how":"infinity"}`), "unsendable_result", `"ratio" is not`, cells(code(-32000), isError("INTERNAL")), nil},
	{"result with too many items", toolCall("fx_breakSchema", `{"how":"items"}`), "unsendable_result", `"list" is not`, cells(code(-32000), isError("INTERNAL")), nil},
	{"result over the cap", toolCall("fx_failWith", `{"how":"huge"}`), "unsendable_result", "over the limit of 8388608", cells(code(-32000), isError("INTERNAL")), nil},
	{"no result", toolCall("fx_failWith", `{"how":"nothing"}`), "unsendable_result", "the tool has run", cells(code(-32000), isError("INTERNAL")), nil},
	{"hollow result", toolCall("fx_failWith", `{"how":"hollow"}`), "unsendable_result", "the tool has run", cells(code(-32000), isError("INTERNAL")), nil},
	{"env missing", toolCall("fx_needToken", `{}`), "auth_missing", "FX_TOKEN is not set. See https://example.com/fixture#readme", both(isError("AUTH_MISSING")),
		func(d failureData) bool { return d.Variable == "FX_TOKEN" }},
	{"plain error", toolCall("fx_failWith", `{"how":"plain"}`), "tool_failed", "something broke", both(isError("FAILED")), nil},
	{"coded error", toolCall("fx_failWith", `{"how":"coded"}`), "tool_failed", "the pot is empty; boil 2 cups", both(isError("OUT_OF_TEA")), nil},
	{"error of a known kind", toolCall("fx_failWith", `{"how":"missing"}`), "tool_failed", "look for tea: file does not exist", both(isError("NOT_FOUND")), nil},
	{"error over the cap", toolCall("fx_failWith", `{"how":"verbose"}`), "tool_failed", "no\x00tea", both(isError("FAILED")), nil},
	{"panic", toolCall("fx_failWith", `{"how":"panic"}`), "tool_failed", "panicked", both(isError("INTERNAL")), nil},
	{"exit of the goroutine", toolCall("fx_failWith", `{"how":"exit"}`), "tool_failed", "ended its goroutine", both(isError("INTERNAL")), nil},
	{"timeout", call(`"t"`, "fx_waitFor", `{"millis":600000}`), "tool_failed", "timed out after 1s", both(isError("TIMEOUT")), nil},
	{"timeout of a stubborn body", toolCall("fx_waitFor", `{"millis":600000,"stubborn":true}`), "tool_failed", "its effect may still go on", both(isError("TIMEOUT")), nil},
	{"unknown resource", request(`"x"`, `"resources/read"`, `{"uri":"fx://none"}`), "unknown_resource", "no such resource", both(code(-32602)),
		func(d failureData) bool { return d.URI == "fx://none" }},
	{"failing resource", request(`"x"`, `"resources/read"`, `{"uri":"fx://broken"}`), "resource_failed", "something broke", both(code(-32603)), nil},
	{"resource that panics", request(`"x"`, `"resources/read"`, `{"uri":"fx://panic"}`), "tool_failed", "panicked", both(code(-32603)), nil},
	{"resource over the cap", request(`"x"`, `"resources/read"`, `{"uri":"fx://huge"}`), "unsendable_result", "over the limit", cells(code(-32000), code(-32603)), nil},
	{"resource with a long name", request(`"x"`, `"resources/read"`, `{"uri":"`+strings.Repeat("u", 9<<20)+`"}`), "unknown_resource", "no such resource", both(code(-32602)), nil},
}

// With --permission-mode allow the guard alone stands before a guarded tool.
var unconfirmed = []situation{
	{"confirm missing", toolCall("fx_removeThing", `{"name":"a"}`), "confirm_required", "again with confirm=true", both(isError("CONFIRM_REQUIRED")), nil},
	{"confirm false", toolCall("fx_removeThing", `{"name":"a","confirm":false}`), "confirm_required", "dry_run=true", both(isError("CONFIRM_REQUIRED")), nil},
	{"confirm missing, no preview", toolCall("fx_confirmThing", `{}`), "confirm_required", "confirm=true", both(isError("CONFIRM_REQUIRED")), nil},
}

// client is who sees which column of the table.
type client struct {
	profile, revision string
	column            int
	large             bool // gets the large rows, too
}

// Modern requests have one column in every profile: they never see -32000 to -32019.
var clients = []client{
	{"auto", "", 0, false},
	{"auto", "2024-11-05", 0, true},
	{"auto", "2025-03-26", 1, false},
	{"auto", "2025-06-18", 1, false},
	{"auto", "2025-11-25", 1, true},
	{"seed", "2025-11-25", 0, false},
	{"seed", "", 0, false},
	{"official", "2024-11-05", 1, false},
	{"official", "", 1, false},
	{"auto", modern, 1, true},
	{"seed", modern, 1, false},
	{"official", modern, 1, false},
}

// modern is the revision whose requests stand alone.
const modern = "2026-07-28"

// open starts a server for the client, and opens its session if it has one.
func (c client) open(t *testing.T, o mcptest.Options) *mcptest.Process {
	t.Helper()
	o.Args = append([]string{"--error-profile", c.profile}, o.Args...)
	p := fixture.Start(t, o)
	if c.revision != "" && c.revision != modern {
		p.Initialize(c.revision, "")
	}
	return p
}

// send sends a request, with the _meta that each has in the modern era.
func (c client) send(p *mcptest.Process, request string) {
	if c.revision == modern {
		before, params, _ := strings.Cut(request, `"params":{`)
		meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + modern + `","io.modelcontextprotocol/clientCapabilities":{}}`
		if params[0] != '}' {
			meta += ","
		}
		request = before + `"params":{` + meta + params
	}
	p.Send(request)
}

// meet sends the request of a row, and looks at the failure.
func (c client) meet(t *testing.T, p *mcptest.Process, s situation) {
	t.Helper()
	c.send(p, s.request)
	c.assert(t, s, next(t, p))
}

// assert compares a failure with the client's cell of a row.
func (c client) assert(t *testing.T, s situation, f frame) {
	t.Helper()
	s.assert(t, f, c.column)
	if f.Result == nil {
		return
	}
	want := ""
	if c.revision == modern {
		want = "complete"
	}
	if f.Result.Type != want {
		t.Errorf("%s: the result's type is %q, not %q", s.name, f.Result.Type, want)
	}
}

func TestFailures(t *testing.T) {
	slow := make([]*mcptest.Process, len(clients)) // where a call waits for its timeout meanwhile
	for i, c := range clients {
		slow[i] = c.open(t, mcptest.Options{})
		for _, s := range situations {
			if s.sort() == "slow" {
				c.send(slow[i], s.request)
			}
		}
	}
	for i, c := range clients {
		t.Run(fmt.Sprintf("%s %s", c.profile, c.revision), func(t *testing.T) {
			p := c.open(t, mcptest.Options{})
			for _, s := range situations {
				if s.sort() == "small" || s.sort() == "large" && c.large {
					c.meet(t, p, s)
					p.Ping()
				}
			}
			allow := c.open(t, mcptest.Options{Args: []string{"--permission-mode", "allow"}})
			for _, s := range unconfirmed {
				c.meet(t, allow, s)
				allow.Ping()
			}
			c.overload(t, allow)
			c.overLimit(t, p)
			c.lockedOut(t)
			for _, s := range situations {
				if s.sort() == "slow" {
					c.assert(t, s, next(t, slow[i]))
				}
			}
			slow[i].AwaitStderr("runs on after its timeout", 1)
			slow[i].Ping()
		})
	}
}

// overload starts as many calls as may run, and one more.
func (c client) overload(t *testing.T, p *mcptest.Process) {
	t.Helper()
	for n := range 256 {
		c.send(p, call(fmt.Sprint(n), "fx_waitLong", `{}`))
	}
	c.meet(t, p, situation{"overload", toolCall("fx_echoText", `{"text":"a"}`), "overloaded", "256 calls are in flight", cells(code(-32000), isError("OVERLOADED")), nil})
	c.meet(t, p, situation{"overload of resources", request(`"x"`, `"resources/list"`, `{}`), "overloaded", "256 calls are in flight", cells(code(-32000), code(-32603)), nil})
	p.Ping() // is no call
	for n := range 256 {
		p.Send(cancel(fmt.Sprint(n)))
	}
	p.AwaitStderr("told to stop", 256)
	p.Ping()
}

// overLimit calls a tool once more than its limit allows.
func (c client) overLimit(t *testing.T, p *mcptest.Process) {
	t.Helper()
	for range 3 {
		c.send(p, toolCall("fx_countCalls", `{}`))
		next(t, p)
	}
	c.meet(t, p, situation{"rate limit", toolCall("fx_countCalls", `{}`), "rate_limited", "Rate limit exceeded for tool 'fx_countCalls': 3 calls per 2s", cells(code(-32002), isError("RATE_LIMITED")),
		func(d failureData) bool { return d.RetryAfterMs > 0 && d.RetryAfterMs <= 2000 }})
}

// lockedOut calls a tool that writes to a workspace where another server has
// written before, and one that only reads.
func (c client) lockedOut(t *testing.T) {
	t.Helper()
	o := mcptest.Options{Dir: t.TempDir(), Home: t.TempDir()}
	first, second := fixture.Start(t, o), c.open(t, o)
	first.Send(toolCall("fx_addThing", `{"path":"a"}`))
	next(t, first)
	row := situation{"workspace locked", toolCall("fx_addThing", `{"path":"b"}`), "workspace_locked", "Try again when it has ended", cells(code(-32003), isError("WORKSPACE_LOCKED")),
		func(d failureData) bool {
			dir, _ := filepath.EvalSymlinks(o.Dir)
			return d.Retryable && d.Holder.PID == first.Pid() && d.Holder.Path == dir && d.Holder.Since != "" && d.Holder.Server == "fixture"
		}}
	c.meet(t, second, row)
	c.send(second, toolCall("fx_lookAt", `{}`))
	if f := next(t, second); f.String() != `"x" result` {
		t.Errorf("reading a locked workspace: %s", f.text)
	}
	// A copy that is started only to probe is hindered by nothing.
	client{revision: modern}.send(second, request(`"x"`, `"server/discover"`, `{}`))
	if f := next(t, second); f.String() != `"x" result` {
		t.Errorf("probing while another server holds the workspace: %s", f.text)
	}
	first.CloseInput()
	first.Exit(mcptest.Patience)
	c.send(second, row.request)
	if f := next(t, second); f.String() != `"x" result` {
		t.Errorf("writing when the other server has ended: %s", f.text)
	}
}

// assert compares a failure with the cell it should be, and looks at its data.
func (s situation) assert(t *testing.T, f frame, column int) {
	t.Helper()
	want := s.want[column]
	shown := f.text[:min(len(f.text), 1000)]
	if !strings.Contains(s.request, `"id":`+string(f.ID)) {
		t.Fatalf("%s: answered by %s", s.name, shown)
	}
	if len(f.text) > 8<<20 {
		t.Errorf("%s: a frame of %d bytes", s.name, len(f.text))
	}
	var data *failureData
	text := ""
	switch {
	case f.Error != nil && f.Error.Code == want.code && f.Result == nil:
		data, text = f.Error.Data, f.Error.Message
	case f.Result != nil && want.code == 0 && f.Result.IsError && len(f.Result.Content) == 1 && f.Result.Content[0].Type == "text" && f.Result.Structured == nil:
		data, text = f.Result.Meta.Error, f.Result.Content[0].Text
		label := "[" + want.label + "] "
		if !strings.HasPrefix(text, label) {
			t.Errorf("%s: the text does not begin with %s: %s", s.name, label, shown)
		}
		text = strings.TrimPrefix(text, label)
	default:
		t.Errorf("%s: want %+v, got %s", s.name, want, shown)
		return
	}
	if data == nil {
		t.Errorf("%s: no data in %s", s.name, shown)
		return
	}
	if !strings.Contains(text, s.says) || data.Details != text {
		t.Errorf("%s: want a text with %q, got %s", s.name, s.says, shown)
	}
	if data.Reason != s.reason {
		t.Errorf("%s: reason %q, want %q", s.name, data.Reason, s.reason)
	}
	if !strings.Contains(s.request, `"`+data.Tool+`"`) && !strings.Contains(data.Tool, "…") {
		t.Errorf("%s: the failure is about %q", s.name, data.Tool)
	}
	if s.check != nil && !s.check(*data) {
		t.Errorf("%s: data %+v", s.name, *data)
	}
}

// The server says on standard error what it can't tell the client.
func TestFailuresAreLogged(t *testing.T) {
	p := open(t, "2025-11-25", "")
	p.Send(toolCall("fx_failWith", `{"how":"panic"}`))
	next(t, p)
	p.AwaitStderr("spilled", 1)
	p.AwaitStderr("fail_with_tool.go", 1) // where it was
	p.Send(toolCall("fx_failWith", `{"how":"hollow"}`))
	next(t, p)
	p.AwaitStderr("panic while a result was encoded", 1)
}

// A secret argument that is wrong is not echoed.
func TestSecretsAreNotEchoed(t *testing.T) {
	p := open(t, "2025-11-25", "")
	for _, key := range []string{`"very-secret-value"`, `{"very-secret-value":1}`} {
		p.Send(toolCall("fx_takeEvery", `{"text":"abc","key":`+key+`}`))
		if f := next(t, p); f.String() != `"x" [INVALID_ARGUMENT]` || strings.Contains(f.text, "very-secret-value") {
			t.Errorf("%s", f.text)
		}
	}
}

// A tool that needs an environment variable runs once it is set.
func TestEnvIsSet(t *testing.T) {
	p := fixture.Start(t, mcptest.Options{Env: []string{"FX_TOKEN=t"}})
	p.Send(toolCall("fx_needToken", `{}`))
	if f := next(t, p); f.String() != `"x" result` {
		t.Error(f.text)
	}
	p.CloseInput()
	if code := p.Exit(time.Second * 5); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// There is a transcript for each situation and revision, and what it holds is
// what the table says: goldens that were rewritten do not decide that.
func TestFailuresAreWrittenDown(t *testing.T) {
	table := map[string][2]cell{ // for 2024-11-05, and for those after it
		"unknown_tool":     cells(code(-32601), code(-32602)),
		"bad_arguments":    cells(code(-32602), isError("INVALID_ARGUMENT")),
		"denied":           cells(code(-32001), isError("APPROVAL_DENIED")),
		"pending":          cells(code(-32001), isError("APPROVAL_DENIED")),
		"rate_limited":     cells(code(-32002), isError("RATE_LIMITED")),
		"locked":           cells(code(-32003), isError("WORKSPACE_LOCKED")),
		"unsendable":       cells(code(-32000), isError("INTERNAL")),
		"unconfirmed":      both(isError("CONFIRM_REQUIRED")),
		"auth_missing":     both(isError("AUTH_MISSING")),
		"failed":           both(isError("OUT_OF_TEA")),
		"panic":            both(isError("INTERNAL")),
		"timeout":          both(isError("TIMEOUT")),
		"unknown_resource": both(code(-32602)),
		"overloaded":       cells(code(-32000), isError("OVERLOADED")),
	}
	const folder = "testdata/transcripts/failures/"
	for name, cells := range table {
		for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
			text, err := os.ReadFile(folder + name + "_" + revision + ".txtar")
			if err != nil {
				t.Error(err)
				continue
			}
			want := cells[1]
			if revision == "2024-11-05" {
				want = cells[0]
			}
			word := `"x" [` + want.label + "]"
			if want.code != 0 {
				word = fmt.Sprint(`"x" `, want.code)
			}
			if !strings.Contains(string(text), `"`+revision+`"`) {
				t.Errorf("%s is not about %s", name, revision)
			}
			found := false
			for line := range strings.Lines(string(text)) {
				if answer, ok := strings.CutPrefix(line, "< "); ok && strings.Contains(answer, `"id":"x"`) {
					answer = strings.NewReplacer("$MS", "1", "$PID", "1").Replace(answer)
					found = parse(t, strings.TrimSpace(answer)).String() == word
				}
			}
			if !found {
				t.Errorf("%s in %s is not answered by %s", name, revision, word)
			}
		}
	}
	files, err := filepath.Glob(folder + "*.txtar")
	if err != nil || len(files) != 5*len(table) {
		t.Errorf("%d transcripts of failures, and the table asks for %d (error: %v)", len(files), 5*len(table), err)
	}
}
