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
	"pattern":          {"string"},
	"format":           {"string"},
	"role":             {"string"},
	"secret":           {"string"},
	"const":            {"string", "integer", "number", "boolean"},

	"items":                {"array"},
	"minItems":             {"array"},
	"maxItems":             {"array"},
	"uniqueItems":          {"array"},
	"properties":           {"object"},
	"additionalProperties": {"object"},
}

// schemaKeys are all keys of a schema. Three of them say what a value is
// instead of the others, but for what is listed.
var (
	schemaKeys = strings.Fields("type description required nullable secret role enum const default examples minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format items minItems maxItems uniqueItems properties additionalProperties discriminator oneOf $ref")
	besides    = map[string][]string{
		"$ref":  {"description", "required", "nullable", "default", "examples"},
		"oneOf": {"description", "required", "nullable", "default", "examples", "discriminator"},
		"const": {"description", "required", "nullable", "examples", "type"},
	}
)

// where says where a schema stands, which decides what it may say.
type where struct {
	noun    string // arg, result field, or type
	path    string // filter.name, tags[]
	result  bool   // in a result
	part    bool   // an element, a map's value or a variant: it has no name, and is always there
	variant bool
	shared  bool // a type of its own
}

func (w where) String() string { return w.noun + " " + quote(w.path) }

func (w where) property(name string) where {
	return where{noun: w.noun, path: w.path + "." + name, result: w.result}
}

func (w where) elements() where {
	return where{noun: w.noun, path: w.path + "[]", result: w.result, part: true}
}

func (w where) values() where {
	return where{noun: w.noun, path: w.path + "{}", result: w.result, part: true}
}

func (w where) variants() where {
	return where{noun: w.noun, path: w.path, result: w.result, part: true, variant: true}
}

// schema reads an argument, a result field, a property or another schema. It
// always returns one, so that the name is not lost to other checks.
func (r *reader) schema(n *node, name Value[string], w where) *Schema {
	s := &Schema{Pos: n.pos, Name: name, MaxLength: Value[int]{V: -1}, MaxItems: Value[int]{V: -1}}
	if n.kind != mappingKind {
		r.wants(n, w.String(), "a mapping, such as {type: string}")
		return s
	}
	f := r.fields(n, w.String())
	s.Description = f.text("description")
	r.required(s, f)
	s.Nullable = f.flag("nullable", false)
	def := f.nullable("default", s.Nullable.V)
	known := true
	if f.has("$ref") {
		known = r.ref(s, f, w)
	} else {
		r.constraints(s, f, w)
	}
	examples := r.values(s, f, "examples")
	r.displaced(s, f, w)
	f.known = schemaKeys
	f.close("anyOf", "allOf", "deprecated")
	if def != nil {
		s.Default = r.literal(def)
		if known {
			r.allows(s, def, "default", ruleDefault)
		}
		if s.Required.V && !w.part && !w.result {
			r.fault(ruleDefault, s.Default.Pos, "a required %s takes no default; remove one of the two", w.noun)
		}
	}
	for _, e := range examples {
		if known {
			r.allows(s, e, "the example", ruleValue)
		}
	}
	return s
}

// constraints reads what a schema says of its value.
func (r *reader) constraints(s *Schema, f *fields, w where) {
	s.Type = f.oneOf("type", "", types...)
	s.Secret = f.flag("secret", false)
	s.Role = f.oneOf("role", "", "path", "command")
	enum := r.enum(s, f)
	r.constant(s, f)
	if s.Type.V == "" && !slices.ContainsFunc([]string{"enum", "const", "oneOf"}, f.has) {
		f.need("type", "add one of "+strings.Join(types, ", "))
	}

	s.Minimum = r.bound(s, f, "minimum")
	s.Maximum = r.bound(s, f, "maximum")
	s.ExclusiveMinimum = r.bound(s, f, "exclusiveMinimum")
	s.ExclusiveMaximum = r.bound(s, f, "exclusiveMaximum")
	s.MultipleOf = r.bound(s, f, "multipleOf")
	s.MinLength = f.count("minLength", 0, 0)
	s.MaxLength = f.count("maxLength", 0, -1)
	s.Pattern = f.text("pattern")
	if s.Pattern.Set() && !r.set.Misread(s.Pattern.Pos) {
		var err error
		if s.GoPattern, err = goPattern(s.Pattern.V); err != nil {
			r.misread(rulePattern, s.Pattern.Pos, "pattern %v", err)
		}
	}
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
	if more := f.get("additionalProperties"); more != nil {
		switch more.kind {
		case mappingKind:
			s.Extra = r.schema(more, Value[string]{}, w.values())
		case boolKind:
			s.Open = Value[bool]{more.text == "true", more.pos}
		default:
			r.wants(more, "additionalProperties", "a schema, such as {type: string}, or true or false")
		}
	}
	if s.Type.V == "object" && !f.has("oneOf") && (!f.has("additionalProperties") || s.Open.Set() && !s.Open.V) {
		f.need("properties", "add them, or properties: {} if it has none")
	}
	r.variants(s, f, w)

	r.misplaced(s, f)
	r.contradictions(s)
	r.members(s, enum)
}

