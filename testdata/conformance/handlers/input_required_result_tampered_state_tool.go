package handlers

import (
	"context"

	"example.com/conformance/generated"
	"github.com/teaagent/teaagent/mcp"
)

// InputRequiredResultTamperedState asks for a confirmation, which must not be had
// with a state that was changed.
func (h *Handlers) InputRequiredResultTamperedState(ctx context.Context, _ generated.InputRequiredResultTamperedStateArgs) (mcp.Result, error) {
	return askOK(ctx)
}
