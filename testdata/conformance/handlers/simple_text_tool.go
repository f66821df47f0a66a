package handlers

import (
	"context"

	"example.com/conformance/generated"
	"github.com/teaagent/teaagent/mcp"
)

// SimpleText gives one text.
func (h *Handlers) SimpleText(context.Context, generated.SimpleTextArgs) (mcp.Result, error) {
	return mcp.Text("This is a simple text response for testing."), nil
}
