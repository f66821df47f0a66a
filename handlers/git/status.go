package git

import (
	"context"
	"strconv"
	"strings"

	"github.com/teaagent/teaagent/mcp"
)

// Status is what `git status` tells.
type Status struct {
	Branch   string // "" if HEAD is detached
	Head     string // hash; "" before the first commit
	Upstream string
	Tracked  bool // Ahead and Behind are known
	Ahead    int64
	Behind   int64
	Entries  []Entry
	Cut      bool // there are more entries
}

// Entry is a file that is not as in HEAD, or not tracked. What happened to it is
// a word: added, modified, deleted, renamed, copied, retyped, conflict,
// untracked or ignored; "" is nothing.
type Entry struct {
	Path, From      string
	Index, Worktree string
}

// Status returns what changed, of these paths only if there are any. untracked
// is what --untracked-files takes.
func (r *Repo) Status(ctx context.Context, untracked string, paths []string, flags ...string) (Status, error) {
	args := append([]string{"status", "--porcelain=v2", "--branch", "-z", "--untracked-files=" + untracked, "--ahead-behind"}, flags...)
	out, err := r.Output(ctx, Options{}, append(append(args, "--"), paths...)...)
	if err != nil {
		return Status{}, err
	}
	s, err := parseStatus(out.Text)
	s.Cut = out.Cut
	return s, err
}

// parseStatus reads `git status --porcelain=v2 --branch -z`.
func parseStatus(text string) (Status, error) {
	var s Status
	list := records(text)
	for i := 0; i < len(list); i++ {
		line := list[i]
		kind, rest, _ := strings.Cut(line, " ")
		fields := map[string]int{"1": 8, "2": 9, "u": 10, "?": 1, "!": 1}[kind]
		parts := strings.SplitN(rest, " ", max(fields, 1))
		switch {
		case kind == "#":
			s.header(rest)
			continue
		case fields == 0 || len(parts) != fields || fields > 1 && len(parts[0]) != 2:
			return s, mcp.Errorf("GIT_FAILED", "git reports a status that is not understood: %.100q", line)
		}
		e := Entry{Path: parts[fields-1]}
		switch kind {
		case "?":
			e.Worktree = "untracked"
		case "!":
			e.Worktree = "ignored"
		case "u":
			e.Index, e.Worktree = "conflict", "conflict"
		default:
			e.Index, e.Worktree = changes[parts[0][0]], changes[parts[0][1]]
		}
		if kind == "2" {
			if i++; i == len(list) {
				break // cut in between
			}
			e.From = list[i]
		}
		s.Entries = append(s.Entries, e)
	}
	return s, nil
}

var changes = map[byte]string{'A': "added", 'M': "modified", 'D': "deleted", 'R': "renamed", 'C': "copied", 'T': "retyped", 'U': "conflict"}

func (s *Status) header(line string) {
	key, value, _ := strings.Cut(line, " ")
	switch key {
	case "branch.oid":
		if isHash(value) {
			s.Head = value
		}
	case "branch.head":
		if value != "(detached)" {
			s.Branch = value
		}
	case "branch.upstream":
		s.Upstream = value
	case "branch.ab":
		ahead, behind, _ := strings.Cut(value, " ")
		a, errA := strconv.ParseInt(strings.TrimPrefix(ahead, "+"), 10, 64)
		b, errB := strconv.ParseInt(strings.TrimPrefix(behind, "-"), 10, 64)
		if errA == nil && errB == nil && a >= 0 && b >= 0 {
			s.Ahead, s.Behind, s.Tracked = a, b, true
		}
	}
}
