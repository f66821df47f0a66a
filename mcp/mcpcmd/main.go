// Package mcpcmd is the command line of a generated server.
package mcpcmd

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/teaagent/teaagent/mcp"
	"github.com/teaagent/teaagent/mcp/internal/approval"
	"github.com/teaagent/teaagent/mcp/internal/sandbox"
	"github.com/teaagent/teaagent/mcp/internal/store"
	"github.com/teaagent/teaagent/mcp/policy"
)

// Main runs the server's command line and exits: 0 when all went well, 1 when
// what was to be checked is broken, 2 when the command can't run. newHandlers makes the bodies of the tools.
//
// Standard output belongs to the frames from the first moment on: what a
// handler or a library prints there ends up on standard error.
func Main[H any](server mcp.Server[H], newHandlers func(mcp.Env) (H, error)) {
	sandbox.Enter() // before anything else: in a command's process it does not return
	frames, err := claimStdout(os.Args)
	if err == nil {
		err = app(server, newHandlers, frames).Run(os.Args)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", server.Name, err)
		var coded cli.ExitCoder
		if errors.As(err, &coded) {
			os.Exit(coded.ExitCode())
		}
		os.Exit(2)
	}
}

func app[H any](server mcp.Server[H], newHandlers func(mcp.Env) (H, error), frames io.Writer) *cli.App {
	serve := &cli.Command{
		Name:  "serve",
		Usage: "serve MCP on standard input and output",
		Description: strings.TrimSpace(`
An MCP client starts this command itself; put it into the client's configuration:

  {"mcpServers": {"` + server.Name + `": {"command": "` + server.Name + `", "args": ["mcp", "serve", "--root", "DIR"]}}}

Permission modes, from tight to loose:

  read-only            nothing that changes anything
  workspace-write      the workspace may be changed; what reaches further needs a grant
  prompt               the workspace may be added to; what destroys or reaches further is asked
                       about: the user, if the client can ask, or you, by ` + "`" + server.Name + ` mcp approvals` + "`" + `
  allow                everything; commands run in a sandbox
  danger-full-access   everything; commands run as you

Approvals, locks and the audit log are kept in ~/.teaagent (TEAAGENT_HOME moves it), never in
the workspace. Dry runs change nothing and are served in every mode.`),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "root", Usage: "the workspace: no tool reads or writes outside `DIR`", Value: "."},
			&cli.BoolFlag{Name: "deny-hardlinks", Usage: "refuse to read files that have more than one name: the others may be outside"},
			&cli.StringFlag{Name: "permission-mode", Usage: "`MODE` is one of " + policy.Names(), Value: policy.Prompt.String()},
			&cli.StringSliceFlag{Name: "tools", Usage: "serve only these: `GROUP,…` are categories or tools"},
			&cli.BoolFlag{Name: "read-only", Usage: "serve only tools that read"},
			&cli.StringFlag{Name: "max-tier", Usage: "serve only tools up to `TIER`: Low, Medium, High or Critical"},
			&cli.StringFlag{Name: "error-profile", Usage: "how failures look: `PROFILE` is auto, seed or official", Value: "auto"},
			&cli.StringSliceFlag{Name: "approve-scoped", Usage: "approve one call beforehand, once: `TOOL:SHA256`, as its refusal or dry run shows them"},
			&cli.DurationFlag{Name: "approval-timeout", Usage: "how long the user has to answer, `DURATION`", Value: mcp.DefaultApprovalTimeout},
			&cli.StringSliceFlag{Name: "approve-call-id", Usage: "has no effect: `ID`s are chosen by the client, so they approve nothing"},
			&cli.IntFlag{Name: "max-line", Usage: "longest frame that is read, in `BYTES`", Value: mcp.DefaultMaxLine},
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return fmt.Errorf("unexpected argument %q; see %s mcp serve --help", c.Args().First(), server.Name)
			}
			return run(c, server, newHandlers, frames)
		},
	}
	return &cli.App{
		Name:            server.Name,
		Usage:           server.Description,
		Version:         server.Version,
		HideHelpCommand: true,
		Writer:          os.Stdout,
		Commands: []*cli.Command{{
			Name:            "mcp",
			Usage:           "the MCP server",
			HideHelpCommand: true,
			Subcommands: []*cli.Command{
				serve, approvalsCommand(server.Name, recordDecision(server.Name)), locksCommand(server.Name), auditCommand(server.Name),
				doctorCommand(server.Name, sandbox.Probe),
			},
			Action: unknownCommand,
		}},
		Action:         unknownCommand,
		ExitErrHandler: func(*cli.Context, error) {}, // Main reports it, once
	}
}

