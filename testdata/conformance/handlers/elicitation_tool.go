package handlers

import (
	"context"
	"encoding/json"

	"example.com/conformance/generated"
	"github.com/teaagent/teaagent/mcp"
)

// Elicitation asks for a name and an address, with the text it is given.
func (h *Handlers) Elicitation(ctx context.Context, args generated.ElicitationArgs) (mcp.Result, error) {
	form := json.RawMessage(`{
		"type": "object",
		"properties": {
			"username": {"type": "string", "description": "User's response"},
			"email": {"type": "string", "description": "User's email address"}
		},
		"required": ["username", "email"]
	}`)
	var answer struct{ Username, Email string }
	if err := mcp.Ask(ctx, "user", args.Message, form, &answer); err != nil {
		return nil, err
	}
	return mcp.Text("User response: " + answer.Username + " " + answer.Email), nil
}
