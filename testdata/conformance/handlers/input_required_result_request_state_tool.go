package handlers

import (
	"context"

	"example.com/conformance/generated"
	"github.com/teaagent/teaagent/mcp"
)

// InputRequiredResultRequestState asks for a confirmation: the runtime has looked
// at the state by the time there is an answer.
func (h *Handlers) InputRequiredResultRequestState(ctx context.Context, _ generated.InputRequiredResultRequestStateArgs) (mcp.Result, error) {
	return askOK(ctx)
}
