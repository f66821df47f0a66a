package mcpcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/teaagent/teaagent/mcp/internal/lock"
	"github.com/teaagent/teaagent/mcp/internal/sandbox"
	"github.com/teaagent/teaagent/mcp/internal/store"
)

// doctor runs "doctor" on a machine that enforces so, and returns what it prints.
func doctor(t *testing.T, checks []sandbox.Check, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	probe := func(context.Context) []sandbox.Check { return checks }
	app := &cli.App{
		Name: "mcp", Writer: &out, ErrWriter: &out, Commands: []*cli.Command{doctorCommand("teaagent", probe)},
		ExitErrHandler: func(*cli.Context, error) {},
	}
	err := app.RunContext(t.Context(), append([]string{"mcp", "doctor"}, args...))
	return out.String(), err
}

var all = []sandbox.Check{{Name: "use TCP", Enforced: true, By: "network namespace"}, {Name: "use UDP", Enforced: true, By: "network \x1b[2Jnamespace"}}

func TestDoctor(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("whether the folder of state is private can't be told here")
	}
	home := filepath.Join(t.TempDir(), "home")
	t.Setenv("TEAAGENT_HOME", home)
	root := t.TempDir()
	out, err := doctor(t, all, "--root", root)
	if err != nil || strings.Contains(out, "\x1b") {
		t.Errorf("%v, %q", err, out)
	}
	lacks(t, out,
		`(?m)^A COMMAND CAN'T +STATE +BY$`,
		`(?m)^use TCP +enforced +network namespace$`,
		`(?m)^allow +run without asking, in the sandbox$`,
		`(?m)^danger-full-access +run without asking and without the sandbox, as you$`,
		`(?m)^state +drwx------ +\S*/home$`,
		`(?m)^workspace +not locked +/`,
	)

	some := append([]sandbox.Check{{Name: "write in other folders", By: "no Landlock"}, {Name: "use raw sockets", By: "no namespaces"}}, all...)
	out, err = doctor(t, some, "--root", root)
	var exit cli.ExitCoder
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("not all is enforced, and it ends with %v", err)
	}
	lacks(t, out,
		`(?m)^write in other folders +NOT +no Landlock$`,
		`(?m)^use TCP +enforced`,
		`(?m)^allow +ask; not enforced: write in other folders, use raw sockets$`,
	)

	if err := os.Chmod(home, 0o750); err != nil {
		t.Fatal(err)
	}
	out, err = doctor(t, all, "--root", root)
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("others read the state, and it ends with %v", err)
	}
	lacks(t, out, `(?m)^state +drwxr-x---; others may read it: run chmod 700 `)
}

// lacks reports lines that should be there.
func lacks(t *testing.T, out string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !regexp.MustCompile(line).MatchString(out) {
			t.Errorf("no line is like %s:\n%s", line, out)
		}
	}
}

// What programs read has the same, and the locks.
func TestDoctorJSON(t *testing.T) {
	t.Setenv("TEAAGENT_HOME", t.TempDir())
	t.Setenv("PATH", "")
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home, err := store.Open(os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	held, err := lock.Acquire(t.Context(), home, root, "teaagent")
	if err != nil {
		t.Fatal(err)
	}
	defer held.Release()
	out, err := doctor(t, all[:1], "--json", "--root", root)
	var d diagnosis
	if json.Unmarshal([]byte(out), &d) != nil {
		t.Fatalf("%v, %s", err, out)
	}
	if len(d.Sandbox) != 1 || d.Sandbox[0] != (checkRow{"use TCP", true, "network namespace"}) || len(d.Modes) != 5 {
		t.Errorf("%+v", d)
	}
	if d.Git.Path != "" || !strings.Contains(d.Git.Problem, "PATH") {
		t.Errorf("git is %+v", d.Git)
	}
	if l := d.Workspace.Locks; d.Workspace.Path != root || len(l) != 1 || l[0].State != "held" || l[0].PID != os.Getpid() {
		t.Errorf("the workspace is %+v", d.Workspace)
	}
	if err := os.WriteFile(home.Path(lock.File), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, _ = doctor(t, all, "--root", root); !strings.Contains(out, "move it away") || strings.Contains(out, "not locked") {
		t.Errorf("a registry that can't be read: %s", out)
	}
}

func TestDoctorTrouble(t *testing.T) {
	t.Setenv("TEAAGENT_HOME", t.TempDir())
	if out, err := doctor(t, all, "here"); err == nil || !strings.Contains(err.Error(), `"here"`) {
		t.Errorf("an argument: %q, %v", out, err)
	}
	if out, err := doctor(t, all, "--root", filepath.Join(t.TempDir(), "none")); err == nil || out != "" {
		t.Errorf("no workspace: %q, %v", out, err)
	}
	t.Setenv("TEAAGENT_HOME", "relative")
	if out, err := doctor(t, all, "--root", t.TempDir()); err == nil || !strings.Contains(out, "absolute path") {
		t.Errorf("no folder of state: %q, %v", out, err)
	}
}
