package handlers

import (
	"context"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// PushBranch: Push a git branch, which changes it at the remote. Requires confirm=true.
func (h *Handlers) PushBranch(ctx context.Context, args generated.PushBranchArgs) (generated.PushBranchResult, error) {
	return generated.PushBranchResult{}, mcp.Errorf("NOT_IMPLEMENTED", "teaagent_pushBranch has no body yet: write it in handlers/push_branch_tool.go")
}

// PreviewPushBranch says what PushBranch would do, and does nothing.
func (h *Handlers) PreviewPushBranch(ctx context.Context, args generated.PushBranchArgs) (mcp.Preview, error) {
	return mcp.Preview{}, mcp.Errorf("NOT_IMPLEMENTED", "teaagent_pushBranch has no preview yet: write it in handlers/push_branch_tool.go")
}
