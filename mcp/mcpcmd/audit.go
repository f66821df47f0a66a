package mcpcmd

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/teaagent/teaagent/mcp/internal/audit"
	"github.com/teaagent/teaagent/mcp/internal/store"
)

const (
	auditFolder = "audit" // in the folder of state
	maxAtOnce   = 10_000  // events that are shown at once
)

// auditCommand is "audit" with its commands.
func auditCommand(serverName string) *cli.Command {
	return &cli.Command{
		Name:  "audit",
		Usage: "show what servers did, and check that the record is whole",
		Description: `Every server records its calls in ~/.teaagent/audit, a chain of files for each
process. A call that may change something is on file before it runs ("admitted"),
and when it has ended ("done"); of others there is one line ("call", "preview",
"refused"). Secrets are masked.

   $ ` + serverName + ` mcp audit tail --follow
   $ ` + serverName + ` mcp audit verify`,
		HideHelpCommand: true,
		Subcommands:     []*cli.Command{auditTail(serverName), auditVerify(serverName)},
		Action:          unknownCommand,
	}
}

func auditTail(serverName string) *cli.Command {
	return &cli.Command{
		Name:  "tail",
		Usage: "show the last events of all servers",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "n", Value: 20, Usage: "how many, `N`"},
			&cli.BoolFlag{Name: "follow", Aliases: []string{"f"}, Usage: "go on showing events as they come"},
			&cli.BoolFlag{Name: "json", Usage: "print the lines as they are on file"},
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() || c.Int("n") < 0 {
				return fmt.Errorf("audit tail takes no argument, and an -n from 0; see %s mcp audit tail --help", serverName)
			}
			home, err := store.Open(os.Getenv)
			if err != nil {
				return err
			}
			tail := audit.NewTail(home.Path(auditFolder))
			events, faults := tail.Next(c.Int("n"))
			printEvents(c.App.Writer, events, c.Bool("json"))
			for _, fault := range faults {
				fmt.Fprintln(os.Stderr, shown(fault.Error()))
			}
			if len(events) == 0 && !c.Bool("json") {
				fmt.Fprintln(c.App.Writer, "Nothing is recorded yet.")
			}
			for c.Bool("follow") {
				select {
				case <-c.Context.Done():
					return nil
				case <-time.After(300 * time.Millisecond):
				}
				events, _ = tail.Next(maxAtOnce)
				printEvents(c.App.Writer, events, c.Bool("json"))
			}
			return nil
		},
	}
}

// printEvents prints a line for each event.
func printEvents(out io.Writer, events []audit.Event, asTheyAre bool) {
	for _, e := range events {
		if asTheyAre {
			fmt.Fprintf(out, "%s\n", e.Line)
			continue
		}
		fmt.Fprintln(out, readable(e))
	}
}

// readable is an event in a line for people: its time, what it is, the tool, how
// it ended, and whatever else there is.
func readable(e audit.Event) string {
	d := json.NewDecoder(strings.NewReader(string(e.Line)))
	d.UseNumber()
	var b strings.Builder
	fmt.Fprintf(&b, "%s %-8s", e.Time.Local().Format("2006-01-02 15:04:05.000"), shown(e.Event))
	d.Token() // the brace
	for d.More() {
		key, err := d.Token()
		var value any
		if err != nil || d.Decode(&value) != nil {
			break
		}
		switch key {
		case "seq", "time", "event", "prev", "hash":
		case "tool", "outcome":
			fmt.Fprintf(&b, " %s", shown(fmt.Sprint(value)))
		case "arguments":
			fmt.Fprintf(&b, " %s", shown(fmt.Sprint(value)))
		case "digest":
			fmt.Fprintf(&b, " digest=%.12s", shown(fmt.Sprint(value)))
		default:
			text := fmt.Sprint(value)
			if _, isObject := value.(map[string]any); isObject {
				object, _ := json.Marshal(value) // was JSON a moment ago
				text = string(object)
			}
			fmt.Fprintf(&b, " %s=%s", shown(fmt.Sprint(key)), shown(text))
		}
	}
	return b.String()
}

func auditVerify(serverName string) *cli.Command {
	return &cli.Command{
		Name:  "verify",
		Usage: "check that no line of the record was changed, removed or added",
		Description: `Prints a line for each chain: whole, or where it breaks; exits with 1 if any does.
A chain that is open belongs to a server that runs, or was killed: whether lines
are missing at its end can't be told.`,
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return fmt.Errorf("unexpected argument %q; see %s mcp audit verify --help", c.Args().First(), serverName)
			}
			home, err := store.Open(os.Getenv)
			if err != nil {
				return err
			}
			chains, err := audit.Chains(home.Path(auditFolder))
			if err != nil {
				return err
			}
			broken := 0
			for _, chain := range chains {
				report, err := audit.Verify(chain)
				state := "whole"
				switch {
				case err != nil:
					broken++
					state = "BROKEN: " + err.Error()
				case !report.Ended:
					state = "whole so far, open"
				}
				if report.Cut {
					state += ", its first parts are gone"
				}
				fmt.Fprintf(c.App.Writer, "%s  %d lines  %s\n", shown(filepath.Base(chain.Name)), report.Lines, shown(state))
			}
			switch {
			case broken > 0:
				return cli.Exit(fmt.Sprintf("%d of %d chains are broken", broken, len(chains)), 1)
			case len(chains) == 0:
				fmt.Fprintln(c.App.Writer, "Nothing is recorded yet.")
			}
			return nil
		},
	}
}

// recordDecision adds an operator's decision to the audit log, as a chain of its own.
func recordDecision(serverName string) func([]byte) error {
	return func(members []byte) error {
		home, err := store.Open(os.Getenv)
		if err != nil {
			return err
		}
		header, err := json.Marshal(serverName + " mcp approvals")
		if err != nil {
			return err
		}
		log := audit.Open(home.Path(auditFolder), audit.Options{Header: append([]byte(`"server":`), header...)})
		if err := log.Add(members, true); err != nil {
			return err
		}
		return log.Close()
	}
}
