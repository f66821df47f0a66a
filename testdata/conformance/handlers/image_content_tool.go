package handlers

import (
	"context"

	"example.com/conformance/generated"
	"github.com/teaagent/teaagent/mcp"
)

// ImageContent gives one image.
func (h *Handlers) ImageContent(context.Context, generated.ImageContentArgs) (mcp.Result, error) {
	return mcp.Content{mcp.Image{Data: pixel, MIMEType: "image/png"}}, nil
}
