package handlers

import (
	"context"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/handlers/git"
)

// GetBlame returns a page of a file's lines with the commits that they come from.
func (h *Handlers) GetBlame(ctx context.Context, a generated.GetBlameArgs) (generated.GetBlameResult, error) {
	var r generated.GetBlameResult
	repo, err := git.Open(ctx)
	if err != nil {
		return r, err
	}
	paths, err := repo.Paths([]string{a.Path})
	if err != nil {
		return r, err
	}
	id := ""
	if revision, ok := a.Revision.Get(); ok {
		if id, err = repo.Commit(ctx, revision); err != nil {
			return r, err
		}
	}
	b, err := repo.Blame(ctx, id, paths[0], int(a.Offset), int(a.Limit))
	if err != nil {
		return r, err
	}
	r.Truncated = b.More
	named, size := map[string]bool{}, 0
	for _, line := range b.Lines {
		if size += len(line.Text) + len(line.Commit); size > maxListBytes && len(r.Lines) > 0 {
			r.Truncated = true
			break
		}
		named[line.Commit] = true
		r.Lines = append(r.Lines, generated.GetBlameLine{Line: line.Number, Commit: someText(line.Commit), Text: git.Valid(line.Text)})
	}
	for _, c := range b.Commits {
		if named[c.Short] {
			r.Commits = append(r.Commits, commitOf(c))
		}
	}
	return r, nil
}
