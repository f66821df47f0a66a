package handlers

import (
	"context"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// CommitChanges: Commit what is staged in the git index, which changes the branch. Requires
// confirm=true.
func (h *Handlers) CommitChanges(ctx context.Context, args generated.CommitChangesArgs) (generated.CommitChangesResult, error) {
	return generated.CommitChangesResult{}, mcp.Errorf("NOT_IMPLEMENTED", "teaagent_commitChanges has no body yet: write it in handlers/commit_changes_tool.go")
}

// PreviewCommitChanges says what CommitChanges would do, and does nothing.
func (h *Handlers) PreviewCommitChanges(ctx context.Context, args generated.CommitChangesArgs) (mcp.Preview, error) {
	return mcp.Preview{}, mcp.Errorf("NOT_IMPLEMENTED", "teaagent_commitChanges has no preview yet: write it in handlers/commit_changes_tool.go")
}
