package handlers

import (
	"context"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/handlers/git"
	"github.com/teaagent/teaagent/mcp"
)

// GetDiff returns how files, the index and commits differ.
func (h *Handlers) GetDiff(ctx context.Context, a generated.GetDiffArgs) (generated.GetDiffResult, error) {
	var r generated.GetDiffResult
	repo, err := git.Open(ctx)
	if err != nil {
		return r, err
	}
	paths, err := repo.Paths(a.Paths.Or(nil))
	if err != nil {
		return r, err
	}
	from, hasFrom := a.From.Get()
	to, hasTo := a.To.Get()
	var sides []string
	switch {
	case hasTo && !hasFrom:
		return r, mcp.Errorf("INVALID_ARGUMENT", "to needs from: say what to compare %q with", to)
	case hasTo && a.Staged:
		return r, mcp.Errorf("INVALID_ARGUMENT", "to and staged=true exclude one another: both say what is compared with from")
	case a.Staged:
		sides = append(sides, "--cached")
	}
	for _, revision := range []struct {
		name  string
		given bool
	}{{from, hasFrom}, {to, hasTo}} {
		if !revision.given {
			continue
		}
		id, err := repo.Commit(ctx, revision.name)
		if err != nil {
			return r, err
		}
		sides = append(sides, id)
	}
	lines := -1
	if a.Patch {
		lines = int(a.Context)
	}
	d, err := repo.Diff(ctx, lines, paths, sides...)
	if err != nil {
		return r, err
	}
	files, all := changesOf(d.Files)
	r = generated.GetDiffResult{Files: files, Text: someText(d.Text), Truncated: d.Cut || !all}
	if d.Denied > 0 {
		r.Denied = mcp.Some(d.Denied)
	}
	return r, nil
}
