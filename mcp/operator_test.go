package mcp_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/teaagent/teaagent/mcp/mcptest"
)

// operator runs the fixture's other commands, as the person who owns a home.
type operator struct {
	t    *testing.T
	o    mcptest.Options
	path string
}

func newOperator(t *testing.T) operator {
	return operator{t, mcptest.Options{Dir: t.TempDir(), Home: t.TempDir()}, fixture.Path(t)}
}

// run runs a command and returns what it printed, on both streams.
func (op operator) run(args ...string) (string, int) {
	op.t.Helper()
	cmd := exec.Command(op.path, append([]string{"mcp"}, args...)...)
	cmd.Dir = op.o.Dir
	cmd.Env = []string{"HOME=" + op.o.Home, "PATH=" + os.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		op.t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// ok is run for a command that has to go well.
func (op operator) ok(args ...string) string {
	op.t.Helper()
	out, code := op.run(args...)
	if code != 0 {
		op.t.Fatalf("%q: exit %d\n%s", args, code, out)
	}
	return out
}

func (op operator) start(args ...string) *mcptest.Process {
	op.t.Helper()
	op.o.Args = args
	p := fixture.Start(op.t, op.o)
	p.Initialize("2025-11-25", "")
	return p
}

// call calls a tool and returns what frame.String says of the answer.
func callOnce(t *testing.T, p *mcptest.Process, tool, arguments string) frame {
	t.Helper()
	p.Send(toolCall(tool, arguments))
	return next(t, p)
}

func assertCall(t *testing.T, p *mcptest.Process, tool, arguments, want string) {
	t.Helper()
	if f := callOnce(t, p, tool, arguments); !strings.HasSuffix(f.String(), want) {
		t.Errorf("%s %s: want %s, got %s", tool, arguments, want, f.text)
	}
}

const (
	runs   = "result"
	denied = "[APPROVAL_DENIED]"
)

// What a refusal says an operator should run approves exactly that call, once.
func TestApprove(t *testing.T) {
	op := newOperator(t)
	p := op.start()
	const call = `{"name":"a","confirm":true}`
	f := callOnce(t, p, "fx_purgeThing", call)
	command := f.Result.Meta.Error.Command
	if !strings.HasPrefix(command, "fixture mcp approvals approve ") {
		t.Fatalf("the command is %q", command)
	}
	if list := op.ok("approvals", "list"); !strings.Contains(list, "fx_purgeThing") || !strings.Contains(list, f.Result.Meta.Error.Digest) {
		t.Errorf("the list of pending calls: %s", list)
	}
	op.ok(strings.Fields(command)[2:]...)
	for _, other := range []struct{ tool, arguments string }{
		{"fx_purgeThing", `{"name":"b","confirm":true}`},
		{"fx_purgeThing", `{"name":"a ","confirm":true}`},
		{"fx_removeThing", call},
	} {
		assertCall(t, p, other.tool, other.arguments, denied)
	}
	assertCall(t, p, "fx_purgeThing", `{"confirm":true, "name":"\u0061", "dry_run":false}`, runs) // the same, spelled otherwise
	assertCall(t, p, "fx_purgeThing", call, denied)                                               // a replay
	assertCall(t, op.start(), "fx_purgeThing", call, denied)                                      // elsewhere

	// In another workspace the same approval means nothing.
	op.ok(strings.Fields(command)[2:]...)
	elsewhere := op
	elsewhere.o.Dir = t.TempDir()
	assertCall(t, elsewhere.start(), "fx_purgeThing", call, denied)
	assertCall(t, p, "fx_purgeThing", call, runs)
}

// A dry run tells the digest that can be approved beforehand, on the command
// line too; that counts once, restarts included.
func TestPreapproved(t *testing.T) {
	op := newOperator(t)
	p := op.start()
	p.Send(toolCall("fx_purgeThing", `{"name":"a","dry_run":true}`))
	var answer struct {
		Result struct {
			Meta map[string]struct{ Digest, Call string } `json:"_meta"`
		}
	}
	if err := json.Unmarshal([]byte(p.Line()), &answer); err != nil {
		t.Fatal(err)
	}
	digest := answer.Result.Meta["dev.teaagent/preview"].Digest
	flag := "fx_purgeThing:" + digest
	for range 2 {
		p = op.start("--approve-scoped", flag)
		assertCall(t, p, "fx_purgeThing", `{"name":"b","confirm":true}`, denied)
	}
	p.Send(toolCall("fx_purgeThing", `{"name":"a","confirm":true}`))
	if f := next(t, p); f.String() != `"x" result` {
		t.Fatal(f.text)
	}
	p.Signal(syscall.SIGKILL) // a crash does not renew it
	p.Exit(mcptest.Patience)
	for range 2 {
		assertCall(t, op.start("--approve-scoped", flag), "fx_purgeThing", `{"name":"a","confirm":true}`, denied)
	}
	for _, bad := range []string{"fx_purgeThing", "fx_purgeThing:abc", ":" + digest, digest} {
		op.o.Args = []string{"--approve-scoped", bad}
		if p := fixture.Start(t, op.o); p.Exit(mcptest.Patience) != 2 {
			t.Errorf("--approve-scoped %s is taken", bad)
		}
	}
}

// Ids are the client's: they approve nothing, and the server says so.
func TestCallIDsApproveNothing(t *testing.T) {
	p := newOperator(t).start("--approve-call-id", "x")
	assertCall(t, p, "fx_purgeThing", `{"name":"a","confirm":true}`, denied)
	p.AwaitStderr("--approve-call-id approves nothing", 1)
}

// Grants cover what they say and no more; they count in workspace-write too,
// where nobody is asked, and not in read-only.
func TestGrant(t *testing.T) {
	op := newOperator(t)
	op.ok("approvals", "grant", "fx_dropThings", "--path", "src/*.txt", "--path", "tmp/**")
	op.ok("approvals", "grant", "fx_runWords", "--command", "git log", "--command", `["pytest"]`)
	if err := errors.Join(os.Mkdir(filepath.Join(op.o.Dir, "tmp"), 0o777), os.Symlink("..", filepath.Join(op.o.Dir, "tmp", "all"))); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"prompt", "workspace-write"} {
		p := op.start("--permission-mode", mode)
		for _, c := range []struct{ tool, arguments, want string }{
			{"fx_runWords", `{"command":["git","log","-p"]}`, runs},
			{"fx_runWords", `{"command":["git","push"]}`, denied},
			{"fx_runWords", `{"command":["git log"]}`, denied},
			{"fx_runWords", `{"command":["pytest"]}`, runs},
			{"fx_runWords", `{"command":["pytest ; rm"]}`, denied},
			{"fx_runWords", `{"command":["pytest;","rm"]}`, denied},
			{"fx_purgeThing", `{"name":"a","confirm":true}`, denied},
		} {
			assertCall(t, p, c.tool, c.arguments, c.want)
		}
	}
	p := op.start()
	for _, c := range []struct{ arguments, want string }{
		{`{"paths":["src/a.txt"],"confirm":true}`, "[NOT_FOUND]"}, // it ran
		{`{"paths":["src/../src/./a.txt","tmp/x/y"],"confirm":true}`, "[NOT_FOUND]"},
		{`{"paths":["src/a.txt","src/b.go"],"confirm":true}`, denied},
		{`{"paths":["src/x/a.txt"],"confirm":true}`, denied},
		{`{"paths":["tmp/all/src/b.go"],"confirm":true}`, denied}, // through a link
		{`{"paths":["tmp/../b"],"confirm":true}`, denied},
		{`{"paths":["/tmp/x"],"confirm":true}`, denied},
	} {
		assertCall(t, p, "fx_dropThings", c.arguments, c.want)
	}
	p = op.start("--permission-mode", "read-only")
	assertCall(t, p, "fx_runWords", `{"command":["pytest"]}`, denied)
}

// What an operator denies is denied in every mode, to tools that only read, to
// previews and to resources, whatever else is granted, and at once.
func TestDeny(t *testing.T) {
	op := newOperator(t)
	if err := errors.Join(
		os.MkdirAll(filepath.Join(op.o.Dir, "secrets", "deep"), 0o777), os.Mkdir(filepath.Join(op.o.Dir, "open"), 0o777),
		os.Symlink("secrets", filepath.Join(op.o.Dir, "link")),
	); err != nil {
		t.Fatal(err)
	}
	p, free := op.start(), op.start("--permission-mode", "danger-full-access")
	look := `{"path":"secrets"}`
	assertCall(t, p, "fx_lookAt", look, runs)
	op.ok("approvals", "grant", "fx_purgeThing")
	op.ok("approvals", "deny", "*", "--path", "secrets/**", "--note", "not yours")
	out := op.ok("approvals", "deny", "fx_purgeThing")
	for _, p := range []*mcptest.Process{p, free} {
		for _, path := range []string{"secrets", "secrets/deep", "./open/../secrets", "link", "link/deep", "secrets/none"} {
			f := callOnce(t, p, "fx_lookAt", `{"path":`+quote(path)+`}`)
			if !strings.HasSuffix(f.String(), denied) || !strings.Contains(f.text, "not yours") || !strings.HasPrefix(f.Result.Meta.Error.Rule, "deny:") {
				t.Errorf("%s: %s", path, f.text)
			}
		}
		assertCall(t, p, "fx_lookAt", `{"path":"open"}`, runs)
		assertCall(t, p, "fx_lookAt", `{}`, runs)
		assertCall(t, p, "fx_purgeThing", `{"name":"a","confirm":true}`, denied)
		assertCall(t, p, "fx_purgeThing", `{"name":"a","dry_run":true}`, denied)
	}
	op.ok("approvals", "revoke", regexp.MustCompile(`g-\w+`).FindString(out))
	assertCall(t, p, "fx_purgeThing", `{"name":"a","confirm":true}`, runs) // by the grant
	out = op.ok("approvals", "deny", "fx_lookAt", "--path", ".")
	assertCall(t, p, "fx_lookAt", `{"path":"open"}`, runs)
	assertCall(t, p, "fx_lookAt", `{}`, denied) // means the same as "."
	op.ok("approvals", "deny", "*")
	p.Send(request(`"x"`, `"resources/list"`, `{}`))
	if f := next(t, p); f.Error == nil || !strings.Contains(f.text, "approval_denied") {
		t.Errorf("resources: %s", f.text)
	}
}

// A workspace that brings approvals, trust, or a whole folder of state of its
// own gains nothing from it.
func TestWorkspaceGrantsNothing(t *testing.T) {
	op := newOperator(t)
	op.ok("approvals", "grant", "fx_purgeThing")
	data, err := os.ReadFile(filepath.Join(op.o.Home, ".teaagent", "approvals.json"))
	if err != nil {
		t.Fatal(err)
	}
	op.ok("approvals", "revoke", regexp.MustCompile(`g-\w+`).FindString(string(data)))
	for _, name := range []string{".teaagent/approvals.json", ".teaagent/trust.json", "approvals.json", "trust.json", "home/.teaagent/approvals.json"} {
		path := filepath.Join(op.o.Dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	p := op.start()
	assertCall(t, p, "fx_purgeThing", `{"name":"a","confirm":true}`, denied)
	// A server whose tools could write its approvals does not start.
	for _, root := range []string{op.o.Home, filepath.Join(op.o.Home, ".teaagent"), filepath.Dir(op.o.Home)} {
		op.o.Args = []string{"--root", root}
		p := fixture.Start(t, op.o)
		if code := p.Exit(mcptest.Patience); code != 2 {
			t.Errorf("root %s: exit %d", root, code)
		}
		p.AwaitStderr("serve a smaller workspace with --root", 1)
	}
}

// Approvals that can't be read refuse everything, and say the way out.
func TestCorruptApprovals(t *testing.T) {
	for _, content := range []string{"", "{", `{"version":1,"workspaces":5}`, `{"version":1,"workspaces":{},"more":1}`, "\xff"} {
		op := newOperator(t)
		path := filepath.Join(op.o.Home, ".teaagent", "approvals.json")
		if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
		p := op.start("--permission-mode", "danger-full-access")
		f := callOnce(t, p, "fx_lookAt", `{}`)
		if !strings.HasSuffix(f.String(), denied) || !strings.Contains(f.text, "move it away to start anew") {
			t.Errorf("%q: %s", content, f.text)
		}
		if out, code := op.run("approvals", "grant", "fx_purgeThing"); code != 2 {
			t.Errorf("%q: a grant was given: %s", content, out)
		}
		if data, err := os.ReadFile(path); err != nil || string(data) != content {
			t.Errorf("%q: the file was changed to %q (%v)", content, data, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		assertCall(t, p, "fx_lookAt", `{}`, runs)
	}
}

// auditLines returns the lines of all audit logs.
func (op operator) auditLines() (lines []string) {
	op.t.Helper()
	err := filepath.WalkDir(filepath.Join(op.o.Home, ".teaagent", "audit"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		lines = append(lines, strings.Split(strings.TrimSpace(string(data)), "\n")...)
		return err
	})
	if err != nil {
		op.t.Fatal(err)
	}
	return lines
}

// A call that may change something is on file before it runs, also if the
// process is killed then; what can't be recorded does not run.
func TestAudit(t *testing.T) {
	op := newOperator(t)
	p := op.start("--permission-mode", "allow")
	assertCall(t, p, "fx_addThing", `{"path":"a"}`, runs)
	assertCall(t, p, "fx_purgeThing", `{"name":"a"}`, "[CONFIRM_REQUIRED]")
	assertCall(t, p, "fx_purgeThing", `{"name":"a","dry_run":true}`, runs)
	p.Send(call("7", "fx_addThing", `{"path":"b","millis":600000}`)) // does not end
	p.Ping()
	p.Signal(syscall.SIGKILL)
	p.Exit(mcptest.Patience)
	lines := strings.Join(op.auditLines(), "\n")
	for _, want := range []string{`"event":"start","part":1,"server":"fixture"`, `"mode":"allow"`, `"event":"admitted","call":1,"tool":"fx_addThing","arguments":"{\"path\":\"a\"}","digest":"`, `"rule":"mode:allow"`, `"event":"admitted","call":2,"tool":"fx_addThing"`} {
		if !strings.Contains(lines, want) {
			t.Errorf("the log lacks %s:\n%s", want, lines)
		}
	}
	if out, code := op.run("audit", "verify"); code != 0 || !strings.Contains(out, "whole so far, open") {
		t.Errorf("verify: exit %d\n%s", code, out)
	}

	p = op.start("--permission-mode", "allow")
	assertCall(t, p, "fx_lookAt", `{}`, runs)
	assertCall(t, p, "fx_addThing", `{"path":"../b"}`, "[OUTSIDE_WORKSPACE]")
	assertCall(t, p, "fx_countCalls", `{"millis":-1}`, "[INVALID_ARGUMENT]")
	p.CloseInput()
	p.Exit(mcptest.Patience)
	lines = strings.Join(op.auditLines(), "\n")
	for _, want := range []string{
		`"event":"call","tool":"fx_lookAt","arguments":"{}","outcome":"ok","ms":`,
		`"event":"done","call":1,"tool":"fx_addThing","outcome":"tool_failed","code":"OUTSIDE_WORKSPACE"`,
		`"event":"refused","tool":"fx_countCalls","outcome":"invalid_argument"`, `"event":"end"`,
	} {
		if !strings.Contains(lines, want) {
			t.Errorf("the log lacks %s:\n%s", want, lines)
		}
	}
	if tail := op.ok("audit", "tail", "-n", "3"); strings.Count(tail, "\n") != 3 || !strings.Contains(tail, "fx_countCalls") {
		t.Errorf("tail:\n%s", tail)
	}
	if out := op.ok("locks"); !strings.Contains(out, "stale") && !strings.Contains(out, "No workspace is locked.") {
		t.Errorf("locks:\n%s", out)
	}

	// Somebody edits the log.
	logs, _ := filepath.Glob(filepath.Join(op.o.Home, ".teaagent", "audit", "*.jsonl"))
	data, _ := os.ReadFile(logs[0])
	os.WriteFile(logs[0], []byte(strings.Replace(string(data), "fx_addThing", "fx_lookAt", 1)), 0o600)
	if out, code := op.run("audit", "verify"); code != 1 || !strings.Contains(out, "BROKEN: "+logs[0]+":2: it is not as it was written") {
		t.Errorf("verify of an edited log: exit %d\n%s", code, out)
	}
}

func TestAuditFails(t *testing.T) {
	op := newOperator(t)
	state := filepath.Join(op.o.Home, ".teaagent")
	if err := errors.Join(os.Mkdir(state, 0o700), os.WriteFile(filepath.Join(state, "audit"), nil, 0o600)); err != nil { // a file where a folder should be
		t.Fatal(err)
	}
	p := op.start("--permission-mode", "allow")
	assertCall(t, p, "fx_addThing", `{"path":"a"}`, "[AUDIT_FAILED]")
	if _, err := os.Stat(filepath.Join(op.o.Dir, "a")); err == nil {
		t.Error("a call that could not be recorded has run")
	}
	assertCall(t, p, "fx_lookAt", `{}`, runs) // changes nothing
}

// A folder that others may write to can hold no approvals.
func TestUnsafeHome(t *testing.T) {
	op := newOperator(t)
	state := filepath.Join(op.o.Home, ".teaagent")
	if err := errors.Join(os.Mkdir(state, 0o700), os.Chmod(state, 0o777)); err != nil {
		t.Fatal(err)
	}
	p := fixture.Start(t, op.o)
	if code := p.Exit(mcptest.Patience); code != 2 {
		t.Errorf("exit %d", code)
	}
	p.AwaitStderr("chmod 700", 1)
}
