package plan

import (
	"encoding/json"

	"github.com/invopop/jsonschema"

	"github.com/teaagent/teaagent/gen/spec"
)

// What a guard adds to the wire, and no handler sees.
const (
	Confirm = "confirm"
	DryRun  = "dry_run"
	Preview = "preview"
)

// Input is the schema of a tool's arguments as tools/list shows it.
func Input(t *spec.Tool) *jsonschema.Schema {
	s := object(t.Args, true)
	if t.RequiresConfirm.V {
		s.Properties.Set(Confirm, &jsonschema.Schema{
			Type:        "boolean",
			Description: "Must be true: the call is refused without it.",
		})
		s.Required = append(s.Required, Confirm)
	}
	if t.Destructive.V {
		s.Properties.Set(DryRun, &jsonschema.Schema{
			Type:        "boolean",
			Description: "True to learn what the call would do, without doing it.",
		})
	}
	return s
}

// Output is the schema of a tool's structured result, or nil if it has none.
// That of a destructive tool requires nothing: a dry run answers with a
// preview alone, and clients throw where a result misses a required property.
func Output(t *spec.Tool) *jsonschema.Schema {
	if t.Result == nil {
		return nil
	}
	s := object(t.Result, false)
	if t.Destructive.V {
		s.Required = nil
		preview := object(nil, false)
		preview.Description = "What the call would do; only for dry_run."
		preview.Properties.Set("text", &jsonschema.Schema{Type: "string"})
		preview.Properties.Set("diff", &jsonschema.Schema{Type: "string"})
		s.Properties.Set(Preview, preview)
	}
	return s
}

func object(props []*spec.Schema, input bool) *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type:                 "object",
		Properties:           jsonschema.NewProperties(),
		AdditionalProperties: jsonschema.FalseSchema,
	}
	for _, p := range props {
		s.Properties.Set(p.Name.V, value(p, input))
		if p.Required.V {
			s.Required = append(s.Required, p.Name.V)
		}
	}
	return s
}

// value projects one schema. What only this side looks at — secret and role —
// stays here.
func value(v *spec.Schema, input bool) *jsonschema.Schema {
	kind := v.Type.V
	var s *jsonschema.Schema
	if kind == "object" {
		s = object(v.Properties, input)
	} else {
		s = &jsonschema.Schema{Type: kind}
	}
	s.Description = v.Description.V
	for _, m := range v.Enum {
		s.Enum = append(s.Enum, json.RawMessage(m.V))
	}
	if v.Default.V != "" {
		s.Default = json.RawMessage(v.Default.V)
	}
	for _, e := range v.Examples {
		s.Examples = append(s.Examples, json.RawMessage(e.V))
	}
	s.Minimum = json.Number(v.Minimum.V)
	s.Maximum = json.Number(v.Maximum.V)
	s.ExclusiveMinimum = json.Number(v.ExclusiveMinimum.V)
	s.ExclusiveMaximum = json.Number(v.ExclusiveMaximum.V)
	s.MultipleOf = json.Number(v.MultipleOf.V)
	if kind == "integer" && input && len(v.Enum) == 0 {
		// The decoder refuses what does not fit 64 bits, and the schema says so.
		if s.Minimum == "" {
			s.Minimum = "-9223372036854775808"
		}
		if s.Maximum == "" {
			s.Maximum = "9223372036854775807"
		}
	}
	s.MinLength = size(v.MinLength)
	s.MaxLength = size(v.MaxLength)
	s.Format = v.Format.V
	if v.Items != nil {
		s.Items = value(v.Items, input)
	}
	s.MinItems = size(v.MinItems)
	s.MaxItems = size(v.MaxItems)
	s.UniqueItems = v.UniqueItems.V
	return s
}

func size(n spec.Value[int]) *uint64 {
	if !n.Set() || n.V < 0 {
		return nil
	}
	u := uint64(n.V)
	return &u
}
