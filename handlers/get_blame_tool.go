package handlers

import (
	"context"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// GetBlame: Get for each line of a file the git commit to blame for it.
func (h *Handlers) GetBlame(ctx context.Context, args generated.GetBlameArgs) (generated.GetBlameResult, error) {
	return generated.GetBlameResult{}, mcp.Errorf("NOT_IMPLEMENTED", "teaagent_getBlame has no body yet: write it in handlers/get_blame_tool.go")
}
