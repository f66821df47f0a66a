package handlers

import (
	"context"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// ListBranches: List the branches of the git repository, the newest first.
func (h *Handlers) ListBranches(ctx context.Context, args generated.ListBranchesArgs) (generated.ListBranchesResult, error) {
	return generated.ListBranchesResult{}, mcp.Errorf("NOT_IMPLEMENTED", "teaagent_listBranches has no body yet: write it in handlers/list_branches_tool.go")
}
