package handlers

import (
	"context"

	"example.com/conformance/generated"
	"github.com/teaagent/teaagent/mcp"
)

// MissingCapability needs a client that samples.
func (h *Handlers) MissingCapability(ctx context.Context, _ generated.MissingCapabilityArgs) (mcp.Result, error) {
	if err := mcp.Require(ctx, "sampling"); err != nil {
		return nil, err
	}
	return mcp.Text("The client can sample."), nil
}
