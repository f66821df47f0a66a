package handlers

import (
	"context"

	"example.com/conformance/generated"
	"github.com/teaagent/teaagent/mcp"
)

// EmbeddedResource gives a resource and what it holds.
func (h *Handlers) EmbeddedResource(context.Context, generated.EmbeddedResourceArgs) (mcp.Result, error) {
	return mcp.Content{mcp.Embedded{Contents: mcp.ResourceContents{
		URI:      "test://embedded-resource",
		MIMEType: "text/plain",
		Text:     "This is an embedded resource content.",
	}}}, nil
}
