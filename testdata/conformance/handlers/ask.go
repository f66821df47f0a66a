package handlers

import (
	"context"
	"encoding/json"

	"github.com/teaagent/teaagent/mcp"
)

// askName greets by the name that it is given.
func askName(ctx context.Context, key, message string) (mcp.Result, error) {
	form := json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`)
	var answer struct{ Name string }
	if err := mcp.Ask(ctx, key, message, form, &answer); err != nil {
		return nil, err
	}
	return mcp.Text("Hello, " + answer.Name + "!"), nil
}

// askOK says state-ok when the person has confirmed.
func askOK(ctx context.Context) (mcp.Result, error) {
	form := json.RawMessage(`{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}`)
	var answer struct{ OK bool }
	if err := mcp.Ask(ctx, "confirm", "Please confirm", form, &answer); err != nil {
		return nil, err
	}
	if !answer.OK {
		return nil, mcp.Errorf("DECLINED", "the person did not confirm")
	}
	return mcp.Text("state-ok"), nil
}
