package mcpcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/teaagent/teaagent/mcp"
	"github.com/teaagent/teaagent/mcp/internal/approval"
	"github.com/teaagent/teaagent/mcp/internal/store"
	"github.com/teaagent/teaagent/mcp/policy"
)

var (
	firstCall  = "0123456789ab" + strings.Repeat("c", 52)
	secondCall = "ba9876543210" + strings.Repeat("d", 52)
)

// desk is an operator's place: a home, a workspace, and the command.
type desk struct {
	t         *testing.T
	workspace string
	home      *store.Home
	server    *approval.Book // what a server in the workspace has
	events    []string
	auditErr  error
	later     time.Duration // how far the operator's clock is ahead
	in        io.Reader
	terminal  bool
	ticks     chan time.Time
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	t.Setenv("TEAAGENT_HOME", filepath.Join(t.TempDir(), "home"))
	d := &desk{t: t, workspace: t.TempDir(), ticks: make(chan time.Time)}
	var err error
	if d.home, err = store.Open(os.Getenv); err != nil {
		t.Fatal(err)
	}
	root, err := mcp.OpenWorkspace(d.workspace)
	if err != nil {
		t.Fatal(err)
	}
	d.server = approval.Open(d.home, root.Dir(), nil)
	return d
}

// run runs a command line as if typed after "srv mcp approvals", in the workspace.
func (d *desk) run(args ...string) (string, error) {
	d.t.Helper()
	d.t.Chdir(d.workspace)
	var out bytes.Buffer
	err := d.app(&out).RunContext(context.Background(), append([]string{"srv", "approvals"}, args...))
	return out.String(), err
}

func (d *desk) app(out io.Writer) *cli.App {
	a := &approvals{
		server: "srv",
		audit: func(members []byte) error {
			d.events = append(d.events, string(members))
			return d.auditErr
		},
		now:      func() time.Time { return time.Now().Add(d.later) },
		ticks:    func() <-chan time.Time { return d.ticks },
		terminal: func(io.Reader) bool { return d.terminal },
	}
	return &cli.App{
		Name: "srv", Commands: []*cli.Command{a.whole()}, Writer: out, ErrWriter: out, Reader: d.in,
		ExitErrHandler: func(*cli.Context, error) {},
	}
}

// ok runs a command that must not fail.
func (d *desk) ok(args ...string) string {
	d.t.Helper()
	out, err := d.run(args...)
	if err != nil {
		d.t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return out
}

// fails runs a command that must fail with a text that has all the parts.
func (d *desk) fails(args []string, parts ...string) {
	d.t.Helper()
	out, err := d.run(args...)
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			d.t.Errorf("%q: error is %v; want %q; printed %q", args, err, part, out)
			return
		}
	}
}

func (d *desk) pend(tool, digest, arguments string) {
	d.t.Helper()
	if err := d.server.Pend(context.Background(), approval.Pending{Tool: tool, Digest: digest, Rule: "mode:prompt", Arguments: arguments}); err != nil {
		d.t.Fatal(err)
	}
}

// grants are what the server sees.
func (d *desk) grants() []policy.Grant {
	d.t.Helper()
	grants, err := d.server.Grants(true)
	if err != nil {
		d.t.Fatal(err)
	}
	return grants
}

