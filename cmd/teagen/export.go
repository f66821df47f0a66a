package main

import (
	"github.com/urfave/cli/v2"

	"github.com/teaagent/teaagent/gen"
)

func exportCommand() *cli.Command {
	return command(cli.Command{
		Name:  "export",
		Usage: "print the manifest, or the bare array of tools",
		Description: `Prints what the specs say as mcp-tools.json does; with --array as other tools
read it: a JSON array with the name, description, category, destructive and
requiresConfirm of each tool, and its schemas.

Example:

   $ teagen export --array > tools.json`,
		Flags: []cli.Flag{&cli.BoolFlag{Name: "array", Usage: "print the bare array of tools"}},
	}, func(c *cli.Context) error {
		var text []byte
		r, err := withReport(c, func(o gen.Options) (r *gen.Report, err error) {
			text, r, err = gen.Export(o, c.Bool("array"))
			return r, err
		})
		if err != nil {
			return err
		}
		if _, err := c.App.Writer.Write(text); err != nil {
			return err
		}
		return closing(c, r)
	})
}
