package mcpcmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/teaagent/teaagent/mcp"
	"github.com/teaagent/teaagent/mcp/internal/lock"
	"github.com/teaagent/teaagent/mcp/internal/sandbox"
	"github.com/teaagent/teaagent/mcp/internal/store"
	"github.com/teaagent/teaagent/mcp/policy"
)

// doctorCommand is "doctor": what this machine enforces. probe tries it.
func doctorCommand(serverName string, probe func(context.Context) []sandbox.Check) *cli.Command {
	return &cli.Command{
		Name:  "doctor",
		Usage: "show what this machine enforces, by trying it",
		Description: `Tools that run commands run them in a sandbox. What it keeps a command from is up to
the system, so each line is tried: a process is put into the sandbox and
does what it must not.

   $ ` + serverName + ` mcp doctor --root DIR
   A COMMAND CAN'T         STATE     BY
   write in other folders  enforced  mount namespace, read-only; Landlock ABI 7
   use UDP                 NOT       nothing on this machine refuses it

   MODE   COMMANDS
   allow  ask; not enforced: use UDP

What is not enforced makes mode allow ask before a command runs, as prompt does. Who
says yes then lets it run with what there is. Exits with 0 if all is enforced and
the folder of state is private, else with 1.`,
		HideHelpCommand: true,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "root", Usage: "the workspace whose lock is looked at, `DIR`", Value: "."},
			&cli.BoolFlag{Name: "json", Usage: "print JSON"},
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return fmt.Errorf("unexpected argument %q; see %s mcp doctor --help", c.Args().First(), serverName)
			}
			root, err := mcp.OpenWorkspace(c.String("root"))
			if err != nil {
				return err
			}
			defer root.Close()
			d := diagnose(c.Context, root.Dir(), probe)
			if c.Bool("json") {
				err = printJSON(c.App.Writer, d)
			} else {
				err = d.print(c.App.Writer)
			}
			if err == nil && !d.Enforced {
				return cli.Exit("not all is enforced on this machine", 1)
			}
			return err
		},
	}
}

// diagnosis is what doctor has found.
type diagnosis struct {
	System    string       `json:"system"`
	Enforced  bool         `json:"enforced"` // all of the sandbox, and the state's folder is private
	Sandbox   []checkRow   `json:"sandbox"`
	Modes     []modeRow    `json:"modes"`
	Git       programRow   `json:"git"`
	State     stateRow     `json:"state"`
	Workspace workspaceRow `json:"workspace"`
}

type checkRow struct {
	Name     string `json:"name"` // what a command can't do, if it is enforced
	Enforced bool   `json:"enforced"`
	By       string `json:"by"` // what enforces it, or why nothing does
}

type modeRow struct {
	Mode     string `json:"mode"`
	Commands string `json:"commands"` // what becomes of one
}

type programRow struct {
	Path    string `json:"path,omitempty"`
	Version string `json:"version,omitempty"`
	Problem string `json:"problem,omitempty"`
}

type stateRow struct {
	Path        string `json:"path,omitempty"`
	Permissions string `json:"permissions,omitempty"` // as ls shows them
	Private     bool   `json:"private"`
	Problem     string `json:"problem,omitempty"`
}

type workspaceRow struct {
	Path    string    `json:"path"`
	Locks   []lockRow `json:"locks"` // of it, and of folders in and around it
	Problem string    `json:"problem,omitempty"`
}

func diagnose(ctx context.Context, root string, probe func(context.Context) []sandbox.Check) diagnosis {
	d := diagnosis{System: runtime.GOOS + "/" + runtime.GOARCH, Sandbox: []checkRow{}, Git: findGit(ctx)}
	var lacks []string
	for _, check := range probe(ctx) {
		d.Sandbox = append(d.Sandbox, checkRow(check))
		if !check.Enforced {
			lacks = append(lacks, check.Name)
		}
	}
	sound := lacks == nil
	d.Modes = modesOf(lacks)
	home, err := store.Open(os.Getenv)
	if err != nil {
		d.State.Problem = err.Error()
		d.Workspace = workspaceRow{Path: root, Locks: []lockRow{}, Problem: "the registry of locks is in the folder of state"}
	} else {
		d.State = stateOf(home.Dir())
		d.Workspace = lockOf(ctx, home, root)
	}
	d.Enforced = sound && d.State.Private
	return d
}

