// Package editor makes the JSON Schema by which editors complete and check spec
// files as they are typed. It says what files are made of; what needs more than
// one value to be judged is left to the generator.
package editor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/invopop/jsonschema"

	"github.com/teaagent/teaagent/gen/spec"
)

// Schema returns the schema of all spec files: a file that names a server is
// server.yaml, any other holds tools.
func Schema() ([]byte, error) {
	r := &jsonschema.Reflector{Anonymous: true}
	root := &jsonschema.Schema{
		Version:     jsonschema.Version,
		Title:       "teagen specs",
		Description: "A file of teagen's specs: server.yaml, or the tools of a category.",
		If:          &jsonschema.Schema{Required: []string{"server"}},
		Definitions: jsonschema.Definitions{},
	}
	for _, file := range []any{server{}, tools{}} {
		s := r.Reflect(file)
		for name, d := range s.Definitions {
			root.Definitions[name] = d
		}
		if root.Then == nil {
			root.Then = &jsonschema.Schema{Ref: s.Ref}
		} else {
			root.Else = &jsonschema.Schema{Ref: s.Ref}
		}
	}
	raw, err := json.Marshal(root)
	if err != nil {
		return nil, fmt.Errorf("write the schema of specs: %w", err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return nil, fmt.Errorf("write the schema of specs: %w", err)
	}
	b.WriteByte('\n')
	text := b.Bytes()
	for escaped, plain := range map[string]string{`\u003c`: "<", `\u003e`: ">", `\u0026`: "&"} {
		text = bytes.ReplaceAll(text, []byte(escaped), []byte(plain))
	}
	return text, nil
}

// words is a text or a list of texts.
type words []string

func (words) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Type: "string"},
		{Type: "array", Items: &jsonschema.Schema{Type: "string"}},
	}}
}

// auth is a list of variables, or the word none.
type auth []string

func (auth) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Const: "none"},
		{Type: "array", Items: &jsonschema.Schema{Type: "string", Not: &jsonschema.Schema{Const: "none"}}, UniqueItems: true},
	}}
}

// severe is what findings of a rule are.
type severe string

func (severe) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Enum: []any{"error", "warning", "off"}}
}

// argOrBool is a schema, or whether anything goes.
type argOrBool struct{}

func (argOrBool) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "boolean"}, {Ref: "#/$defs/arg"}}}
}

// JSONSchemaExtend says what tags cannot.
func (arg) JSONSchemaExtend(s *jsonschema.Schema) {
	for _, key := range []string{"type", "enum", "const", "oneOf", "$ref"} {
		s.AnyOf = append(s.AnyOf, &jsonschema.Schema{Required: []string{key}})
	}
	format, _ := s.Properties.Get("format")
	for _, f := range spec.Formats {
		format.Enum = append(format.Enum, f)
	}
	scalars := &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "integer"}}}
	enum, _ := s.Properties.Get("enum")
	enum.Items = scalars
	enum.UniqueItems = true
	s.AllOf = append(s.AllOf,
		needs("oneOf", "", "discriminator"), needs("discriminator", "", "oneOf"),
		needs("type", "array", "items"), objectNeeds(), nullNeeds())
	for kind, keys := range applies {
		types := kinds(kind)
		for _, key := range keys {
			s.AllOf = append(s.AllOf, &jsonschema.Schema{
				If:   &jsonschema.Schema{Required: []string{key, "type"}},
				Then: typeIs(types...),
			})
		}
	}
	slices.SortFunc(s.AllOf, func(a, b *jsonschema.Schema) int { return bytes.Compare(marshal(a), marshal(b)) })
}

// applies says beside which types keys stand.
var applies = map[string][]string{
	"integer number": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
	"string":         {"minLength", "maxLength", "pattern", "format", "role", "secret"},
	"array":          {"items", "minItems", "maxItems", "uniqueItems"},
	"object":         {"properties", "additionalProperties"},
}

func kinds(words string) (types []any) {
	for _, w := range bytes.Fields([]byte(words)) {
		types = append(types, string(w))
	}
	return types
}

func typeIs(types ...any) *jsonschema.Schema {
	s := &jsonschema.Schema{Properties: jsonschema.NewProperties()}
	s.Properties.Set("type", &jsonschema.Schema{Enum: types})
	return s
}

// needs makes a key, or one of its values, ask for another.
func needs(key, value, other string) *jsonschema.Schema {
	s := &jsonschema.Schema{If: &jsonschema.Schema{Required: []string{key}}, Then: &jsonschema.Schema{Required: []string{other}}}
	if value != "" {
		s.If.Properties = jsonschema.NewProperties()
		s.If.Properties.Set(key, &jsonschema.Schema{Const: value})
	}
	return s
}

// objectNeeds makes an object say what is in it.
func objectNeeds() *jsonschema.Schema {
	s := needs("type", "object", "properties")
	s.Then = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Required: []string{"properties"}}, {Required: []string{"additionalProperties"}}, {Required: []string{"oneOf"}},
	}}
	return s
}

// nullNeeds makes a null ask for nullable.
func nullNeeds() *jsonschema.Schema {
	value := &jsonschema.Schema{Not: &jsonschema.Schema{Type: "null"}}
	s := &jsonschema.Schema{
		If:   &jsonschema.Schema{Required: []string{"nullable"}, Properties: jsonschema.NewProperties()},
		Else: &jsonschema.Schema{Properties: jsonschema.NewProperties()},
	}
	s.If.Properties.Set("nullable", &jsonschema.Schema{Const: true})
	s.Else.Properties.Set("default", value)
	s.Else.Properties.Set("const", value)
	s.Else.Properties.Set("examples", &jsonschema.Schema{Items: value})
	return s
}

func marshal(s *jsonschema.Schema) []byte {
	b, _ := json.Marshal(s) // for an order; Schema reports what cannot be written
	return b
}

// JSONSchemaExtend asks for the reason of what is allowed.
func (toolLint) JSONSchemaExtend(s *jsonschema.Schema) {
	s.DependentRequired = map[string][]string{"allow": {"because"}}
}

// JSONSchemaExtend asks for the reason of what is allowed.
func (serverLint) JSONSchemaExtend(s *jsonschema.Schema) {
	s.DependentRequired = map[string][]string{"allow": {"because"}}
}
