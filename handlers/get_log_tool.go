package handlers

import (
	"context"
	"errors"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/handlers/git"
)

// GetLog returns a page of the commits that are reached from a revision.
func (h *Handlers) GetLog(ctx context.Context, a generated.GetLogArgs) (generated.GetLogResult, error) {
	var r generated.GetLogResult
	repo, err := git.Open(ctx)
	if err != nil {
		return r, err
	}
	var paths []string
	if path, ok := a.Path.Get(); ok {
		if paths, err = repo.Paths([]string{path}); err != nil {
			return r, err
		}
	}
	id, err := repo.Commit(ctx, a.Revision)
	if errors.Is(err, git.ErrNoCommit) {
		return r, nil
	}
	if err != nil {
		return r, err
	}
	commits, more, err := repo.Log(ctx, id, int(a.Skip), int(a.Limit), paths)
	r.Truncated = more
	size := 0
	for _, c := range commits {
		if size += len(c.Subject) + len(c.Author) + len(c.Email) + len(c.ID); size > maxListBytes && len(r.Commits) > 0 {
			r.Truncated = true
			break
		}
		r.Commits = append(r.Commits, commitOf(c))
	}
	return r, err
}
