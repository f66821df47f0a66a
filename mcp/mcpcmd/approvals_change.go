package mcpcmd

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/teaagent/teaagent/mcp/policy"
)

func (a *approvals) approveCommand() *cli.Command {
	return a.command(cli.Command{
		Name:      "approve",
		Usage:     "let calls that wait pass: exactly these, once",
		ArgsUsage: "DIGEST…",
		Description: `DIGEST is that of a call that waits (see list), or at least 6 digits of its
beginning. No byte of the call can change without it. For a call that does not
wait write TOOL:DIGEST, with the whole digest that its dry run tells.

   $ ` + a.server + ` mcp approvals approve 3f2a9c01d4e7
   $ ` + a.server + ` mcp approvals approve 3f2a9c01d4e7 --uses 5 --ttl 8h --note "for the migration"`,
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "uses", Value: 1, Usage: "how often the call may run, `N`"},
			&cli.BoolFlag{Name: "unlimited", Usage: "any number of times"},
			ttlFlag(time.Hour, "1h"),
			noteFlag(),
		},
	}, 1, math.MaxInt, func(v *visit) error {
		uses := v.Int("uses")
		switch {
		case v.Bool("unlimited") && v.IsSet("uses"):
			return fmt.Errorf("--uses and --unlimited exclude each other")
		case v.Bool("unlimited"):
			uses = 0
		case uses < 1:
			return fmt.Errorf("--uses %d: write 1 or more, or --unlimited", uses)
		}
		expires, err := a.expires(v)
		if err != nil {
			return err
		}
		var failed []error
		for _, which := range v.args {
			if err := a.approve(v, which, uses, expires); err != nil {
				failed = append(failed, err)
			}
		}
		return errors.Join(failed...)
	})
}

func (a *approvals) approve(v *visit, which string, uses int, expires time.Time) error {
	g, err := v.book.Approve(v.Context.Context, which, uses, expires, v.String("note"))
	if err != nil {
		return fmt.Errorf("approve %s: %w", shown(which), err)
	}
	fmt.Fprintf(v.out, "%s: %s\n", g.ID, a.describe(g))
	return a.record(v, "approve", g.Tool, g.Digest, &g)
}

func (a *approvals) denyCommand() *cli.Command {
	return a.command(cli.Command{
		Name:      "deny",
		Usage:     "forbid a tool, some of its calls, or one call",
		ArgsUsage: "TOOL|DIGEST",
		Description: `A deny wins over every mode and grant, danger-full-access too, until it expires
or is revoked. TOOL is a tool's whole name, or * for every tool. With --path or
--command only calls are denied in which any path matches, or any command begins
so. Of a call that waits give the DIGEST or its first 6 digits or more; it then
waits no longer. What is 6 or more hexadecimal digits and nothing else is a digest.

   $ ` + a.server + ` mcp approvals deny '*' --path 'secrets/**' --path '**/*.pem'
   $ ` + a.server + ` mcp approvals deny run_command --command "git push"
   $ ` + a.server + ` mcp approvals deny 3f2a9c01d4e7

A denied command is found by its first words, and other words can do the same
("git -C . push"): to keep a program from harm, deny the tool.`,
		Flags: []cli.Flag{
			repeated("path", "only calls with a path that matches `GLOB`; may be repeated"),
			repeated("command", "only calls with a command that begins with `WORDS`, plain or a JSON list; may be repeated"),
			ttlFlag(0, "for ever"),
			noteFlag(),
		},
	}, 1, 1, func(v *visit) error {
		expires, err := a.expires(v)
		if err != nil {
			return err
		}
		scoped := v.IsSet("path") || v.IsSet("command")
		var g policy.Grant
		if which := v.args[0]; looksLikeDigest(which) {
			if scoped {
				return fmt.Errorf("%s is the digest of one call; --path and --command mean nothing beside it", which)
			}
			g, err = v.book.DenyCall(v.Context.Context, which, expires, v.String("note"))
		} else {
			g, err = scope(v, policy.Denies, expires)
			if err == nil {
				g, err = v.book.Add(v.Context.Context, g)
			}
		}
		if err != nil {
			return fmt.Errorf("deny %s: %w", shown(v.args[0]), err)
		}
		fmt.Fprintf(v.out, "%s: %s\n", g.ID, a.describe(g))
		return a.record(v, "deny", g.Tool, g.Digest, &g)
	})
}

func looksLikeDigest(s string) bool {
	return len(s) >= 6 && strings.Trim(s, "0123456789abcdefABCDEF") == ""
}

