package handlers

import (
	"context"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// GetLog: List the log of a git revision, the newest commits first.
func (h *Handlers) GetLog(ctx context.Context, args generated.GetLogArgs) (generated.GetLogResult, error) {
	return generated.GetLogResult{}, mcp.Errorf("NOT_IMPLEMENTED", "teaagent_getLog has no body yet: write it in handlers/get_log_tool.go")
}
