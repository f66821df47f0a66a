package handlers

import (
	"context"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/handlers/git"
	"github.com/teaagent/teaagent/mcp"
)

// GetStatus returns the branch, and the files that are not as in its newest commit.
func (h *Handlers) GetStatus(ctx context.Context, a generated.GetStatusArgs) (generated.GetStatusResult, error) {
	var r generated.GetStatusResult
	repo, err := git.Open(ctx)
	if err != nil {
		return r, err
	}
	paths, err := repo.Paths(a.Paths.Or(nil))
	if err != nil {
		return r, err
	}
	untracked := map[generated.GetStatusUntracked]string{
		generated.GetStatusUntrackedNone: "no", generated.GetStatusUntrackedDirectories: "normal", generated.GetStatusUntrackedFiles: "all",
	}[a.Untracked]
	s, err := repo.Status(ctx, untracked, paths, "--ignore-submodules=dirty", "--find-renames")
	if err != nil {
		return r, err
	}
	r.Branch, r.Head, r.Upstream = someText(git.Valid(s.Branch)), someText(s.Head), someText(git.Valid(s.Upstream))
	if s.Tracked {
		r.Ahead, r.Behind = mcp.Some(s.Ahead), mcp.Some(s.Behind)
	}
	r.Truncated = s.Cut
	size := 0
	for _, e := range s.Entries {
		if repo.Denied(e.Path, e.From) {
			continue
		}
		size += len(e.Path) + len(e.From)
		if len(r.Files) == int(a.Limit) || size > maxListBytes && len(r.Files) > 0 {
			r.Truncated = true
			break
		}
		r.Files = append(r.Files, generated.GetStatusFile{
			Path: git.Valid(e.Path), From: someText(git.Valid(e.From)),
			Index: generated.GetStatusFileIndex(e.Index), Worktree: generated.GetStatusFileWorktree(e.Worktree),
		})
	}
	return r, nil
}
