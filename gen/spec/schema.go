package spec

import (
	"slices"
	"strings"
)

// types lists the values of `type:`.
var types = []string{"string", "integer", "number", "boolean", "array", "object"}

// appliesTo says which types a key is about; it is refused beside others.
var appliesTo = map[string][]string{
	"enum":             {"string", "integer"},
	"minimum":          {"integer", "number"},
	"maximum":          {"integer", "number"},
	"exclusiveMinimum": {"integer", "number"},
	"exclusiveMaximum": {"integer", "number"},
	"multipleOf":       {"integer", "number"},
	"minLength":        {"string"},
	"maxLength":        {"string"},
	"format":           {"string"},
	"role":             {"string"},
	"secret":           {"string"},
	"items":            {"array"},
	"minItems":         {"array"},
	"maxItems":         {"array"},
	"uniqueItems":      {"array"},
	"properties":       {"object"},
}

// where says where a schema stands, which decides what it may say.
type where struct {
	noun    string // arg, or result field
	path    string // filter.name, tags[]
	result  bool   // in a result
	element bool   // an array's element: it has no name, and is always there
}

func (w where) String() string { return w.noun + " " + quote(w.path) }

func (w where) property(name string) where {
	return where{noun: w.noun, path: w.path + "." + name, result: w.result}
}

func (w where) elements() where {
	return where{noun: w.noun, path: w.path + "[]", result: w.result, element: true}
}

// schema reads an argument, a result field, a property or an element. It
// always returns one, so that the name is not lost to other checks.
func (r *reader) schema(n *node, name Value[string], w where) *Schema {
	s := &Schema{Pos: n.pos, Name: name, MaxLength: Value[int]{V: -1}, MaxItems: Value[int]{V: -1}}
	if n.kind != mappingKind {
		r.wants(n, w.String(), "a mapping, such as {type: string}")
		return s
	}
	f := r.fields(n, w.String())

	s.Type = f.oneOf("type", "", types...)
	s.Description = f.text("description")
	r.required(s, f)
	s.Secret = f.flag("secret", false)
	s.Role = f.oneOf("role", "", "path", "command")
	enum := r.enum(s, f)
	if s.Type.V == "" && !slices.ContainsFunc([]string{"enum", "const", "oneOf", "$ref"}, f.has) {
		f.need("type", "add one of "+strings.Join(types, ", "))
	}

	s.Minimum = r.bound(s, f, "minimum")
	s.Maximum = r.bound(s, f, "maximum")
	s.ExclusiveMinimum = r.bound(s, f, "exclusiveMinimum")
	s.ExclusiveMaximum = r.bound(s, f, "exclusiveMaximum")
	s.MultipleOf = r.bound(s, f, "multipleOf")
	s.MinLength = f.count("minLength", 0, 0)
	s.MaxLength = f.count("maxLength", 0, -1)
	s.Format = f.oneOf("format", "", Formats...)

	if items := f.get("items"); items != nil {
		s.Items = r.schema(items, Value[string]{}, w.elements())
	} else if s.Type.V == "array" {
		f.need("items", "add what its elements are, such as items: {type: string}")
	}
	s.MinItems = f.count("minItems", 0, 0)
	s.MaxItems = f.count("maxItems", 0, -1)
	s.UniqueItems = f.flag("uniqueItems", false)
	f.mapping("properties", "a mapping of properties, such as {name: {type: string}}", func(name Value[string], n *node) {
		s.Properties = append(s.Properties, r.schema(n, name, w.property(name.V)))
	})
	if s.Type.V == "object" {
		f.need("properties", "add them, or properties: {} if it has none")
	}

	def := f.get("default")
	examples := r.values(s, f, "examples")
	f.close("pattern", "const", "nullable", "oneOf", "anyOf", "allOf", "additionalProperties", "$ref", "deprecated")

	r.misplaced(s, f, w)
	r.contradictions(s)
	r.members(s, enum)
	if def != nil {
		s.Default = r.literal(def)
		r.allows(s, def, "default", ruleDefault)
		if s.Required.V && !w.element && !w.result {
			r.fault(ruleDefault, s.Default.Pos, "a required %s takes no default; remove one of the two", w.noun)
		}
	}
	for _, e := range examples {
		r.allows(s, e, "the example", ruleValue)
	}
	return s
}

// required reads `required: true`; JSON Schema's own form is a list in the parent.
func (r *reader) required(s *Schema, f *fields) {
	for _, p := range f.pairs {
		if p.key.text == "required" && p.value.kind == listKind {
			f.known = append(f.known, "required")
			r.misread(ruleType, p.value.pos, "required is true or false here; write required: true beside each property")
			return
		}
	}
	s.Required = f.flag("required", false)
}

// enum reads the members, and takes the type from them where none is written.
func (r *reader) enum(s *Schema, f *fields) []*node {
	members := r.values(s, f, "enum")
	if n := len(members); n > 0 && s.Type.V == "" && !s.Type.Set() {
		switch members[0].kind {
		case textKind:
			s.Type.V = "string"
		case numberKind, oddNumberKind:
			s.Type.V = "integer"
		default:
			r.fault(ruleValue, members[0].pos, "an enum lists texts or whole numbers, not %s", members[0].kind)
		}
	}
	for _, m := range members {
		s.Enum = append(s.Enum, Value[Literal]{m.literal(), m.pos})
	}
	return members
}

// values reads the list of enum or examples. The items are checked when all of
// the schema is known.
func (r *reader) values(s *Schema, f *fields, key string) (items []*node) {
	isList := f.list(key, "a list of values", func(n *node) {
		items = append(items, n)
		if key == "examples" {
			s.Examples = append(s.Examples, r.literal(n))
		}
	})
	if isList && len(items) == 0 && key == "enum" {
		r.misread(ruleValue, f.get(key).pos, "an enum without members allows nothing; add some, or remove it")
	}
	return items
}

// misplaced reports the keys that say nothing where they stand.
func (r *reader) misplaced(s *Schema, f *fields, w where) {
	for _, p := range f.pairs {
		key := p.key.text
		types, ok := appliesTo[key]
		switch {
		case key == "enum" && s.Type.V != "" && !slices.Contains(types, s.Type.V):
			r.fault(ruleUnsupported, p.key.pos, "an enum of type %s is not supported by this version, only of %s; remove it", s.Type.V, strings.Join(types, " and "))
		case ok && s.Type.V != "" && !slices.Contains(types, s.Type.V):
			r.fault(ruleApplies, p.key.pos, "%s says nothing about type %s, only about %s; remove it", key, s.Type.V, strings.Join(types, " and "))
		case w.element && (key == "required" || key == "default"):
			r.fault(ruleApplies, p.key.pos, "%s says nothing about an array's elements; remove it", key)
		case w.result && (key == "default" || key == "role" || key == "secret"):
			r.fault(ruleApplies, p.key.pos, "%s says nothing about a result; remove it", key)
		}
	}
}
