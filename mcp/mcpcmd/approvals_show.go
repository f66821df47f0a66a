package mcpcmd

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/teaagent/teaagent/mcp/internal/approval"
	"github.com/teaagent/teaagent/mcp/policy"
)

func (a *approvals) listCommand() *cli.Command {
	return a.command(cli.Command{
		Name:  "list",
		Usage: "show the calls that wait, and what you have decided",
		Description: `Shows the calls that were refused and wait for your word, the longest waiting
first, each with the command that lets exactly it pass; then the grants.

   $ ` + a.server + ` mcp approvals list
   1 call waits in /home/me/project
     delete_file  3f2a9c01d4e7  5m ago, kept by mode:prompt
       {"confirm":true,"path":"notes/old.txt"}
       ` + a.server + ` mcp approvals approve 3f2a9c01d4e7…
   no grants`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print JSON: an object with workspace, pending and grants; a list of them with --all"},
			&cli.BoolFlag{Name: "all", Usage: "show every workspace"},
		},
	}, 0, 0, func(v *visit) error {
		var all []approval.Snapshot
		one, err := v.book.Snapshot()
		if err == nil && v.Bool("all") {
			all, err = approval.All(v.home)
		}
		switch {
		case err != nil:
			return err
		case v.Bool("json") && v.Bool("all"):
			return printJSON(v.out, all)
		case v.Bool("json"):
			return printJSON(v.out, one)
		case !v.Bool("all"):
			a.print(v.out, one, v.String("root"))
		case len(all) == 0:
			fmt.Fprintln(v.out, "nothing waits and nothing is decided in any workspace")
		}
		for _, s := range all {
			a.print(v.out, s, s.Workspace)
		}
		return nil
	})
}

// print shows a workspace. root is how the printed commands name it.
func (a *approvals) print(out io.Writer, s approval.Snapshot, root string) {
	switch len(s.Pending) {
	case 0:
		fmt.Fprintf(out, "no call waits in %s\n", shown(s.Workspace))
	case 1:
		fmt.Fprintf(out, "1 call waits in %s\n", shown(s.Workspace))
	default:
		fmt.Fprintf(out, "%d calls wait in %s\n", len(s.Pending), shown(s.Workspace))
	}
	for _, p := range s.Pending {
		a.printPending(out, p, root)
	}
	if len(s.Grants) == 0 {
		fmt.Fprintln(out, "no grants")
		return
	}
	fmt.Fprintln(out, "grants:")
	for _, g := range s.Grants {
		fmt.Fprintf(out, "  %s  %s\n", g.ID, a.describe(g))
	}
}

func (a *approvals) printPending(out io.Writer, p approval.Pending, root string) {
	times := ""
	if p.Count > 1 {
		times = fmt.Sprintf(", %d times", p.Count)
	}
	fmt.Fprintf(out, "  %s  %s  %s ago%s, kept by %s\n", shown(p.Tool), p.Digest[:12], span(a.now().Sub(p.Last)), times, shown(p.Rule))
	fmt.Fprintf(out, "    %s\n", shown(p.Arguments))
	at := ""
	if root != "." {
		at = " --root " + shellWord(root)
	}
	// The whole digest: of its first digits a caller could make a second.
	fmt.Fprintf(out, "    %s mcp approvals approve%s %s\n", a.server, at, p.Digest)
}

// describe says in a line what a grant does.
func (a *approvals) describe(g policy.Grant) string {
	parts := []string{string(g.Effect) + " " + shown(g.Tool)}
	if g.Digest != "" {
		parts = append(parts, "only the call "+g.Digest[:12])
	}
	for _, glob := range g.Paths {
		parts = append(parts, "path "+shown(glob))
	}
	for _, words := range g.Commands {
		parts = append(parts, "command "+commandText(words))
	}
	for _, mode := range g.Modes {
		parts = append(parts, "in mode "+mode)
	}
	switch {
	case g.Uses == 1:
		parts = append(parts, "once")
	case g.Uses > 1:
		parts = append(parts, fmt.Sprintf("%d times", g.Uses))
	}
	switch left := g.Expires.Sub(a.now()); {
	case g.Expires.IsZero():
	case left <= 0:
		parts = append(parts, "EXPIRED "+span(-left)+" ago")
	case left > time.Minute:
		parts = append(parts, "for "+span(left.Round(time.Minute))+" more")
	default:
		parts = append(parts, "for "+span(left)+" more")
	}
	if g.Note != "" {
		parts = append(parts, "note: "+shown(g.Note))
	}
	return strings.Join(parts, ", ")
}

// commandText shows words as --command takes them.
func commandText(words []string) string {
	text := strings.Join(words, " ")
	if back, err := commandWords(text); err == nil && len(back) == len(words) {
		return text
	}
	list, _ := json.Marshal(words)
	return shown(string(list))
}

// span is a time for people, with its greatest unit.
func span(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%dd", d/(24*time.Hour))
	case d >= time.Hour:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d >= time.Minute:
		return fmt.Sprintf("%dm", d/time.Minute)
	}
	return fmt.Sprintf("%ds", max(0, d)/time.Second)
}

// shown makes text from outside harmless on a terminal: what does not show as
// itself, moves the cursor or turns the direction is written out.
func shown(s string) string {
	var b strings.Builder
	for i, r := range s {
		_, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case unicode.IsGraphic(r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
	}
	return b.String()
}

// shellWord quotes a word for a line that is copied to a shell.
func shellWord(s string) string {
	s = shown(s)
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// printJSON prints a value in ASCII: no text in it can steer the terminal.
func printJSON(out io.Writer, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	ascii := make([]byte, 0, len(text)+1)
	for _, r := range string(text) {
		if r < 0x7f {
			ascii = append(ascii, byte(r))
		} else if r < 0x10000 {
			ascii = fmt.Appendf(ascii, `\u%04x`, r)
		} else {
			r -= 0x10000
			ascii = fmt.Appendf(ascii, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		}
	}
	_, err = out.Write(append(ascii, '\n'))
	return err
}
