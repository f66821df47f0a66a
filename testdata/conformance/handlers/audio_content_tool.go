package handlers

import (
	"context"

	"example.com/conformance/generated"
	"github.com/teaagent/teaagent/mcp"
)

// AudioContent gives one sound.
func (h *Handlers) AudioContent(context.Context, generated.AudioContentArgs) (mcp.Result, error) {
	return mcp.Content{mcp.Audio{Data: silence, MIMEType: "audio/wav"}}, nil
}
