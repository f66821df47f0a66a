package mcpcmd

import (
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/teaagent/teaagent/mcp/internal/lock"
	"github.com/teaagent/teaagent/mcp/internal/store"
)

// locksCommand is "locks": who writes to which workspace.
func locksCommand(serverName string) *cli.Command {
	return &cli.Command{
		Name:  "locks",
		Usage: "show which process writes to which workspace",
		Description: `One process at a time writes to a workspace. A server takes it at its first call
that writes, and holds it until it ends; others are refused meanwhile:

   $ ` + serverName + ` mcp locks
   WORKSPACE         PROCESS  SINCE                 SERVER    STATE
   /home/me/project  4711     2026-12-01T09:30:00Z  teaagent  held

A record is stale if its process has ended without removing it. It locks nothing,
and goes with the next server that takes a workspace.`,
		HideHelpCommand: true,
		Flags:           []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print JSON: a list of objects"}},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return fmt.Errorf("unexpected argument %q; see %s mcp locks --help", c.Args().First(), serverName)
			}
			home, err := store.Open(os.Getenv)
			if err != nil {
				return err
			}
			locks, err := lock.List(c.Context, home)
			if err != nil {
				return err
			}
			if c.Bool("json") {
				return printJSON(c.App.Writer, lockRows(locks))
			}
			if len(locks) == 0 {
				fmt.Fprintln(c.App.Writer, "No workspace is locked.")
				return nil
			}
			w := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "WORKSPACE\tPROCESS\tSINCE\tSERVER\tSTATE")
			for _, l := range lockRows(locks) {
				fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\n", shown(l.Workspace), l.PID, l.Since.UTC().Format(time.RFC3339), shown(l.Server), l.State)
			}
			return w.Flush()
		},
	}
}

// lockRow is a lock as `locks --json` prints it.
type lockRow struct {
	Workspace string    `json:"workspace_path"`
	PID       int       `json:"owner_pid"`
	Since     time.Time `json:"acquired_at"`
	Server    string    `json:"server"`
	State     string    `json:"state"` // held or stale
}

func lockRows(locks []lock.Status) []lockRow {
	rows := []lockRow{}
	for _, l := range locks {
		state := "stale"
		if l.Alive {
			state = "held"
		}
		rows = append(rows, lockRow{l.Path, l.PID, l.Since, l.Server, state})
	}
	return rows
}
