package handlers

import (
	"context"
	"encoding/json"
	"fmt"

	"example.com/conformance/generated"
	"github.com/teaagent/teaagent/mcp"
)

// ElicitationSep1034Defaults asks with a form that has a default of every type.
func (h *Handlers) ElicitationSep1034Defaults(ctx context.Context, _ generated.ElicitationSep1034DefaultsArgs) (mcp.Result, error) {
	form := json.RawMessage(`{
		"type": "object",
		"properties": {
			"name": {"type": "string", "default": "John Doe"},
			"age": {"type": "integer", "default": 30},
			"score": {"type": "number", "default": 95.5},
			"status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
			"verified": {"type": "boolean", "default": true}
		}
	}`)
	var answer struct {
		Name     string
		Age      int
		Score    float64
		Status   string
		Verified bool
	}
	if err := mcp.Ask(ctx, "user", "Please check your entry", form, &answer); err != nil {
		return nil, err
	}
	return mcp.Text(fmt.Sprintf("Elicitation completed: %+v", answer)), nil
}