// modesOf says what becomes of a command in each permission mode, where it is
// not kept from some things.
func modesOf(lacks []string) []modeRow {
	allow := "run without asking, in the sandbox"
	if lacks != nil {
		allow = "ask; not enforced: " + strings.Join(lacks, ", ")
	}
	return []modeRow{
		{policy.ReadOnly.String(), "run if they only look, in the sandbox"},
		{policy.WorkspaceWrite.String(), "need a grant; run in the sandbox"},
		{policy.Prompt.String(), "ask; run in the sandbox"},
		{policy.Allow.String(), allow},
		{policy.DangerFullAccess.String(), "run without asking and without the sandbox, as you"},
	}
}

// findGit says which git the tools would run.
func findGit(ctx context.Context) programRow {
	path, err := exec.LookPath("git")
	if err != nil {
		return programRow{Problem: "there is none in PATH; the tools for git need it"}
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return programRow{Path: path, Problem: "it does not run: " + err.Error()}
	}
	return programRow{Path: path, Version: strings.TrimPrefix(strings.TrimSpace(string(out)), "git version ")}
}

func stateOf(dir string) stateRow {
	info, err := os.Stat(dir)
	if err != nil {
		return stateRow{Path: dir, Problem: err.Error()}
	}
	s := stateRow{Path: dir, Permissions: info.Mode().String()}
	switch {
	case runtime.GOOS == "windows":
		s.Problem = "whether it is yours alone can't be told on this system"
	case info.Mode().Perm()&0o077 != 0:
		s.Problem = "others may read it: run chmod 700 " + dir
	default:
		s.Private = true
	}
	return s
}

// lockOf lists who writes to the workspace, or to one that shares files with it.
func lockOf(ctx context.Context, home *store.Home, root string) workspaceRow {
	row := workspaceRow{Path: root, Locks: []lockRow{}}
	all, err := lock.List(ctx, home)
	if err != nil {
		row.Problem = err.Error()
		return row
	}
	for _, l := range lockRows(all) {
		if isBelow(l.Workspace, root) || isBelow(root, l.Workspace) {
			row.Locks = append(row.Locks, l)
		}
	}
	return row
}

func isBelow(inner, outer string) bool {
	rel, err := filepath.Rel(outer, inner)
	return err == nil && filepath.IsLocal(rel)
}

// print prints a diagnosis for people.
func (d *diagnosis) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "A COMMAND CAN'T\tSTATE\tBY")
	for _, c := range d.Sandbox {
		state := "enforced"
		if !c.Enforced {
			state = "NOT"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", c.Name, state, shown(c.By))
	}
	fmt.Fprintln(w, "\nMODE\tCOMMANDS")
	for _, m := range d.Modes {
		fmt.Fprintf(w, "%s\t%s\n", m.Mode, m.Commands)
	}
	fmt.Fprintln(w, "\nBESIDE\tSTATE\tWHERE")
	line := func(name, good, problem, where string) {
		if problem != "" {
			good = strings.TrimPrefix(good+"; "+shown(problem), "; ")
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", name, good, shown(where))
	}
	fmt.Fprintf(w, "system\t%s\t\n", d.System)
	line("git", shown(d.Git.Version), d.Git.Problem, d.Git.Path)
	line("state", d.State.Permissions, d.State.Problem, d.State.Path)
	locks := "not locked"
	for i, l := range d.Workspace.Locks {
		if i == 0 {
			locks = ""
		} else {
			locks += "; "
		}
		locks += fmt.Sprintf("%s by process %d (%s) since %s", l.State, l.PID, shown(l.Server), l.Since.UTC().Format(time.RFC3339))
		if l.Workspace != d.Workspace.Path {
			locks += ", by way of " + shown(l.Workspace)
		}
	}
	if d.Workspace.Problem != "" {
		locks = ""
	}
	line("workspace", locks, d.Workspace.Problem, d.Workspace.Path)
	return w.Flush()
}
