package handlers

import (
	"context"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/handlers/git"
)

// StageFiles makes the index have files as they are, or as HEAD has them.
func (h *Handlers) StageFiles(ctx context.Context, a generated.StageFilesArgs) (generated.StageFilesResult, error) {
	var r generated.StageFilesResult
	repo, err := git.Open(ctx)
	if err != nil {
		return r, err
	}
	paths, err := repo.Paths(a.Paths)
	if err != nil {
		return r, err
	}
	if a.Unstage {
		err = repo.Unstage(ctx, paths)
	} else {
		err = repo.Stage(ctx, paths)
	}
	if err != nil {
		return r, err
	}
	d, err := repo.Staged(ctx, false)
	files, all := changesOf(d.Files)
	return generated.StageFilesResult{Staged: files, Truncated: d.Cut || !all}, err
}
