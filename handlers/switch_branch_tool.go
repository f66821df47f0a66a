package handlers

import (
	"context"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// SwitchBranch: Change the workspace's files to those of another git branch.
func (h *Handlers) SwitchBranch(ctx context.Context, args generated.SwitchBranchArgs) (generated.SwitchBranchResult, error) {
	return generated.SwitchBranchResult{}, mcp.Errorf("NOT_IMPLEMENTED", "teaagent_switchBranch has no body yet: write it in handlers/switch_branch_tool.go")
}
