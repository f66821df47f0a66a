package handlers

import (
	"context"

	"example.com/conformance/generated"
	"github.com/teaagent/teaagent/mcp"
)

// LoggingTool writes to the server's log, of which a client hears nothing.
func (h *Handlers) LoggingTool(context.Context, generated.LoggingToolArgs) (mcp.Result, error) {
	h.env.Log.Info("test_logging_tool ran")
	return mcp.Text("Wrote to the log."), nil
}
