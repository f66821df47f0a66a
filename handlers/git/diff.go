package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/teaagent/teaagent/mcp"
)

// Change is a file that differs.
type Change struct {
	Path, From     string
	Added, Removed int64 // lines
	Binary         bool  // then they are not known
}

// Diff is how files differ.
type Diff struct {
	Files  []Change
	Text   string // unified diff, if asked for
	Cut    bool   // there are more files, or there is more text
	Denied int64  // files left out: see Repo.Denied

	unread bool // git has named more files than were read
}

const (
	maxChanges = 2000     // files of a diff
	maxPatch   = 64 << 10 // bytes of its text
	maxNames   = 96 << 10 // bytes of the names that one command gets
)

var diffFlags = []string{
	"--no-ext-diff", "--no-textconv", "--no-color", "--no-relative", "-O/dev/null",
	"--ignore-submodules=dirty", "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/",
}

// Diff compares what args say: commits, --cached, none. With a context of
// lines below 0 it has no text.
func (r *Repo) Diff(ctx context.Context, lines int, paths []string, args ...string) (Diff, error) {
	base := append(append([]string{"diff"}, diffFlags...), "--find-renames")
	list := append(append(base[:len(base):len(base)], "--numstat", "-z"), args...)
	out, err := r.Output(ctx, Options{}, append(append(list, "--"), paths...)...)
	if err != nil {
		return Diff{}, err
	}
	d := Diff{Cut: out.Cut, unread: out.Cut}
	all, err := parseNumstat(out.Text)
	if err != nil {
		return d, err
	}
	var names []string
	size := 0
	for _, c := range all {
		switch {
		case r.Denied(c.Path, c.From):
			d.Denied++
		case len(d.Files) == maxChanges:
			d.Cut = true
		default:
			d.Files = append(d.Files, c)
			if c.From != "" {
				names = append(names, c.From)
			}
			names = append(names, c.Path)
			size += len(c.Path) + len(c.From) + 2
		}
	}
	if lines < 0 || len(d.Files) == 0 {
		return d, nil
	}
	if d.Denied > 0 { // the text must not have them either
		if paths = names; size > maxNames {
			d.Cut = true
			return d, nil
		}
	}
	text := append(append(base, "--patch", fmt.Sprintf("--unified=%d", lines), "--inter-hunk-context=0"), args...)
	out, err = r.Output(ctx, Options{Keep: maxPatch}, append(append(text, "--"), paths...)...)
	if err != nil {
		return d, err
	}
	d.Text = out.Text
	if out.Cut {
		d.Cut = true
		d.Text = d.Text[:strings.LastIndexByte(d.Text, '\n')+1]
	}
	d.Text = Valid(d.Text)
	return d, nil
}

// Names returns the paths of a list of changes, old ones included.
func Names(files []Change) []string {
	var names []string
	for _, c := range files {
		if c.From != "" {
			names = append(names, c.From)
		}
		names = append(names, c.Path)
	}
	return names
}

// parseNumstat reads `git diff --numstat -z`.
func parseNumstat(text string) ([]Change, error) {
	var all []Change
	list := records(text)
	for i := 0; i < len(list); i++ {
		parts := strings.SplitN(list[i], "\t", 3)
		if len(parts) != 3 {
			return nil, mcp.Errorf("GIT_FAILED", "git reports a difference that is not understood: %.100q", list[i])
		}
		c := Change{Path: parts[2]}
		added, errA := strconv.ParseInt(parts[0], 10, 64)
		removed, errR := strconv.ParseInt(parts[1], 10, 64)
		if c.Binary = parts[0] == "-"; !c.Binary && (errA != nil || errR != nil || added < 0 || removed < 0) {
			return nil, mcp.Errorf("GIT_FAILED", "git reports a difference that is not understood: %.100q", list[i])
		}
		if !c.Binary {
			c.Added, c.Removed = added, removed
		}
		if c.Path == "" { // renamed: both names follow
			if i += 2; i >= len(list) {
				break // cut in between
			}
			c.From, c.Path = list[i-1], list[i]
		}
		all = append(all, c)
	}
	return all, nil
}
