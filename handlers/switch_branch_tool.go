package handlers

import (
	"context"
	"errors"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/handlers/git"
	"github.com/teaagent/teaagent/mcp"
)

// SwitchBranch puts HEAD on another branch, and its files into the workspace.
func (h *Handlers) SwitchBranch(ctx context.Context, a generated.SwitchBranchArgs) (generated.SwitchBranchResult, error) {
	r := generated.SwitchBranchResult{Branch: a.Branch}
	repo, err := git.Open(ctx)
	if err != nil {
		return r, err
	}
	target, err := repo.Branch(ctx, a.Branch)
	switch {
	case err != nil:
		return r, err
	case a.Create && target != "":
		return r, mcp.Errorf("ALREADY_EXISTS", "there is a branch %q already, at %s", a.Branch, target)
	case !a.Create && target == "":
		return r, mcp.Errorf("NOT_FOUND", "there is no branch %q; create=true makes it", a.Branch)
	}
	head, err := repo.Commit(ctx, "HEAD")
	if err != nil && !errors.Is(err, git.ErrNoCommit) {
		return r, err
	}
	if a.Create {
		r.Commit = someText(head)
		return r, repo.Switch(ctx, a.Branch, true)
	}
	if head == "" {
		head = git.Before(target)
	}
	d, err := repo.Diff(ctx, -1, nil, head, target)
	if err == nil {
		err = d.Whole()
	}
	if err != nil {
		return r, err
	}
	r.Commit, r.Changed = mcp.Some(target), int64(len(d.Files))
	return r, repo.Switch(ctx, a.Branch, false)
}
