package plan

import (
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/invopop/jsonschema"
)

// AppendSchema writes a schema as compact JSON with the keys in the order that
// readers look for them, and without the escapes for HTML that the model's own
// MarshalJSON has. Properties keep the spec's order.
func AppendSchema(b []byte, s *jsonschema.Schema) []byte {
	switch s {
	case jsonschema.FalseSchema:
		return append(b, "false"...)
	case jsonschema.TrueSchema:
		return append(b, "true"...)
	}
	o := objectWriter{b: append(b, '{')}
	o.text("type", s.Type)
	o.text("description", s.Description)
	o.list("enum", s.Enum)
	if s.Const != nil {
		o.key("const")
		o.b = appendRaw(o.b, s.Const)
	}
	if s.Default != nil {
		o.key("default")
		o.b = appendRaw(o.b, s.Default)
	}
	o.list("examples", s.Examples)
	o.raw("minimum", string(s.Minimum))
	o.raw("maximum", string(s.Maximum))
	o.raw("exclusiveMinimum", string(s.ExclusiveMinimum))
	o.raw("exclusiveMaximum", string(s.ExclusiveMaximum))
	o.raw("multipleOf", string(s.MultipleOf))
	o.size("minLength", s.MinLength)
	o.size("maxLength", s.MaxLength)
	o.text("pattern", s.Pattern)
	o.text("format", s.Format)
	o.schemas("anyOf", s.AnyOf)
	o.schemas("oneOf", s.OneOf)
	if s.Items != nil {
		o.key("items")
		o.b = AppendSchema(o.b, s.Items)
	}
	o.size("minItems", s.MinItems)
	o.size("maxItems", s.MaxItems)
	if s.UniqueItems {
		o.raw("uniqueItems", "true")
	}
	if s.Properties != nil {
		o.key("properties")
		props := objectWriter{b: append(o.b, '{')}
		for p := s.Properties.Oldest(); p != nil; p = p.Next() {
			props.key(p.Key)
			props.b = AppendSchema(props.b, p.Value)
		}
		o.b = append(props.b, '}')
	}
	if len(s.Required) > 0 {
		o.key("required")
		for i, name := range s.Required {
			o.b = AppendString(append(o.b, "[,"[min(i, 1)]), name)
		}
		o.b = append(o.b, ']')
	}
	if s.AdditionalProperties != nil {
		o.key("additionalProperties")
		o.b = AppendSchema(o.b, s.AdditionalProperties)
	}
	return append(o.b, '}')
}

// objectWriter writes the members of one JSON object that are not empty.
type objectWriter struct {
	b    []byte
	more bool
}

func (o *objectWriter) key(name string) {
	if o.more {
		o.b = append(o.b, ',')
	}
	o.more = true
	o.b = append(AppendString(o.b, name), ':')
}

func (o *objectWriter) text(key, s string) {
	if s != "" {
		o.key(key)
		o.b = AppendString(o.b, s)
	}
}

func (o *objectWriter) raw(key, source string) {
	if source != "" {
		o.key(key)
		o.b = append(o.b, source...)
	}
}

func (o *objectWriter) size(key string, n *uint64) {
	if n != nil {
		o.key(key)
		o.b = strconv.AppendUint(o.b, *n, 10)
	}
}

func (o *objectWriter) schemas(key string, list []*jsonschema.Schema) {
	if len(list) == 0 {
		return
	}
	o.key(key)
	for i, s := range list {
		o.b = AppendSchema(append(o.b, "[,"[min(i, 1)]), s)
	}
	o.b = append(o.b, ']')
}

func (o *objectWriter) list(key string, values []any) {
	if len(values) == 0 {
		return
	}
	o.key(key)
	for i, v := range values {
		o.b = appendRaw(append(o.b, "[,"[min(i, 1)]), v)
	}
	o.b = append(o.b, ']')
}

// appendRaw writes a value of the model, which this package only fills with
// JSON text.
func appendRaw(b []byte, v any) []byte { return append(b, v.(json.RawMessage)...) }

// AppendString writes s as a JSON string with no more escapes than JSON asks for.
func AppendString(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r < 0x20:
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
