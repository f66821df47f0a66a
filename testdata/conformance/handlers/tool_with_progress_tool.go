package handlers

import (
	"context"

	"example.com/conformance/generated"
	"github.com/teaagent/teaagent/mcp"
)

// ToolWithProgress reports the start, the middle and the end.
func (h *Handlers) ToolWithProgress(ctx context.Context, _ generated.ToolWithProgressArgs) (mcp.Result, error) {
	for _, done := range []float64{0, 50, 100} {
		mcp.Progress(ctx, done, 100, "")
	}
	return mcp.Text("Reported progress three times."), nil
}
