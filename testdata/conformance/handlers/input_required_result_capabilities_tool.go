package handlers

import (
	"context"

	"example.com/conformance/generated"
	"github.com/teaagent/teaagent/mcp"
)

// InputRequiredResultCapabilities asks, which the runtime refuses for a client
// that can't.
func (h *Handlers) InputRequiredResultCapabilities(ctx context.Context, _ generated.InputRequiredResultCapabilitiesArgs) (mcp.Result, error) {
	return askName(ctx, "user_name", "What is your name?")
}
