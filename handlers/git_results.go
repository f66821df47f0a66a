package handlers

import (
	"fmt"
	"strings"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/handlers/git"
	"github.com/teaagent/teaagent/mcp"
)

// changesOf returns what differs as answers have it: at most maxListBytes of
// names, and whether that is all.
func changesOf(files []git.Change) (changes []generated.Change, all bool) {
	size := 0
	for _, f := range files {
		if size += len(f.Path) + len(f.From); size > maxListBytes && len(changes) > 0 {
			return changes, false
		}
		c := generated.Change{Path: git.Valid(f.Path), From: someText(git.Valid(f.From))}
		if f.Binary {
			c.Binary = mcp.Some(true)
		} else {
			c.Added, c.Removed = mcp.Some(f.Added), mcp.Some(f.Removed)
		}
		changes = append(changes, c)
	}
	return changes, true
}

// commitOf returns a commit as answers have it.
func commitOf(c git.Commit) generated.Commit {
	return generated.Commit{
		ID: c.ID, Short: c.Short, Author: git.Valid(c.Author), Email: git.Valid(c.Email), Time: git.Valid(c.Time), Subject: git.Valid(c.Subject),
	}
}

// listing returns changes as a preview has them, one in a line.
func listing(files []git.Change) string {
	const most = 50
	var b strings.Builder
	for i, f := range files {
		if i == most {
			fmt.Fprintf(&b, "and %d more\n", len(files)-most)
			break
		}
		name := printable(f.Path)
		if f.From != "" {
			name = printable(f.From) + " -> " + name
		}
		if f.Binary {
			fmt.Fprintf(&b, "%s (binary)\n", name)
		} else {
			fmt.Fprintf(&b, "%s +%d -%d\n", name, f.Added, f.Removed)
		}
	}
	return b.String()
}

// printable returns a name in quotes if it could pass for more than one, or for
// another.
func printable(name string) string {
	if quoted := fmt.Sprintf("%q", name); quoted != `"`+name+`"` || strings.Contains(name, " -> ") {
		return quoted
	}
	return name
}

// counted says "1 file", "2 files".
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
