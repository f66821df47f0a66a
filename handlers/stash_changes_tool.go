package handlers

import (
	"context"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// StashChanges: Put changed files aside in git's stash, or bring them back. Requires confirm=true.
func (h *Handlers) StashChanges(ctx context.Context, args generated.StashChangesArgs) (generated.StashChangesResult, error) {
	return generated.StashChangesResult{}, mcp.Errorf("NOT_IMPLEMENTED", "teaagent_stashChanges has no body yet: write it in handlers/stash_changes_tool.go")
}

// PreviewStashChanges says what StashChanges would do, and does nothing.
func (h *Handlers) PreviewStashChanges(ctx context.Context, args generated.StashChangesArgs) (mcp.Preview, error) {
	return mcp.Preview{}, mcp.Errorf("NOT_IMPLEMENTED", "teaagent_stashChanges has no preview yet: write it in handlers/stash_changes_tool.go")
}
