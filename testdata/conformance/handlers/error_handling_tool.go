package handlers

import (
	"context"

	"example.com/conformance/generated"
	"github.com/teaagent/teaagent/mcp"
)

// ErrorHandling fails, as it is asked to.
func (h *Handlers) ErrorHandling(context.Context, generated.ErrorHandlingArgs) (mcp.Result, error) {
	return nil, mcp.Errorf("INTENDED", "This tool intentionally returns an error for testing")
}