// scope reads a grant from TOOL, --path and --command.
func scope(v *visit, effect policy.Effect, expires time.Time) (policy.Grant, error) {
	words, err := commands(v.Context)
	g := policy.Grant{
		Effect: effect, Tool: v.args[0], Commands: words, Expires: expires, Note: v.String("note"),
	}
	if paths := values(v.Context, "path"); len(paths) > 0 {
		g.Paths = paths
	}
	return g, err
}

func (a *approvals) grantCommand() *cli.Command {
	return a.command(cli.Command{
		Name:      "grant",
		Usage:     "let a kind of call pass without being asked",
		ArgsUsage: "TOOL",
		Description: `A grant covers a call of TOOL if every path in its arguments matches a --path, and
every command in them begins with the words of a --command. Without --path it
covers no call that has paths: write --path '**' for all in the workspace; without
--command none that has commands. * does not cross a slash, ** does.

   $ ` + a.server + ` mcp approvals grant delete_file --path 'build/**' --ttl 8h
   $ ` + a.server + ` mcp approvals grant run_command --command "go test" --command "go vet"
   $ ` + a.server + ` mcp approvals grant run_command --command '["git","commit","-m"]'

Words are compared one by one, never as a shell's line: "pytest" covers neither
"pytest;rm" nor "sh -c pytest".`,
		Flags: []cli.Flag{
			repeated("path", "paths that match `GLOB`; may be repeated"),
			repeated("command", "commands that begin with `WORDS`, plain or a JSON list; may be repeated"),
			repeated("mode", "only in the permission mode `MODE`; may be repeated"),
			ttlFlag(24*time.Hour, "24h"),
			&cli.IntFlag{Name: "uses", Usage: "how many calls, `N`", DefaultText: "any number"},
			noteFlag(),
		},
	}, 1, 1, func(v *visit) error {
		expires, err := a.expires(v)
		if err != nil {
			return err
		}
		g, err := scope(v, policy.Allows, expires)
		if err != nil {
			return err
		}
		if modes := values(v.Context, "mode"); len(modes) > 0 {
			g.Modes = modes
		}
		if g.Uses = v.Int("uses"); v.IsSet("uses") && g.Uses < 1 {
			return fmt.Errorf("--uses %d: write 1 or more, or leave it out for any number", g.Uses)
		}
		if looksLikeDigest(g.Tool) {
			return fmt.Errorf("grant takes a tool's name, and %s is a digest; for one call: %s mcp approvals approve %s", g.Tool, a.server, g.Tool)
		}
		if g, err = v.book.Add(v.Context.Context, g); err != nil {
			return fmt.Errorf("grant %s: %w", shown(v.args[0]), err)
		}
		fmt.Fprintf(v.out, "%s: %s\n%s\n", g.ID, a.describe(g), coverage(g))
		return a.record(v, "grant", g.Tool, "", &g)
	})
}

// coverage says what a scoped grant covers, and what not.
func coverage(g policy.Grant) string {
	paths, words := len(g.Paths) > 0, len(g.Commands) > 0
	tool := shown(g.Tool)
	switch {
	case paths && words:
		return "It covers calls of " + tool + " in which every path matches and every command begins so; none that has only paths, or only commands."
	case paths:
		return "It covers calls of " + tool + " in which every path matches; none without a path, and none with a command."
	case words:
		return "It covers calls of " + tool + " in which every command begins so; none without a command, and none with a path (add --path '**' for all paths)."
	}
	return "It covers calls of " + tool + " without paths and commands; none that has a path (add --path '**' for all paths) or a command (add --command)."
}

func (a *approvals) revokeCommand() *cli.Command {
	return a.command(cli.Command{
		Name:      "revoke",
		Usage:     "take grants and denies back, or dismiss calls that wait",
		ArgsUsage: "ID…",
		Description: `ID is that of a grant (see list), or enough of its beginning; or the digest of a
call that waits, which is then dismissed: it may come back when it is tried again.

   $ ` + a.server + ` mcp approvals revoke g-4kq7w2ma`,
	}, 1, math.MaxInt, func(v *visit) error {
		var failed []error
		for _, which := range v.args {
			gone, err := v.book.Revoke(v.Context.Context, which)
			switch {
			case err != nil:
				err = fmt.Errorf("revoke %s: %w", shown(which), err)
			case gone.Grant != nil:
				fmt.Fprintf(v.out, "revoked %s: %s\n", gone.Grant.ID, a.describe(*gone.Grant))
				err = a.record(v, "revoke", gone.Grant.Tool, gone.Grant.Digest, gone.Grant)
			default:
				fmt.Fprintf(v.out, "dismissed %s: %s\n", gone.Pending.Digest[:12], shown(gone.Pending.Tool))
				err = a.record(v, "dismiss", gone.Pending.Tool, gone.Pending.Digest, nil)
			}
			if err != nil {
				failed = append(failed, err)
			}
		}
		return errors.Join(failed...)
	})
}
