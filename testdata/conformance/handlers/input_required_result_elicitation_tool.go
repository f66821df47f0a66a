package handlers

import (
	"context"

	"example.com/conformance/generated"
	"github.com/teaagent/teaagent/mcp"
)

// InputRequiredResultElicitation greets whoever answers. The suite wants the
// question to have this key.
func (h *Handlers) InputRequiredResultElicitation(ctx context.Context, _ generated.InputRequiredResultElicitationArgs) (mcp.Result, error) {
	return askName(ctx, "user_name", "What is your name?")
}
