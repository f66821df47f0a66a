package handlers

import (
	"context"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// CreateBranch: Create a git branch without switching to it.
func (h *Handlers) CreateBranch(ctx context.Context, args generated.CreateBranchArgs) (generated.CreateBranchResult, error) {
	return generated.CreateBranchResult{}, mcp.Errorf("NOT_IMPLEMENTED", "teaagent_createBranch has no body yet: write it in handlers/create_branch_tool.go")
}
