package handlers

import (
	"context"

	"example.com/conformance/generated"
	"github.com/teaagent/teaagent/mcp"
)

// StreamingElicitation reports progress, then asks.
func (h *Handlers) StreamingElicitation(ctx context.Context, _ generated.StreamingElicitationArgs) (mcp.Result, error) {
	mcp.Progress(ctx, 1, 2, "about to ask")
	return askName(ctx, "user_name", "What is your name?")
}
