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
	s := object(&spec.Schema{Properties: t.Args}, true)
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
	s := object(&spec.Schema{Properties: t.Result}, false)
	if t.Destructive.V {
		s.Required = nil
		preview := object(&spec.Schema{}, false)
		preview.Description = "What the call would do; only for dry_run."
		preview.Properties.Set("text", &jsonschema.Schema{Type: "string"})
		preview.Properties.Set("diff", &jsonschema.Schema{Type: "string"})
		s.Properties.Set(Preview, preview)
	}
	return s
}

func object(v *spec.Schema, input bool) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", AdditionalProperties: jsonschema.FalseSchema}
	if !v.IsMap() {
		s.Properties = jsonschema.NewProperties()
	}
	for _, p := range v.Properties {
		s.Properties.Set(p.Name.V, value(p, input))
		if p.Required.V {
			s.Required = append(s.Required, p.Name.V)
		}
	}
	switch {
	case v.Extra != nil:
		s.AdditionalProperties = value(v.Extra, input)
	case v.Open.V:
		s.AdditionalProperties = jsonschema.TrueSchema
	}
	return s
}

// value projects one schema. What only this side looks at — secret, role and
// the name of a discriminator — stays here, and a shared type is written out.
func value(v *spec.Schema, input bool) *jsonschema.Schema {
	s := notNull(v, input)
	if v.Nullable.V { // a list of types breaks clients
		s = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "null"}}}
	}
	s.Description = v.Description.V
	if v.Default.V != "" {
		s.Default = json.RawMessage(v.Default.V)
	}
	for _, e := range v.Examples {
		s.Examples = append(s.Examples, json.RawMessage(e.V))
	}
	return s
}

func notNull(v *spec.Schema, input bool) *jsonschema.Schema {
	if len(v.OneOf) > 0 {
		s := &jsonschema.Schema{}
		for _, o := range v.OneOf {
			s.OneOf = append(s.OneOf, value(o, input))
		}
		return s
	}
	kind := v.Type.V
	var s *jsonschema.Schema
	if kind == "object" {
		s = object(v, input)
	} else {
		s = &jsonschema.Schema{Type: kind}
	}
	if v.Const.V != "" {
		s.Const = json.RawMessage(v.Const.V)
	}
	for _, m := range v.Enum {
		s.Enum = append(s.Enum, json.RawMessage(m.V))
	}
	s.Minimum = json.Number(v.Minimum.V)
	s.Maximum = json.Number(v.Maximum.V)
	s.ExclusiveMinimum = json.Number(v.ExclusiveMinimum.V)
	s.ExclusiveMaximum = json.Number(v.ExclusiveMaximum.V)
	s.MultipleOf = json.Number(v.MultipleOf.V)
	if kind == "integer" && input && len(v.Enum) == 0 && v.Const.V == "" {
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
	s.Pattern = v.Pattern.V
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