// nullable is get for a key whose value may be null.
func (f *fields) nullable(key string, may bool) *node {
	for _, p := range f.pairs {
		if may && p.key.text == key && p.value.kind == nullKind {
			return p.value
		}
	}
	return f.get(key)
}

// constant reads const, and takes the type from it where none is written.
func (r *reader) constant(s *Schema, f *fields) {
	n := f.get("const")
	if n == nil {
		return
	}
	derived := ""
	switch n.kind {
	case textKind:
		derived = "string"
	case boolKind:
		derived = "boolean"
	case numberKind, oddNumberKind:
		derived = "number"
		if strings.Trim(n.text, "-0123456789") == "" {
			derived = "integer"
		}
	default:
		r.misread(ruleValue, n.pos, "const is a text, a number or a boolean, not %s", n.kind)
		return
	}
	if s.Type.V == "" && !s.Type.Set() {
		s.Type.V = derived
	}
	if !slices.Contains(appliesTo["const"], s.Type.V) {
		return // reported as misplaced, or a wrong type
	}
	r.allows(s, n, "const", ruleValue)
	s.Const = r.literal(n)
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
	n := f.get(key)
	if n == nil {
		return nil
	}
	if n.kind != listKind {
		r.wants(n, key, "a list of values")
		return nil
	}
	if key == "examples" {
		s.Examples = nil // those of a shared type
	}
	for _, i := range n.items {
		switch {
		case i.kind == refusedKind:
			continue
		case i.kind == nullKind && key == "enum":
			r.fault(ruleType, i.pos, "null is no member of an enum; remove it, and write nullable: true beside enum")
			continue
		case i.kind == nullKind && !s.Nullable.V:
			r.fault(ruleType, i.pos, "an item of %s has no value; write one, or remove it", key)
			continue
		}
		items = append(items, i)
		if key == "examples" {
			s.Examples = append(s.Examples, r.literal(i))
		}
	}
	if len(n.items) == 0 && key == "enum" {
		r.misread(ruleValue, n.pos, "an enum without members allows nothing; add some, or remove it")
	}
	return items
}

// misplaced reports the keys that say nothing about the type.
func (r *reader) misplaced(s *Schema, f *fields) {
	for _, p := range f.pairs {
		key := p.key.text
		types, ok := appliesTo[key]
		if !ok || s.Type.V == "" || slices.Contains(types, s.Type.V) {
			continue
		}
		if article := map[string]string{"enum": "an enum", "const": "a const"}; article[key] != "" {
			s.Enum = nil // nobody need judge it again
			r.fault(ruleUnsupported, p.key.pos, "%s of type %s is not supported by this version, only of %s; remove it", article[key], s.Type.V, strings.Join(types, " and "))
		} else {
			r.fault(ruleApplies, p.key.pos, "%s says nothing about type %s, only about %s; remove it", key, s.Type.V, strings.Join(types, " and "))
		}
	}
}

// displaced reports the keys that say nothing where the schema stands, or
// beside others.
func (r *reader) displaced(s *Schema, f *fields, w where) {
	what := ""
	for _, key := range []string{"$ref", "oneOf", "const"} {
		if f.has(key) && (key != "const" || s.Const.Set()) {
			what = key
			break
		}
	}
	for _, p := range f.pairs {
		key := p.key.text
		if !slices.Contains(schemaKeys, key) {
			continue
		}
		switch {
		case what != "" && key != what && !slices.Contains(besides[what], key):
			r.fault(ruleApplies, p.key.pos, "%s says nothing beside %s; remove it", key, what)
		case w.variant && key == "type" && s.Type.V != "object" && s.Type.V != "":
			r.fault(ruleVariant, p.value.pos, "a variant of oneOf is an object; write type: object")
		case w.variant && (key == "nullable" || key == "examples" || key == "$ref" || key == "const" || key == "enum" || key == "oneOf"):
			r.fault(ruleVariant, p.key.pos, "a variant of oneOf is {type: object, properties: …}, without %s", key)
		case w.part && (key == "required" || key == "default"):
			r.fault(ruleApplies, p.key.pos, "%s says nothing about %s; remove it", key, w.kind())
		case w.shared && (key == "required" || key == "default" || key == "nullable"):
			r.fault(ruleApplies, p.key.pos, "%s says nothing about a type; write it beside the $ref", key)
		case w.result && (key == "default" || key == "role" || key == "secret"):
			r.fault(ruleApplies, p.key.pos, "%s says nothing about a result; remove it", key)
		}
	}
}

func (w where) kind() string {
	switch {
	case w.variant:
		return "a variant"
	case strings.HasSuffix(w.path, "{}"):
		return "a map's values"
	}
	return "an array's elements"
}
