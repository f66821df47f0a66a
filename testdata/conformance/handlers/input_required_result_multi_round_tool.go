package handlers

import (
	"context"
	"encoding/json"

	"example.com/conformance/generated"
	"github.com/teaagent/teaagent/mcp"
)

// InputRequiredResultMultiRound asks twice, the second time with what it knows.
func (h *Handlers) InputRequiredResultMultiRound(ctx context.Context, _ generated.InputRequiredResultMultiRoundArgs) (mcp.Result, error) {
	var first struct{ Name string }
	form := json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`)
	if err := mcp.Ask(ctx, "step1", "Step 1: What is your name?", form, &first); err != nil {
		return nil, err
	}
	var second struct{ Color string }
	form = json.RawMessage(`{"type":"object","properties":{"color":{"type":"string"}},"required":["color"]}`)
	if err := mcp.Ask(ctx, "step2", "Step 2: What is your favorite color, "+first.Name+"?", form, &second); err != nil {
		return nil, err
	}
	return mcp.Text(first.Name + " likes " + second.Color + "."), nil
}
