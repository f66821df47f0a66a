package handlers

import (
	"context"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// GetDiff: Show the differences between files, the index and commits of git.
func (h *Handlers) GetDiff(ctx context.Context, args generated.GetDiffArgs) (generated.GetDiffResult, error) {
	return generated.GetDiffResult{}, mcp.Errorf("NOT_IMPLEMENTED", "teaagent_getDiff has no body yet: write it in handlers/get_diff_tool.go")
}
