package handlers

import (
	"context"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/handlers/git"
	"github.com/teaagent/teaagent/mcp"
)

// ListBranches returns the branches, the newest first.
func (h *Handlers) ListBranches(ctx context.Context, a generated.ListBranchesArgs) (generated.ListBranchesResult, error) {
	var r generated.ListBranchesResult
	repo, err := git.Open(ctx)
	if err != nil {
		return r, err
	}
	refs, more, err := repo.Branches(ctx, a.Remote, int(a.Limit))
	r.Truncated = more
	for _, ref := range refs {
		b := generated.ListBranchesBranch{
			Name: git.Valid(ref.Name), Commit: ref.Commit, Time: someText(git.Valid(ref.Time)), Subject: git.Valid(ref.Subject), Upstream: someText(git.Valid(ref.Upstream)),
		}
		if ref.Current {
			b.Current = mcp.Some(true)
		}
		if ref.Tracked {
			b.Ahead, b.Behind = mcp.Some(ref.Ahead), mcp.Some(ref.Behind)
		}
		r.Branches = append(r.Branches, b)
	}
	return r, err
}