// like compares text with a golden one in which ID stands for any grant's id.
func (d *desk) like(got, want string) {
	d.t.Helper()
	got = regexp.MustCompile(`g-[a-z2-7]{8}\b`).ReplaceAllString(got, "ID")
	got = strings.ReplaceAll(got, d.canonical(), "DIR")
	if got != want {
		d.t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
}

func (d *desk) canonical() string {
	dir, err := filepath.EvalSymlinks(d.workspace)
	if err != nil {
		d.t.Fatal(err)
	}
	return dir
}

func TestApprovalsFlow(t *testing.T) {
	d := newDesk(t)
	d.like(d.ok("list"), "no call waits in DIR\nno grants\n")
	d.pend("delete_file", firstCall, `{"path":"notes/old.txt"}`)
	d.pend("run_command", secondCall, `{"command":["rm"]}`)
	d.later = 3*time.Minute + 10*time.Second
	d.like(d.ok("list"), `2 calls wait in DIR
  delete_file  0123456789ab  3m ago, kept by mode:prompt
    {"path":"notes/old.txt"}
    srv mcp approvals approve `+firstCall+`
  run_command  ba9876543210  3m ago, kept by mode:prompt
    {"command":["rm"]}
    srv mcp approvals approve `+secondCall+`
no grants
`)
	d.later = 0
	d.like(d.ok("approve", firstCall[:12], "--note", "cleaning up"), "ID: allow delete_file, only the call 0123456789ab, once, for 1h more, note: cleaning up\n")
	d.like(d.ok("deny", secondCall[:7]), "ID: deny run_command, only the call ba9876543210\n")
	d.like(d.ok("list"), `no call waits in DIR
grants:
  ID  allow delete_file, only the call 0123456789ab, once, for 1h more, note: cleaning up
  ID  deny run_command, only the call ba9876543210
`)
	g := d.grants()
	if len(g) != 2 || g[0].Digest != firstCall || g[0].Uses != 1 || g[1].Effect != policy.Denies || g[1].Tool != "run_command" {
		t.Errorf("the server sees %+v", g)
	}
	d.later = 2 * time.Hour
	d.like(d.ok("list"), `no call waits in DIR
grants:
  ID  allow delete_file, only the call 0123456789ab, once, EXPIRED 1h ago, note: cleaning up
  ID  deny run_command, only the call ba9876543210
`)
	d.like(d.ok("revoke", g[0].ID, g[1].ID[:7]), "revoked ID: allow delete_file, only the call 0123456789ab, once, EXPIRED 1h ago, note: cleaning up\nrevoked ID: deny run_command, only the call ba9876543210\n")
	d.pend("delete_file", firstCall, "{}")
	d.like(d.ok("revoke", firstCall[:8]), "dismissed 0123456789ab: delete_file\n")
	d.like(d.ok("list"), "no call waits in DIR\nno grants\n")

	var actions []string
	for _, members := range d.events {
		var e event
		if err := json.Unmarshal([]byte("{"+members+"}"), &e); err != nil {
			t.Fatalf("%s: %v", members, err)
		}
		if e.Event != "approval" || e.Workspace != d.canonical() || (e.Grant == nil) != (e.Action == "dismiss") {
			t.Errorf("event %+v", e)
		}
		actions = append(actions, e.Action+" "+e.Tool+" "+e.Digest[:4])
	}
	if got := strings.Join(actions, ", "); got != "approve delete_file 0123, deny run_command ba98, revoke delete_file 0123, revoke run_command ba98, dismiss delete_file 0123" {
		t.Errorf("audited: %s", got)
	}
}

// Options count wherever they stand, and reach the grant as they were written.
func TestGrantOptions(t *testing.T) {
	d := newDesk(t)
	for _, test := range []struct {
		args string // separated by |
		said string
		want policy.Grant
	}{
		{"grant|rm", "ID: allow rm, for 24h more\nIt covers calls of rm without paths and commands; none that has a path (add --path '**' for all paths) or a command (add --command).\n",
			policy.Grant{Effect: "allow", Tool: "rm"}},
		{"grant|rm|--path|{a,b}/**|--path=c|--ttl|0|--uses|3|--mode|prompt", "ID: allow rm, path {a,b}/**, path c, in mode prompt, 3 times\nIt covers calls of rm in which every path matches; none without a path, and none with a command.\n",
			policy.Grant{Effect: "allow", Tool: "rm", Paths: []string{"{a,b}/**", "c"}, Uses: 3, Modes: []string{"prompt"}}},
		{"grant|--command|git log|run|--command|[\"git\",\"a b\"]|-ttl=0|--note|x", "ID: allow run, command git log, command [\"git\",\"a b\"], note: x\nIt covers calls of run in which every command begins so; none without a command, and none with a path (add --path '**' for all paths).\n",
			policy.Grant{Effect: "allow", Tool: "run", Commands: [][]string{{"git", "log"}, {"git", "a b"}}, Note: "x"}},
		{"grant|--path|**|--command|make|run|--ttl|50h", "ID: allow run, path **, command make, for 2d more\nIt covers calls of run in which every path matches and every command begins so; none that has only paths, or only commands.\n",
			policy.Grant{Effect: "allow", Tool: "run", Paths: []string{"**"}, Commands: [][]string{{"make"}}}},
		{"deny|*|--path|secrets/**|--command|git push", "ID: deny *, path secrets/**, command git push\n",
			policy.Grant{Effect: "deny", Tool: "*", Paths: []string{"secrets/**"}, Commands: [][]string{{"git", "push"}}}},
		{"deny|rm|--ttl|5m1s", "ID: deny rm, for 5m more\n", policy.Grant{Effect: "deny", Tool: "rm"}},
		{"deny|" + firstCall, "ID: deny *, only the call 0123456789ab\n", policy.Grant{Effect: "deny", Tool: "*", Digest: firstCall}},
		{"approve|rm:" + firstCall + "|--unlimited|--ttl|0", "ID: allow rm, only the call 0123456789ab\n", policy.Grant{Effect: "allow", Tool: "rm", Digest: firstCall}},
		{"approve|--uses|2|rm:" + firstCall + "|--ttl|0", "ID: allow rm, only the call 0123456789ab, 2 times\n", policy.Grant{Effect: "allow", Tool: "rm", Digest: firstCall, Uses: 2}},
	} {
		d.like(d.ok(strings.Split(test.args, "|")...), test.said)
		all := d.grants()
		got := all[len(all)-1]
		if got.Expires.IsZero() == strings.Contains(test.said, " more") {
			t.Errorf("%s: expires %s", test.args, got.Expires)
		}
		got.ID, got.Created, got.Expires = "", time.Time{}, time.Time{}
		gotText, _ := json.Marshal(got)
		if want, _ := json.Marshal(test.want); string(gotText) != string(want) {
			t.Errorf("%s\n got %s\nwant %s", test.args, gotText, want)
		}
	}
}

func TestApprovalsRefuse(t *testing.T) {
	d := newDesk(t)
	d.pend("rm", firstCall, "{}")
	for args, part := range map[string]string{
		"approve":                             "approve needs DIGEST…; see srv mcp approvals approve --help",
		"approve|0123":                        "approve 0123: \"0123\" is too little of a digest",
		"approve|ffffff":                      "approve ffffff: no pending call's digest begins",
		"approve|--uses|0|012345":             "--uses 0: write 1 or more, or --unlimited",
		"approve|012345|--uses|-3":            "--uses -3",
		"approve|012345|--uses|x":             `invalid value "x" for option --uses`,
		"approve|012345|--ttl":                "the option --ttl needs a value",
		"approve|012345|--ttl|-1h":            "lies in the past",
		"approve|012345|--ttl|1ms":            "over at once",
		"approve|012345|--uses|2|--unlimited": "exclude each other",
		"approve|012345|--path|x":             `there is no option "--path"`,
		"approve|rm:0123":                     "64 lower-case",
		"grant":                               "grant needs TOOL",
		"grant|rm|mv":                         `unexpected argument "mv"`,
		"grant|*":                             "only a grant that denies",
		"grant|rm|--pth|src":                  `there is no option "--pth"`,
		"grant|rm|--path|./src":               "matches nothing",
		"grant|rm|--path|/etc":                "not a glob relative to the workspace",
		"grant|rm|--path|":                    "not a glob",
		"grant|rm|--mode|yolo":                `no mode "yolo"`,
		"grant|rm|--uses|0":                   "--uses 0",
		"grant|rm|--command|a;b":              `has a ";", which a shell might read as more than a character; if the words are these, write them as a JSON list: --command '["a;b"]'`,
		"grant|rm|--command|echo 'a b'":       "JSON list",
		"grant|rm|--command| ":                "--command is empty",
		"grant|rm|--command|[\"a\"":           "not a JSON list of words",
		"grant|rm|--command|[]":               "not a JSON list of words",
		"grant|rm|--command|[1]":              "not a JSON list of words",
		"grant|rm|--command|[null]":           "not a JSON list of words",
		"grant|" + firstCall:                  "mcp approvals approve " + firstCall,
		"deny":                                "deny needs TOOL|DIGEST",
		"deny|ffffff":                         "no pending call's digest begins",
		"deny|012345|--path|x":                "mean nothing beside it",
		"revoke":                              "revoke needs ID…",
		"revoke|g-nothing":                    `revoke g-nothing: there is no grant "g-nothing"`,
		"list|x":                              `unexpected argument "x"`,
		"list|--root|nowhere":                 "find the workspace",
		"list|--nonsense":                     "see srv mcp approvals list --help",
		"lsit":                                `there is no command "lsit"`,
	} {
		d.fails(strings.Split(args, "|"), part)
	}
	if len(d.grants()) != 0 || len(d.events) != 0 {
		t.Errorf("refused commands left %+v and %q", d.grants(), d.events)
	}
	// Of several, those that can be done are.
	d.fails([]string{"approve", "ffffff", "012345", "eeeeee"}, "approve ffffff: ", "approve eeeeee: ")
	if len(d.grants()) != 1 {
		t.Errorf("grants: %+v", d.grants())
	}
	d.auditErr = errors.New("disk full")
	d.fails([]string{"deny", "rm"}, "it is done, but the audit log does not have it: disk full")
}

// One workspace, however it is spelled, and never another.
func TestApprovalsRoot(t *testing.T) {
	d := newDesk(t)
	link := filepath.Join(t.TempDir(), "it's a link")
	if err := os.Symlink(d.workspace, link); err != nil {
		t.Skip(err)
	}
	d.pend("rm", firstCall, "{}")
	if out := d.ok("list", "--root", link); !strings.Contains(out, "1 call waits in "+d.canonical()+"\n") || !strings.Contains(out, ` approve --root '`+filepath.Dir(link)+`/it'\''s a link' `+firstCall+"\n") {
		t.Errorf("through a link:\n%s", out)
	}
	other := t.TempDir()
	d.fails([]string{"approve", "--root", other, firstCall}, "no pending call")
	d.ok("deny", "mv", "--root", other)
	if len(d.grants()) != 0 {
		t.Errorf("the workspace has another's grants: %+v", d.grants())
	}
	out := d.ok("list", "--all")
	if !strings.Contains(out, "1 call waits in "+d.canonical()) || !strings.Contains(out, "deny mv") {
		t.Errorf("all:\n%s", out)
	}
	var all []approval.Snapshot
	if err := json.Unmarshal([]byte(d.ok("list", "--json", "--all")), &all); err != nil || len(all) != 2 {
		t.Errorf("all as JSON: %v %+v", err, all)
	}
}

// A cloned repo does not carry its own approvals.
func TestWorkspaceGrantsNothing(t *testing.T) {
	d := newDesk(t)
	page := `{"version":1,"workspaces":{"` + d.canonical() + `":{"grants":[{"id":"g-1","effect":"allow","tool":"rm"}]}}}`
	for _, dir := range []string{".", ".teaagent"} {
		os.MkdirAll(filepath.Join(d.workspace, dir), 0o700)
		if err := os.WriteFile(filepath.Join(d.workspace, dir, approval.File), []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d.like(d.ok("list"), "no call waits in DIR\nno grants\n")
	if len(d.grants()) != 0 {
		t.Errorf("grants: %+v", d.grants())
	}
	if err := os.WriteFile(d.home.Path(approval.File), []byte(page[:40]), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"list", "list|--all", "approve|012345", "grant|rm", "deny|rm", "revoke|g-1", "watch"} {
		d.fails(strings.Split(args, "|"), "approvals.json", "can't be used")
	}
}

// What a caller writes does not steer the operator's terminal.
func TestHostileText(t *testing.T) {
	d := newDesk(t)
	hostile := "{\"a\":\"\x1b[2J\r\n\u202e\u009b\x7f\xff é😀\u2066\"}"
	d.pend("rm\x1b]0;x\a", firstCall, hostile)
	d.ok("deny", "x\x1b[31m", "--note", "\x1b[8m", "--path", "\u202e")
	d.ok("deny", "x", "--command", `["\u001b"]`)
	out := d.ok("list")
	if strings.ContainsAny(out, "\x1b\r\a\u202e\u009b\x7f\u2066") {
		t.Errorf("printed %q", out)
	}
	for _, part := range []string{`rm\x1b]0;x\a`, `{"a":"\x1b[2J\r\n\u202e\u009b\x7f`, `é😀\u2066"}`} {
		if !strings.Contains(out, part) {
			t.Errorf("%q lacks %q", out, part)
		}
	}
	out = d.ok("list", "--json")
	if i := strings.IndexFunc(out, func(r rune) bool { return r > 0x7e || r < ' ' && r != '\n' }); i >= 0 {
		t.Errorf("JSON has %q", out[i:])
	}
	var s approval.Snapshot
	if err := json.Unmarshal([]byte(out), &s); err != nil || s.Pending[0].Arguments != strings.ToValidUTF8(hostile, "\ufffd") {
		t.Errorf("JSON came back as %v %+v", err, s)
	}
}

func TestApprovalsHelp(t *testing.T) {
	d := newDesk(t)
	for args, part := range map[string]string{
		"":                "so no repo brings its own",
		"grant|--help":    "covers neither",
		"grant|rm|--help": "covers neither",
		"deny|-h":         "wins over every mode",
		"approve|--help":  "(default: 1h)",
		"list|--help":     "srv mcp approvals list",
		"revoke|--help":   "ID…",
		"watch|--help":    "Ctrl-C",
	} {
		if out := d.ok(strings.FieldsFunc(args, func(r rune) bool { return r == '|' })...); !strings.Contains(out, part) {
			t.Errorf("%s: %s", args, out)
		}
	}
	if len(d.grants()) != 0 {
		t.Error("asking for help granted something")
	}
}

// The command as the server has it: nobody need listen to its events.
func TestApprovalsCommand(t *testing.T) {
	d := newDesk(t)
	t.Chdir(d.workspace)
	var out bytes.Buffer
	app := &cli.App{Name: "srv", Commands: []*cli.Command{approvalsCommand("srv", nil)}, Writer: &out}
	if err := app.Run([]string{"srv", "approvals", "grant", "rm", "--path", "**"}); err != nil {
		t.Fatal(err)
	}
	if g := d.grants(); len(g) != 1 || len(g[0].Paths) != 1 {
		t.Errorf("grants: %+v", g)
	}
}
