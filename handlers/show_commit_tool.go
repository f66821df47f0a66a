package handlers

import (
	"context"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/handlers/git"
	"github.com/teaagent/teaagent/mcp"
)

// ShowCommit returns a commit, and how its files differ from those of its first
// parent.
func (h *Handlers) ShowCommit(ctx context.Context, a generated.ShowCommitArgs) (generated.ShowCommitResult, error) {
	var r generated.ShowCommitResult
	repo, err := git.Open(ctx)
	if err != nil {
		return r, err
	}
	paths, err := repo.Paths(a.Paths.Or(nil))
	if err != nil {
		return r, err
	}
	id, err := repo.Commit(ctx, a.Revision)
	if err != nil {
		return r, err
	}
	c, err := repo.Show(ctx, id)
	if err != nil {
		return r, err
	}
	lines := -1
	if a.Patch {
		lines = 3
	}
	d, err := repo.Diff(ctx, lines, paths, parentOf(c), id)
	if err != nil {
		return r, err
	}
	files, all := changesOf(d.Files)
	r = generated.ShowCommitResult{
		Commit: commitOf(c), Parents: c.Parents, Body: someText(git.Valid(c.Body)),
		Files: files, Text: someText(d.Text), Truncated: d.Cut || !all,
	}
	if d.Denied > 0 {
		r.Denied = mcp.Some(d.Denied)
	}
	return r, nil
}

// parentOf returns the hash of what a commit is compared with.
func parentOf(c git.Commit) string {
	if len(c.Parents) == 0 {
		return git.Before(c.ID)
	}
	return c.Parents[0]
}
