package handlers

import (
	"context"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/handlers/git"
)

// CreateBranch makes a branch at a revision.
func (h *Handlers) CreateBranch(ctx context.Context, a generated.CreateBranchArgs) (generated.CreateBranchResult, error) {
	r := generated.CreateBranchResult{Branch: a.Name}
	repo, err := git.Open(ctx)
	if err != nil {
		return r, err
	}
	if err := git.CheckBranch(a.Name); err != nil {
		return r, err
	}
	if r.Commit, err = repo.Commit(ctx, a.From); err != nil {
		return r, err
	}
	return r, repo.CreateBranch(ctx, a.Name, r.Commit)
}
