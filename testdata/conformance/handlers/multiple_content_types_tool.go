package handlers

import (
	"context"

	"example.com/conformance/generated"
	"github.com/teaagent/teaagent/mcp"
)

// MultipleContentTypes gives one of each in the order that the suite names.
func (h *Handlers) MultipleContentTypes(context.Context, generated.MultipleContentTypesArgs) (mcp.Result, error) {
	return mcp.Content{
		mcp.Text("Multiple content types test:"),
		mcp.Image{Data: pixel, MIMEType: "image/png"},
		mcp.Embedded{Contents: mcp.ResourceContents{
			URI:      "test://mixed-content-resource",
			MIMEType: "application/json",
			Text:     `{"test":"data","value":123}`,
		}},
	}, nil
}