// unknownCommand answers a command line that names no command: help if it is
// empty, an error otherwise.
func unknownCommand(c *cli.Context) error {
	if c.Args().Present() {
		return fmt.Errorf("there is no command %q; see %s --help", c.Args().First(), c.App.Name)
	}
	return cli.ShowSubcommandHelp(c)
}

func run[H any](c *cli.Context, server mcp.Server[H], newHandlers func(mcp.Env) (H, error), frames io.Writer) error {
	mode, ok := policy.ParseMode(c.String("permission-mode"))
	if !ok {
		return fmt.Errorf("there is no permission mode %q; choose one of %s", c.String("permission-mode"), policy.Names())
	}
	profile, ok := mcp.ParseProfile(c.String("error-profile"))
	if !ok {
		return fmt.Errorf("there is no error profile %q; choose auto, seed or official", c.String("error-profile"))
	}
	selection := mcp.Selection{Groups: c.StringSlice("tools"), ReadOnly: c.Bool("read-only")}
	if name := c.String("max-tier"); name != "" {
		if selection.MaxTier, ok = mcp.ParseTier(name); !ok {
			return fmt.Errorf("there is no tier %q; choose Low, Medium, High or Critical", name)
		}
	}
	if err := requireEnv(server.Info); err != nil {
		return err
	}
	var preapproved []mcp.Preapproval
	for _, text := range c.StringSlice("approve-scoped") {
		p, err := approval.ParsePreapproval(text)
		if err != nil {
			return fmt.Errorf("--approve-scoped: %w", err)
		}
		preapproved = append(preapproved, p)
	}
	home, err := store.Open(os.Getenv)
	if err != nil {
		return err
	}
	root, err := mcp.OpenWorkspace(c.String("root"))
	if err != nil {
		return err
	}
	of := sha256.Sum256([]byte(root.Dir()))
	root.KeepTrash(filepath.Join(home.Path("trash"), hex.EncodeToString(of[:8])))
	root.DenyHardlinks(c.Bool("deny-hardlinks"))
	secrets, short := mcp.NewSecrets(server.Env, os.Getenv)
	log := slog.New(slog.NewTextHandler(secrets.Writer(os.Stderr), nil))
	for _, name := range short {
		log.Warn("a secret of fewer than 8 characters can't be told from ordinary text and is not masked", "variable", name)
	}
	if c.IsSet("approve-call-id") {
		log.Warn("--approve-call-id approves nothing: the client chooses a call's id; use --approve-scoped TOOL:SHA256")
	}
	handlers, err := newHandlers(mcp.Env{Root: root, Getenv: os.Getenv, Log: log})
	if err != nil {
		return errors.New(secrets.Mask(err.Error()))
	}
	signal.Ignore(syscall.SIGPIPE) // a client that is gone shows as an error of the write
	ctx, stop := signal.NotifyContext(c.Context, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go watchParent(ctx, cancel)
	return mcp.Serve(ctx, &server, handlers, mcp.Options{
		Out:     frames,
		Root:    root,
		Mode:    mode,
		Profile: profile,
		Select:  selection,
		MaxLine: c.Int("max-line"),
		Log:     log,
		Secrets: secrets,

		Home:            home.Dir(),
		Preapproved:     preapproved,
		ApprovalTimeout: c.Duration("approval-timeout"),
	})
}

// requireEnv lists every variable that the server can't do without and has not.
func requireEnv(info mcp.Info) error {
	var missing []string
	for _, v := range info.Env {
		if v.Required && os.Getenv(v.Name) == "" {
			missing = append(missing, fmt.Sprintf("%s is not set: %s", v.Name, v.Description))
		}
	}
	if missing == nil {
		return nil
	}
	if info.Readme != "" {
		missing = append(missing, "see "+info.Readme)
	}
	return errors.New(strings.Join(missing, "\n  "))
}
