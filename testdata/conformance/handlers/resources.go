package handlers

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/teaagent/teaagent/mcp"
)

// ListResources lists the two that need no id.
func (h *Handlers) ListResources(_ context.Context, cursor string) ([]mcp.Resource, string, error) {
	if cursor != "" {
		return nil, "", mcp.ErrBadCursor
	}
	return []mcp.Resource{
		{URI: "test://static-binary", Name: "static-binary", Description: "An image.", MIMEType: "image/png"},
		{URI: "test://static-text", Name: "static-text", Description: "A text.", MIMEType: "text/plain"},
	}, "", nil
}

// ReadResource reads what is listed, and makes up data for an id.
func (h *Handlers) ReadResource(_ context.Context, uri string) ([]mcp.ResourceContents, error) {
	switch uri {
	case "test://static-text":
		return []mcp.ResourceContents{{URI: uri, MIMEType: "text/plain", Text: "This is the content of the static text resource."}}, nil
	case "test://static-binary":
		return []mcp.ResourceContents{{URI: uri, MIMEType: "image/png", Blob: pixel}}, nil
	}
	if id, ok := strings.CutPrefix(uri, "test://template/"); ok {
		if id, ok = strings.CutSuffix(id, "/data"); ok && id != "" && !strings.Contains(id, "/") {
			text, err := json.Marshal(map[string]any{"id": id, "templateTest": true, "data": "Data for ID: " + id})
			return []mcp.ResourceContents{{URI: uri, MIMEType: "application/json", Text: string(text)}}, err
		}
	}
	return nil, mcp.ErrNoResource
}
