package handlers

import (
	"context"
	"encoding/json"
	"fmt"

	"example.com/conformance/generated"
	"github.com/teaagent/teaagent/mcp"
)

// ElicitationSep1330Enums asks with a form that has every kind of choice that the
// protocol knows, the deprecated enumNames among them.
func (h *Handlers) ElicitationSep1330Enums(ctx context.Context, _ generated.ElicitationSep1330EnumsArgs) (mcp.Result, error) {
	form := json.RawMessage(`{
		"type": "object",
		"properties": {
			"untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
			"titledSingle": {"type": "string", "oneOf": [
				{"const": "value1", "title": "First Option"},
				{"const": "value2", "title": "Second Option"},
				{"const": "value3", "title": "Third Option"}
			]},
			"legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["Option One", "Option Two", "Option Three"]},
			"untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
			"titledMulti": {"type": "array", "items": {"anyOf": [
				{"const": "value1", "title": "First Choice"},
				{"const": "value2", "title": "Second Choice"},
				{"const": "value3", "title": "Third Choice"}
			]}}
		}
	}`)
	var answer struct {
		UntitledSingle, TitledSingle, LegacyEnum string
		UntitledMulti, TitledMulti               []string
	}
	if err := mcp.Ask(ctx, "choices", "Please choose", form, &answer); err != nil {
		return nil, err
	}
	return mcp.Text(fmt.Sprintf("Elicitation completed: %+v", answer)), nil
}
