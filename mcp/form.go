package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/teaagent/teaagent/mcp/internal/lex"
)

// form is what a user is asked for: the flat schemas that elicitation/create
// takes (PrimitiveSchemaDefinition, revision 2025-11-25).
type form struct {
	Schema     string               `json:"$schema"`
	Type       string               `json:"type"`
	Properties map[string]formField `json:"properties"`
	Required   []string             `json:"required"`
}

type formField struct {
	Type        string          `json:"type"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Default     json.RawMessage `json:"default"`

	MinLength *int   `json:"minLength"`
	MaxLength *int   `json:"maxLength"`
	Format    string `json:"format"`

	Minimum *float64 `json:"minimum"`
	Maximum *float64 `json:"maximum"`

	Enum      []string     `json:"enum"`
	EnumNames []string     `json:"enumNames"`
	OneOf     []formChoice `json:"oneOf"`

	Items    *formItems `json:"items"`
	MinItems *int       `json:"minItems"`
	MaxItems *int       `json:"maxItems"`
}

type formItems struct {
	Type  string       `json:"type"`
	Enum  []string     `json:"enum"`
	AnyOf []formChoice `json:"anyOf"`
}

type formChoice struct {
	Const string `json:"const"`
	Title string `json:"title"`
}

// parseForm reads a form, which a client could else show wrongly or not at all.
func parseForm(schema []byte) (*form, error) {
	if err := lex.Valid(schema); err != nil {
		return nil, err
	}
	var f form
	d := json.NewDecoder(bytes.NewReader(schema))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, err
	}
	if f.Type != "object" || f.Properties == nil {
		return nil, fmt.Errorf(`a form is {"type":"object","properties":{…}}`)
	}
	for _, name := range slices.Sorted(maps.Keys(f.Properties)) {
		field := f.Properties[name]
		if err := field.check(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, name := range f.Required {
		if _, ok := f.Properties[name]; !ok {
			return nil, fmt.Errorf("%s is required, and no property", name)
		}
	}
	return &f, nil
}

func (f *formField) check() error {
	switch f.Type {
	case "string", "number", "integer", "boolean":
		if f.Items != nil {
			return fmt.Errorf(`"items" belongs to an array`)
		}
		if f.Type != "string" && f.members() != nil {
			return fmt.Errorf("an enum is a string")
		}
	case "array":
		if f.Items == nil || f.Items.Type != "" && f.Items.Type != "string" || f.members() == nil {
			return fmt.Errorf(`an array is of enum members: "items" has "enum" or "anyOf"`)
		}
	default:
		return fmt.Errorf("the type is %q: want string, number, integer, boolean or array", f.Type)
	}
	switch f.Format {
	case "", "date-time", "date", "email", "uri":
	default:
		return fmt.Errorf("the format is %q: want email, uri, date or date-time", f.Format)
	}
	if f.Default != nil {
		if err := f.accept(f.Default); err != nil {
			return fmt.Errorf("its default: %w", err)
		}
	}
	return nil
}

// members returns what an enum's values are; nil if it is none.
func (f *formField) members() []string {
	choices, names := f.OneOf, f.Enum
	if f.Items != nil {
		choices, names = f.Items.AnyOf, f.Items.Enum
	}
	for _, c := range choices {
		names = append(names, c.Const)
	}
	return names
}

// settle returns an answer's content with the defaults of what is absent, or how
// it breaks the form.
func (f *form) settle(content []byte) ([]byte, error) {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(content, &values); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		field, ok := f.Properties[name]
		if !ok {
			return nil, fmt.Errorf("it has %q, which was not asked for", shorten(name))
		}
		if err := field.accept(values[name]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	for name, field := range f.Properties {
		if _, given := values[name]; !given && field.Default != nil {
			values[name] = field.Default
		}
	}
	for _, name := range f.Required {
		if _, given := values[name]; !given {
			return nil, fmt.Errorf("%s is missing", name)
		}
	}
	return json.Marshal(values)
}

// accept says how a value breaks the field. The value itself is not shown: it is
// the user's.
func (f *formField) accept(value json.RawMessage) error {
	var l lex.Lexer
	l.Reset(value)
	kind := l.Kind()
	switch f.Type {
	case "boolean":
		if kind != 't' && kind != 'f' {
			return fmt.Errorf("want true or false")
		}
	case "string":
		if kind != '"' {
			return fmt.Errorf("want a string")
		}
		return f.acceptText(string(l.String()))
	case "array":
		if kind != '[' {
			return fmt.Errorf("want an array")
		}
		return f.acceptItems(&l)
	default:
		if kind != '0' {
			return fmt.Errorf("want a number")
		}
		text := l.Number()
		if _, integral, _ := lex.ParseInt(text); f.Type == "integer" && !integral {
			return fmt.Errorf("want an integer")
		}
		n, err := strconv.ParseFloat(string(text), 64)
		if err != nil {
			return fmt.Errorf("want a number that a double holds")
		}
		if f.Minimum != nil && n < *f.Minimum || f.Maximum != nil && n > *f.Maximum {
			return fmt.Errorf("the number is out of its range")
		}
	}
	return nil
}

func (f *formField) acceptText(s string) error {
	n := utf8.RuneCountInString(s)
	members := f.members()
	switch {
	case f.MinLength != nil && n < *f.MinLength, f.MaxLength != nil && n > *f.MaxLength:
		return fmt.Errorf("the text is too short or too long")
	case members != nil && !slices.Contains(members, s):
		return fmt.Errorf("want one of %s", quoteAll(members))
	case f.Format != "":
		if want := checkText(s, []Rule{Format(f.Format)}); want != "" {
			return fmt.Errorf("want %s", want)
		}
	}
	return nil
}

func (f *formField) acceptItems(l *lex.Lexer) error {
	members, n := f.members(), 0
	for l.Enter(); l.More(); n++ {
		if l.Kind() != '"' || !slices.Contains(members, string(l.String())) {
			return fmt.Errorf("want members of %s", quoteAll(members))
		}
	}
	if f.MinItems != nil && n < *f.MinItems || f.MaxItems != nil && n > *f.MaxItems {
		return fmt.Errorf("too few or too many are chosen")
	}
	return nil
}
