package handlers

import (
	"context"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// GetStatus: Report the status of the git repository, which is its branch and the files that changed.
func (h *Handlers) GetStatus(ctx context.Context, args generated.GetStatusArgs) (generated.GetStatusResult, error) {
	return generated.GetStatusResult{}, mcp.Errorf("NOT_IMPLEMENTED", "teaagent_getStatus has no body yet: write it in handlers/get_status_tool.go")
}
