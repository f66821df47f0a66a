package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/teaagent/teaagent/gen"
)

func importCommand() *cli.Command {
	return &cli.Command{
		Name:      "import",
		Usage:     "write specs of the tools of a manifest or of a live server",
		ArgsUsage: "FILE | --server -- CMD ARGS…",
		Description: `Reads a JSON array of tools, an object with one under "tools", or what a server
in any language lists over its standard streams, and writes specs into a folder
that has none. Names and texts stay as they are; where they break a rule, that
is allowed beside the tool.

What the original leaves open is written as the careful guess, with a comment
"decide:". What the spec language can't keep is named, tool by tool:

   lost      the spec says something else there
   decide    a guess; look at it
   dropped   left out, without a change of what is taken

Example:

   $ teagen import --server -- npx -y @modelcontextprotocol/server-filesystem /tmp
   decide  read_file: …
   wrote   specs/server.yaml
   wrote   specs/tools.yaml
   imported: 14 tools, 0 of them lost something, 9 things to decide`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "server", Usage: "import from a live server, whose command follows --"},
			&cli.StringFlag{Name: "dir", Usage: "the root of the repo, `DIR` (default: the nearest folder upwards with a go.mod)"},
			&cli.StringFlag{Name: "out", Usage: "the folder to write to, `DIR` (default: specs in the repo)"},
			&cli.StringFlag{Name: "name", Usage: "the server's `NAME` (default: what it says)"},
			&cli.StringFlag{Name: "prefix", Usage: "what every tool's name starts with, `PREFIX` (default: what the names have in common)"},
			&cli.BoolFlag{Name: "verbose", Usage: "pass on what the server writes to standard error"},
		},
		OnUsageError: usageError,
		Action:       runImport,
	}
}

func runImport(c *cli.Context) error {
	o := gen.ImportOptions{Out: c.String("out"), Name: c.String("name"), Prefix: c.String("prefix"), Stderr: serverErrors(c)}
	switch {
	case c.Bool("server") && c.NArg() == 0:
		return errors.New("no command; write it behind --, as in: teagen import --server -- npx some-server")
	case c.Bool("server"):
		o.Command = c.Args().Slice()
	case c.NArg() != 1:
		return fmt.Errorf("import takes one file, not %d; try --help", c.NArg())
	default:
		o.File = c.Args().First()
	}
	if o.Out == "" {
		dir, err := root(c.String("dir"))
		if err != nil {
			return err
		}
		o.Out = filepath.Join(dir, "specs")
	}
	im, err := gen.Import(c.Context, o)
	if err != nil {
		return err
	}
	out := c.App.Writer
	decide := 0
	for _, n := range im.Notes {
		fmt.Fprintln(out, n)
		if n.Kind.String() == "decide" {
			decide++
		}
	}
	for _, f := range im.Files {
		fmt.Fprintf(out, "wrote   %s\n", f)
	}
	fmt.Fprintf(out, "imported: %s, %d of them lost something, %s to decide", plural(im.Tools, "tool"), im.Losing, plural(decide, "thing"))
	if im.Allowed > 0 {
		fmt.Fprintf(out, ", %s allowed under lint", plural(im.Allowed, "broken rule"))
	}
	fmt.Fprintln(out)
	if len(im.Findings) > 0 {
		if err := im.Print(c.App.ErrWriter); err != nil {
			return err
		}
		fmt.Fprintf(c.App.ErrWriter, "%s to mend by hand before generating\n", plural(len(im.Findings), "error"))
		return errFindings
	}
	return nil
}

// serverErrors is where a server's standard error goes: nowhere unless asked
// for, but into the message if the server fails.
func serverErrors(c *cli.Context) io.Writer {
	if c.Bool("verbose") {
		return c.App.ErrWriter
	}
	return nil
}
