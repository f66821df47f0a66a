package mcpcmd

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/teaagent/teaagent/mcp/internal/approval"
	"github.com/teaagent/teaagent/mcp/internal/store"
	"github.com/teaagent/teaagent/mcp/policy"
)

// approvals are the commands with which an operator allows and denies calls.
type approvals struct {
	server   string                     // as people start it
	audit    func(members []byte) error // writes an event; may be nil
	now      func() time.Time
	ticks    func() <-chan time.Time // when watch looks again
	terminal func(io.Reader) bool    // whether a person is behind it
}

// approvalsCommand is "approvals" with its commands. audit, if not nil, gets
// the JSON members of an event for every change: "event":"approval",….
func approvalsCommand(serverName string, audit func(members []byte) error) *cli.Command {
	a := &approvals{
		server:   serverName,
		audit:    audit,
		now:      time.Now,
		ticks:    func() <-chan time.Time { return time.Tick(300 * time.Millisecond) },
		terminal: isTerminal,
	}
	return a.whole()
}

func (a *approvals) whole() *cli.Command {
	return &cli.Command{
		Name:  "approvals",
		Usage: "allow and deny calls: what waits for you, and what you have decided",
		Description: `In the permission modes prompt and workspace-write some calls need your word. One
that nobody could be asked about is refused and waits here:

   $ ` + a.server + ` mcp approvals list
   $ ` + a.server + ` mcp approvals approve DIGEST       that one call, once
   $ ` + a.server + ` mcp approvals grant TOOL --path 'src/**'
   $ ` + a.server + ` mcp approvals deny TOOL            wins over everything, in every mode

Every decision is for one workspace, --root DIR. It is kept in ~/.teaagent, never
in the workspace, so no repo brings its own; running servers follow it at once.`,
		HideHelpCommand: true,
		Subcommands: []*cli.Command{
			a.listCommand(), a.approveCommand(), a.denyCommand(), a.grantCommand(), a.revokeCommand(), a.watchCommand(),
		},
		Action: unknownCommand,
	}
}

// visit is one run of a command.
type visit struct {
	*cli.Context
	args []string // what is no option
	home *store.Home
	book *approval.Book
	dir  string // the workspace
	out  io.Writer
}

// command completes a command that works on one workspace and takes least to
// most arguments, which may stand before its options.
func (a *approvals) command(c cli.Command, least, most int, act func(*visit) error) *cli.Command {
	c.Flags = append(c.Flags, &cli.StringFlag{Name: "root", Usage: "the workspace that it is about, `DIR`", Value: "."})
	c.OnUsageError = func(_ *cli.Context, err error, _ bool) error {
		return fmt.Errorf("%w; see %s mcp approvals %s --help", err, a.server, c.Name)
	}
	c.Action = func(ctx *cli.Context) error {
		args, help, err := mixedArgs(ctx)
		switch {
		case help:
			return cli.ShowSubcommandHelp(ctx)
		case err == nil && len(args) < least:
			err = fmt.Errorf("%s needs %s", c.Name, c.ArgsUsage)
		case err == nil && len(args) > most:
			err = fmt.Errorf("unexpected argument %q", args[most])
		}
		if err != nil {
			return c.OnUsageError(ctx, err, true)
		}
		v := &visit{Context: ctx, args: args, out: ctx.App.Writer}
		if v.dir, err = canonical(ctx.String("root")); err != nil {
			return err
		}
		if v.home, err = store.Open(os.Getenv); err != nil {
			return err
		}
		v.book = approval.Open(v.home, v.dir, nil)
		return act(v)
	}
	return &c
}

// canonical is the path under which a workspace's approvals are kept, spelled
// as mcp.OpenWorkspace spells it.
func canonical(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return "", fmt.Errorf("find the workspace: %w", err)
	}
	if info, err := os.Stat(abs); err != nil || !info.IsDir() {
		return "", fmt.Errorf("find the workspace: %s is not a directory", shown(abs))
	}
	return abs, nil
}

// ttlFlag is how long a decision counts.
func ttlFlag(value time.Duration, text string) cli.Flag {
	return &cli.DurationFlag{Name: "ttl", Value: value, DefaultText: text, Usage: "how long it counts, `TIME` like 30m or 24h; 0 is for ever"}
}

func noteFlag() cli.Flag {
	return &cli.StringFlag{Name: "note", Usage: "why, for the list and the audit log, `TEXT`"}
}

// expires returns the end of --ttl, or zero for none.
func (a *approvals) expires(v *visit) (time.Time, error) {
	switch ttl := v.Duration("ttl"); {
	case ttl < 0:
		return time.Time{}, fmt.Errorf("--ttl %s lies in the past; write a time like 30m, or 0 for ever", ttl)
	case ttl > 0 && ttl < time.Second:
		return time.Time{}, fmt.Errorf("--ttl %s is over at once; the least is 1s", ttl)
	case ttl > 0:
		return a.now().Add(ttl), nil
	}
	return time.Time{}, nil
}

// event is a decision as the audit log has it.
type event struct {
	Event     string        `json:"event"`
	Action    string        `json:"action"` // approve, deny, grant, revoke, dismiss
	Workspace string        `json:"workspace"`
	Tool      string        `json:"tool"`
	Digest    string        `json:"digest,omitempty"`
	Grant     *policy.Grant `json:"grant,omitempty"`
}

// record tells the audit log of a change that was made.
func (a *approvals) record(v *visit, action, tool, digest string, g *policy.Grant) error {
	if a.audit == nil {
		return nil
	}
	text, err := json.Marshal(event{"approval", action, v.dir, tool, digest, g})
	if err == nil {
		err = a.audit(text[1 : len(text)-1])
	}
	if err != nil {
		return fmt.Errorf("it is done, but the audit log does not have it: %w", err)
	}
	return nil
}
