package handlers

import (
	"context"
	"fmt"
	"strings"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/handlers/git"
	"github.com/teaagent/teaagent/mcp"
)

// PushBranch pushes a branch to a remote.
func (h *Handlers) PushBranch(ctx context.Context, a generated.PushBranchArgs) (generated.PushBranchResult, error) {
	var r generated.PushBranchResult
	repo, err := git.Open(ctx)
	if err != nil {
		return r, err
	}
	p, err := repo.Push(ctx, a.Remote, a.Branch.Or(""), h.env.Getenv)
	if err != nil {
		return r, err
	}
	done, err := repo.Send(ctx, p, h.env.Getenv)
	if err == nil {
		err = repo.Follow(ctx, p, a.SetUpstream)
	}
	r = generated.PushBranchResult{Remote: p.URL, Branch: p.Branch, Commit: p.Commit}
	switch done {
	case git.Created:
		r.Status = generated.PushBranchStatusCreated
	case git.Unchanged:
		r.Status = generated.PushBranchStatusUnchanged
	default:
		r.Status = generated.PushBranchStatusUpdated
	}
	return r, err
}

// PreviewPushBranch says which commits PushBranch would push, and where. What
// the remote has is taken from when it was last seen.
func (h *Handlers) PreviewPushBranch(ctx context.Context, a generated.PushBranchArgs) (mcp.Preview, error) {
	const most = 30
	repo, err := git.Open(ctx)
	if err != nil {
		return mcp.Preview{}, err
	}
	p, err := repo.Push(ctx, a.Remote, a.Branch.Or(""), h.env.Getenv)
	if err != nil {
		return mcp.Preview{}, err
	}
	without := []string{"--not", "--remotes=" + p.Remote, "--not"}
	base := "which it may not have: it was not seen there yet"
	if p.Known != "" {
		without = []string{"^" + p.Known}
		base = "where it was last seen at " + p.Known
	}
	commits, more, err := repo.Log(ctx, p.Commit, 0, most, nil, without...)
	if err != nil {
		return mcp.Preview{}, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Would push the branch %s at %s to %s (%s), %s.\n", p.Branch, p.Commit, p.Remote, p.URL, base)
	if len(commits) == 0 {
		b.WriteString("There are no commits that it lacks.\n")
	}
	for _, c := range commits {
		fmt.Fprintf(&b, "%s %s\n", c.Short, c.Subject)
	}
	if more {
		b.WriteString("and more\n")
	}
	return mcp.Preview{Text: git.Valid(b.String())}, nil
}
