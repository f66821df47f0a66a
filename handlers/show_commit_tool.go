package handlers

import (
	"context"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// ShowCommit: Show a git commit with its message and what it changed.
func (h *Handlers) ShowCommit(ctx context.Context, args generated.ShowCommitArgs) (generated.ShowCommitResult, error) {
	return generated.ShowCommitResult{}, mcp.Errorf("NOT_IMPLEMENTED", "teaagent_showCommit has no body yet: write it in handlers/show_commit_tool.go")
}
