package git

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/teaagent/teaagent/mcp"
)

// Commit is a commit. Its texts may be no UTF-8: see Valid.
type Commit struct {
	ID, Short     string
	Parents       []string
	Author, Email string
	Time          string // RFC 3339
	Subject, Body string
}

const commitFormat = "--format=tformat:%H%x00%h%x00%P%x00%an%x00%ae%x00%aI%x00%s"

const commitFields = 7

var logFlags = []string{"log", "-z", "--no-show-signature", "--no-mailmap", "--no-notes", "--no-decorate", "--no-color", "--no-ext-diff", "--no-textconv", "--no-patch"}

// Log returns commits, the newest first, that are reached from a commit, and
// whether there are more.
func (r *Repo) Log(ctx context.Context, id string, skip, limit int, paths []string, flags ...string) (commits []Commit, more bool, err error) {
	args := append(append(logFlags[:len(logFlags):len(logFlags)], commitFormat, "--skip="+strconv.Itoa(skip), "--max-count="+strconv.Itoa(limit+1)), flags...)
	out, err := r.Output(ctx, Options{Keep: 1 << 20}, append(append(args, id, "--"), paths...)...)
	if err != nil {
		return nil, false, err
	}
	commits, err = parseLog(out.Text)
	if more = len(commits) > limit || out.Cut; len(commits) > limit {
		commits = commits[:limit]
	}
	return commits, more, err
}

// parseLog reads commits in commitFormat, each ended by a NUL.
func parseLog(text string) ([]Commit, error) {
	var all []Commit
	for list := records(text); len(list) >= commitFields; list = list[commitFields:] {
		if !isHash(list[0]) {
			return nil, mcp.Errorf("GIT_FAILED", "git lists a commit that is not understood: %.100q", list[0])
		}
		all = append(all, Commit{
			ID: list[0], Short: list[1], Parents: strings.Fields(list[2]),
			Author: list[3], Email: list[4], Time: instant(list[5]), Subject: list[6],
		})
	}
	return all, nil
}

// Show returns a commit with the body of its message.
func (r *Repo) Show(ctx context.Context, id string) (Commit, error) {
	args := append(logFlags[:len(logFlags):len(logFlags)], commitFormat+"%x00%b", "--max-count=1", id, "--")
	out, err := r.Output(ctx, Options{Keep: maxPatch}, args...)
	if err != nil {
		return Commit{}, err
	}
	all, err := parseLog(out.Text)
	if err == nil && len(all) != 1 {
		err = mcp.Errorf("TOO_LARGE", "the commit's author or subject is too long to be shown")
	}
	if err != nil {
		return Commit{}, err
	}
	_, body, _ := cutFields(out.Text, commitFields)
	all[0].Body = strings.TrimSuffix(strings.TrimSuffix(body, "\x00"), "\n")
	return all[0], nil
}

// cutFields cuts a text behind its first n NULs.
func cutFields(text string, n int) (before, after string, found bool) {
	at := 0
	for range n {
		i := strings.IndexByte(text[at:], 0)
		if i < 0 {
			return text, "", false
		}
		at += i + 1
	}
	return text[:at], text[at:], true
}

// instant returns a time of git's as RFC 3339 has it; one that is none stays.
func instant(text string) string {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	return t.Format(time.RFC3339)
}

// Ref is a branch.
type Ref struct {
	Name          string
	Current       bool
	Commit        string // hash
	Time          string // RFC 3339; "" if it is no commit
	Subject       string
	Upstream      string
	Tracked       bool // Ahead and Behind are known
	Ahead, Behind int64
}

const refFormat = "--format=%(refname)%00%(symref)%00%(HEAD)%00%(objectname)%00%(committerdate:iso-strict)%00%(upstream)%00%(upstream:track,nobracket)%00%(contents:subject)"

// Branches returns at most limit branches, the newest first, and whether there
// are more.
func (r *Repo) Branches(ctx context.Context, remote bool, limit int) (refs []Ref, more bool, err error) {
	below := "refs/heads/"
	if remote {
		below = "refs/remotes/"
	}
	out, err := r.Output(ctx, Options{}, "for-each-ref", "--sort=-committerdate", refFormat, below)
	if err != nil {
		return nil, false, err
	}
	refs, err = parseRefs(out.Text, below)
	if more = len(refs) > limit || out.Cut; len(refs) > limit {
		refs = refs[:limit]
	}
	return refs, more, err
}

func parseRefs(text, below string) ([]Ref, error) {
	var refs []Ref
	for line := range strings.Lines(text) {
		line, whole := strings.CutSuffix(line, "\n")
		if !whole {
			break // cut
		}
		f := strings.SplitN(line, "\x00", 8)
		if len(f) != 8 {
			return nil, mcp.Errorf("GIT_FAILED", "git lists a branch that is not understood: %.100q", line)
		}
		if f[1] != "" { // origin/HEAD
			continue
		}
		r := Ref{Name: strings.TrimPrefix(f[0], below), Current: f[2] == "*", Commit: f[3], Time: instant(f[4]), Subject: f[7]}
		r.Upstream = strings.TrimPrefix(strings.TrimPrefix(f[5], "refs/remotes/"), "refs/heads/")
		if r.Upstream != "" && f[6] != "gone" {
			r.Tracked = true
			for _, part := range strings.Split(f[6], ", ") {
				word, count, _ := strings.Cut(part, " ")
				n, err := strconv.ParseInt(count, 10, 64)
				switch {
				case err != nil || n < 0:
				case word == "ahead":
					r.Ahead = n
				case word == "behind":
					r.Behind = n
				}
			}
		}
		refs = append(refs, r)
	}
	return refs, nil
}
