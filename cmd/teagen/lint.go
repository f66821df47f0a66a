package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/teaagent/teaagent/gen"
	"github.com/teaagent/teaagent/gen/lint"
	"github.com/teaagent/teaagent/gen/spec"
)

func lintCommand() *cli.Command {
	return command(cli.Command{
		Name:      "lint",
		Usage:     "find what is wrong with the specs, or with a server's tools",
		ArgsUsage: "[FILE.json | --server -- CMD ARGS…]",
		Description: `Prints each finding with its place, what to write instead, and the ID of its
rule (see teagen explain), and lists the stubs that still wait for a body. Looks
at no generated file.

With a file, judges what that holds in place of the specs: an mcp-tools.json,
or the answer of any server to tools/list. With --server, asks a live one, in
any language, over its standard streams:

   $ teagen lint --server -- npx -y @modelcontextprotocol/server-everything

Example:

   $ teagen lint
   specs/files.yaml:14:18: description starts with "Lists"; write "List" [desc-imperative]
     14 |     description: Lists all files.
        |                  ^~~~~
   1 error`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "server", Usage: "judge what a live server lists, whose command follows --"},
			&cli.StringFlag{Name: "format", Value: "text", Usage: "print findings as text, json, sarif or github, `FORMAT`"},
			&cli.StringSliceFlag{Name: "profile", Usage: "look at the limits of these clients only, `CLIENT` (all, none, " + strings.Join(lint.Profiles(), ", ") + ")"},
		},
	}, runLint)
}

func runLint(c *cli.Context) error {
	profiles, format := c.StringSlice("profile"), c.String("format")
	known := append([]string{lint.All, lint.None}, lint.Profiles()...)
	for _, p := range profiles {
		if !slices.Contains(known, p) {
			return fmt.Errorf("there is no profile %q; there is %s", p, strings.Join(known, ", "))
		}
	}
	if format != "text" && !slices.Contains(gen.Formats(), format) {
		return fmt.Errorf("there is no format %q; there is text, %s", format, strings.Join(gen.Formats(), ", "))
	}
	r, err := lintReport(c, profiles)
	if err != nil {
		return err
	}
	if format == "text" {
		if len(r.Findings) == 0 {
			fmt.Fprintf(c.App.Writer, "lint: %s, no findings\n", sizes(r))
		}
		return closing(c, r)
	}
	if err := r.Write(c.App.Writer, format); err != nil {
		return err
	}
	if r.Failed() {
		return errFindings
	}
	return nil
}

func lintReport(c *cli.Context, profiles []string) (*gen.Report, error) {
	if c.Bool("server") {
		if c.NArg() == 0 {
			return nil, errors.New("no command; write it behind --, as in: teagen lint --server -- npx some-server")
		}
		return gen.LintServer(c.Context, c.Args().Slice(), profiles, nil)
	}
	if file := c.Args().First(); file != "" {
		return gen.LintFile(file, profiles)
	}
	dir, err := root(c.String("dir"))
	if err != nil {
		return nil, err
	}
	return gen.Lint(gen.Options{Dir: dir, Specs: c.String("specs"), Profiles: profiles})
}

func explainCommand() *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "say what a rule is for, with examples",
		ArgsUsage: "[RULE]",
		Description: `Explains the rule whose ID a finding ends with; without one, lists all rules.

Example:

   $ teagen explain desc-imperative
   desc-imperative (standard, error)

   Descriptions start with an imperative verb.
   …`,
		OnUsageError: usageError,
		Action: func(c *cli.Context) error {
			if c.NArg() > 1 {
				return fmt.Errorf("explain takes one rule, not %d; try --help", c.NArg())
			}
			return explain(c, c.Args().First())
		},
	}
}

func explain(c *cli.Context, id string) error {
	rules := gen.Rules()
	if id == "" {
		for i, kind := range []lint.Kind{lint.Standard, lint.Clients, lint.Safety, lint.Cost, gen.Reading, gen.Naming, gen.Handlers, gen.Files} {
			fmt.Fprintf(c.App.Writer, "%s%s\n", []string{"", "\n"}[min(i, 1)], kind)
			for _, r := range rules {
				if r.Kind == kind {
					fmt.Fprintf(c.App.Writer, "  %-27s %s\n", r.ID, r.Purpose)
				}
			}
		}
		return nil
	}
	var ids []string
	for _, r := range rules {
		if r.ID == id {
			_, err := fmt.Fprint(c.App.Writer, r.Explain())
			return err
		}
		ids = append(ids, r.ID)
	}
	if near := spec.Nearest(id, ids); near != "" {
		return fmt.Errorf("there is no rule %q; did you mean %s?", id, near)
	}
	return fmt.Errorf("there is no rule %q; teagen explain lists them", id)
}

func budgetCommand() *cli.Command {
	return command(cli.Command{
		Name:  "budget",
		Usage: "show what tools/list costs the model that reads it",
		Description: `Prints the bytes and the estimated tokens (four bytes to one) of every tool as
clients get it, largest first, and of the whole list. A ceiling in server.yaml,
lint: {ceiling: 40000}, makes lint enforce it.

Example:

   $ teagen budget
     bytes  tokens  tool
      1312     328  demo_readFile
       870     218  demo_deleteFile
      2196     549  in all`,
	}, func(c *cli.Context) error {
		dir, err := root(c.String("dir"))
		if err != nil {
			return err
		}
		r, tools, total, err := gen.Budget(gen.Options{Dir: dir, Specs: c.String("specs")})
		if err != nil {
			return err
		}
		slices.SortStableFunc(tools, func(a, b gen.Cost) int { return b.Bytes - a.Bytes })
		fmt.Fprintf(c.App.Writer, "%8s  %6s  tool\n", "bytes", "tokens")
		for _, t := range tools {
			fmt.Fprintf(c.App.Writer, "%8d  %6d  %s\n", t.Bytes, t.Tokens, t.Tool)
		}
		fmt.Fprintf(c.App.Writer, "%8d  %6d  in all\n", total.Bytes, total.Tokens)
		if r.Failed() {
			return closing(c, r)
		}
		return nil
	})
}
