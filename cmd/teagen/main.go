// Command teagen turns tool specs into the Go code of an MCP server.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"
)

func main() { os.Exit(run(os.Args, os.Stdout, os.Stderr)) }

// Exit codes. Findings and differences are what a person wrote; trouble is not.
const (
	exitFindings = 1
	exitTrouble  = 2
)

// errFindings ends a command whose findings are printed already.
var errFindings = errors.New("findings")

// run is the whole command.
func run(args []string, stdout, stderr io.Writer) int {
	app := &cli.App{
		Name:  "teagen",
		Usage: "turn tool specs into the Go code of an MCP server",
		Description: `Specs are YAML: specs/server.yaml for the server, a file for each category of
tools. From them teagen writes generated/, mcp-tools.json and .env.example, and
for a new tool a stub in handlers/ whose body you write.

Exit codes: 0 all is well, 1 findings or differences, 2 trouble.`,
		UsageText:       "teagen generate | verify | lint | explain | budget | import | export [--dir DIR] [--specs DIR]",
		Commands:        []*cli.Command{generateCommand(), verifyCommand(), lintCommand(), explainCommand(), budgetCommand(), importCommand(), exportCommand()},
		HideVersion:     true,
		HideHelpCommand: true,
		Writer:          stdout,
		ErrWriter:       stderr,
		ExitErrHandler:  func(*cli.Context, error) {}, // the end of run decides
		OnUsageError:    usageError,
		Action: func(c *cli.Context) error {
			if name := c.Args().First(); name != "" {
				return fmt.Errorf("there is no command %q; try teagen --help", name)
			}
			return cli.ShowAppHelp(c)
		},
	}
	err := app.Run(args)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errFindings):
		return exitFindings
	}
	fmt.Fprintf(stderr, "teagen: %v\n", err)
	return exitTrouble
}

func usageError(_ *cli.Context, err error, _ bool) error {
	return fmt.Errorf("%w; try --help", err)
}

func places() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "dir", Usage: "the root of the repo, `DIR` (default: the nearest folder upwards with a go.mod)"},
		&cli.StringFlag{Name: "specs", Value: "specs", Usage: "the folder of the specs, from there, `DIR`"},
	}
}

// command completes a command that takes no arguments, or at most the one that
// its ArgsUsage names.
func command(c cli.Command, act func(*cli.Context) error) *cli.Command {
	c.Flags = append(places(), c.Flags...)
	c.OnUsageError = usageError
	c.Action = func(ctx *cli.Context) error {
		if ctx.NArg() > 1 && c.ArgsUsage != "" && !ctx.Bool("server") {
			return fmt.Errorf("%s takes at most %s, not %d arguments; try --help", c.Name, c.ArgsUsage, ctx.NArg())
		}
		if ctx.NArg() > 0 && c.ArgsUsage == "" {
			return fmt.Errorf("%s takes no arguments, not %q; try --help", c.Name, ctx.Args().First())
		}
		return act(ctx)
	}
	return &c
}

// root finds the repo: the nearest folder with a go.mod, as seen from here, so
// that the places in findings can be opened as they are printed.
func root(flag string) (string, error) {
	if flag != "" {
		return flag, nil
	}
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Rel(here, dir)
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("neither %s nor a folder above it has a go.mod; go to the repo, or say --dir", here)
		}
	}
}
