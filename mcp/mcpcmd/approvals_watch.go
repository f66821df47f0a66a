package mcpcmd

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/teaagent/teaagent/mcp/internal/approval"
)

func (a *approvals) watchCommand() *cli.Command {
	return a.command(cli.Command{
		Name:  "watch",
		Usage: "show calls as they come to wait, and ask about each",
		Description: `Shows the calls that wait, and each new one when it comes. On a terminal it asks
about each: y approves it once (within an hour), d denies it for good, and
anything else leaves it waiting. End it with Ctrl-C.`,
	}, 0, 0, a.watch)
}

func (a *approvals) watch(v *visit) error {
	ticks := a.ticks()
	var answers *bufio.Reader
	if a.terminal(v.App.Reader) {
		answers = bufio.NewReader(v.App.Reader)
	}
	seen := map[approval.Preapproval]bool{}
	for {
		now, err := v.book.Snapshot()
		if err != nil {
			return err
		}
		waiting := map[approval.Preapproval]bool{}
		for _, p := range now.Pending {
			id := approval.Preapproval{Tool: p.Tool, Digest: p.Digest}
			waiting[id] = true
			if seen[id] {
				continue
			}
			a.printPending(v.out, p, v.String("root"))
			if answers == nil {
				continue
			}
			if err := a.ask(v, answers, id); err == io.EOF {
				answers = nil
			} else if err != nil {
				return err
			}
		}
		seen = waiting // one that was decided and comes again is shown again
		select {
		case <-v.Context.Context.Done():
			return nil
		case _, ok := <-ticks:
			if !ok {
				return nil
			}
		}
	}
}

// ask asks about the call that was just shown, and does as it is told.
func (a *approvals) ask(v *visit, answers *bufio.Reader, call approval.Preapproval) error {
	fmt.Fprint(v.out, "    approve once? [y/N/d(eny)] ")
	line, err := answers.ReadString('\n')
	if err != nil {
		fmt.Fprintln(v.out)
		return err
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return a.approve(v, call.String(), 1, a.now().Add(time.Hour))
	case "d", "deny":
		g, err := v.book.DenyCall(v.Context.Context, call.Digest, time.Time{}, "")
		if err != nil {
			return err
		}
		fmt.Fprintf(v.out, "%s: %s\n", g.ID, a.describe(g))
		return a.record(v, "deny", g.Tool, g.Digest, &g)
	}
	return nil
}
