package plan

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/teaagent/teaagent/gen/spec"
)

// typeOf decides the type of a value. Its own Go type, should it need one, is
// called name. What loading refuses anyway becomes some type without a word.
func (s *scope) typeOf(v *spec.Schema, path, name string) *Type {
	t := s.notNull(v, path, name)
	if v.Nullable.V {
		return &Type{Kind: Nullable, Elem: t}
	}
	return t
}

func (s *scope) notNull(v *spec.Schema, path, name string) *Type {
	switch {
	case v.Shared != nil:
		return s.refer(v)
	case len(v.OneOf) > 0:
		return s.union(v, path, name)
	case v.Const.V != "":
		return constant(v)
	case len(v.Enum) > 0:
		return s.enum(v, path, name)
	}
	switch v.Type.V {
	case "integer":
		t := &Type{Kind: Int, Min: math.MinInt64, Max: math.MaxInt64, Rules: bounds(v, "multipleOf")}
		if least, greatest, ok := v.IntegerRange(); ok {
			t.Min, t.Max = least, greatest
		}
		return t
	case "number":
		return &Type{Kind: Number, Rules: bounds(v, "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf")}
	case "boolean":
		return &Type{Kind: Bool}
	case "array":
		return s.array(v, path, name)
	case "object":
		if v.IsMap() {
			return s.mapOf(v, path, s.elementName(name))
		}
		return &Type{Kind: Object, Struct: s.object(name, s.doc(v, path), path, claim{s.what(path), placeOf(v)}, v)}
	}
	return s.text(v)
}

// placeOf is where to look for a schema: its key, or its mapping.
func placeOf(v *spec.Schema) spec.Pos {
	if v.Name.Set() {
		return v.Name.Pos
	}
	return v.Pos
}

func (s *scope) text(v *spec.Schema) *Type {
	t := &Type{Kind: Text}
	if v.MinLength.V > 0 || v.MaxLength.Set() {
		t.Rules = append(t.Rules, rule("Length", strconv.Itoa(v.MinLength.V), strconv.Itoa(v.MaxLength.V)))
	}
	if v.Pattern.Set() {
		t.Rules = append(t.Rules, rule("Pattern", strconv.Quote(v.Pattern.V), strconv.Quote(v.GoPattern)))
	}
	switch v.Format.V {
	case "":
	case "date-time":
		t.Kind = Time
		s.public(v, "a date-time")
		return t
	default:
		t.Rules = append(t.Rules, rule("Format", strconv.Quote(v.Format.V)))
	}
	switch v.Role.V {
	case "path":
		t.Rules = append(t.Rules, rule("RolePath"))
	case "command":
		t.Rules = append(t.Rules, rule("RoleCommand"))
	}
	if v.Secret.V {
		t.Rules = append(t.Rules, rule("Secret"))
	}
	return t
}

// public finds what only plain strings can be: other verbs of the runtime's
// decoder show the values that they refuse, and leave grants alone.
func (s *scope) public(v *spec.Schema, what string) {
	if v.Secret.V {
		s.find(v.Secret.Pos, "go-type", "%s can't be secret; drop one of the two", what)
	}
	if v.Role.V != "" {
		s.find(v.Role.Pos, "go-type", "%s can't be a %s; drop one of the two", what, v.Role.V)
	}
}

func rule(name string, args ...string) Rule { return Rule{Name: name, Args: args} }

// bounds are the rules of a number that the schema states.
func bounds(v *spec.Schema, keys ...string) []Rule {
	var rules []Rule
	for _, key := range keys {
		var name string
		var bound spec.Literal
		switch key {
		case "minimum":
			name, bound = "AtLeast", v.Minimum.V
		case "exclusiveMinimum":
			name, bound = "Above", v.ExclusiveMinimum.V
		case "maximum":
			name, bound = "AtMost", v.Maximum.V
		case "exclusiveMaximum":
			name, bound = "Below", v.ExclusiveMaximum.V
		case "multipleOf":
			name, bound = "MultipleOf", v.MultipleOf.V
			if n, err := strconv.ParseInt(string(bound), 10, 64); err == nil && n > 1<<53 && v.Type.V == "integer" {
				name = "MultipleOfInt" // a double is not exact there
			}
		}
		if bound != "" {
			rules = append(rules, rule(name, string(bound)))
		}
	}
	return rules
}

func (s *scope) array(v *spec.Schema, path, name string) *Type {
	t := &Type{Kind: Array, Elem: &Type{Kind: Text}}
	if v.MinItems.V > 0 || v.MaxItems.Set() {
		t.Rules = append(t.Rules, rule("Items", strconv.Itoa(v.MinItems.V), strconv.Itoa(v.MaxItems.V)))
	}
	if v.UniqueItems.V {
		s.once = true
		if s.side == result {
			s.find(v.UniqueItems.Pos, "go-type", "uniqueItems of a result is not checked, so it can't be promised; drop it")
		}
		t.Rules = append(t.Rules, rule("Unique"))
	}
	if v.Items != nil {
		t.Elem = s.typeOf(v.Items, path+"[]", s.elementName(name))
	}
	return t
}

// elementName keeps the tool's part of a type's name and makes the rest singular.
func (s *scope) elementName(name string) string {
	rest, ok := strings.CutPrefix(name, s.base)
	if !ok || rest == "" {
		return name
	}
	return s.base + singular(rest)
}

// enum decides a named type with constants. Arguments and result share one
// where they have the same members under the same name.
func (s *scope) enum(v *spec.Schema, path, name string) *Type {
	s.public(v, "an enum")
	e := &Enum{Name: name, Kind: TextEnum, Doc: s.doc(v, path)}
	if path != "" && !strings.HasSuffix(path, "[]") && !strings.HasSuffix(path, "{}") {
		e.Doc = "is a value of " + s.where(path)
	}
	if v.Type.V == "integer" {
		e.Kind = IntEnum
	}
	for _, m := range v.Enum {
		e.Members = append(e.Members, member(e, string(m.V)))
	}
	for _, d := range s.decls {
		if d.Enum != nil && d.Enum.Name == name && d.Enum.Kind == e.Kind && slices.Equal(d.Enum.Members, e.Members) {
			return &Type{Kind: e.Kind, Enum: d.Enum}
		}
	}
	s.decls = append(s.decls, Decl{Enum: e})
	s.claimType(name, claim{s.what(path), placeOf(v)})
	own := claims{}
	for i, m := range e.Members {
		if slices.Contains(e.Members[:i], m) {
			continue // refused by loading
		}
		c := claim{"member " + string(v.Enum[i].V) + " of " + s.what(path), v.Enum[i].Pos}
		if s.claim(own, m.Name, c, "go-name-enum", "reword one of them") && !s.mute {
			s.claim(s.idents, m.Name, c, "go-name-enum", "reword it, or give the tool another goName")
		}
	}
	return &Type{Kind: e.Kind, Enum: e}
}

// sparesZero reports whether t is an enum without Go's zero value among its
// members, so that zero can mean absent. An mcp.Optional of an enum is a generic
// type of its own for the compiler: one per tool took go build of 1000 tools
// from 9.4 to 15.4 s of CPU.
func sparesZero(t *Type) bool {
	if t.Kind != TextEnum && t.Kind != IntEnum {
		return false
	}
	return !slices.ContainsFunc(t.Enum.Members, func(m Member) bool { return m.Text == "" && m.Int == 0 })
}

// doc says what a type is.
func (s *scope) doc(v *spec.Schema, path string) string {
	if path != "" {
		return "is " + s.where(path)
	}
	if v.Description.V == "" {
		return "is a type that specs share."
	}
	return "is a type that specs share: " + v.Description.V
}

// where says which value a type is of, to those who read Go.
func (s *scope) where(path string) string {
	if array, ok := strings.CutSuffix(path, "[]"); ok {
		path = "an element of " + array
	} else if m, ok := strings.CutSuffix(path, "{}"); ok {
		path = "a value of " + m
	}
	if s.side == either {
		return strings.TrimSuffix(path, " of ") + " in " + s.owner + "."
	}
	return path + " in the " + string(s.side) + " of " + s.owner + "."
}

func member(e *Enum, literal string) Member {
	if e.Kind == IntEnum {
		n, _ := strconv.ParseInt(literal, 10, 64)
		return Member{Name: e.Name + camel(strconv.FormatInt(n, 10)), Int: n}
	}
	text := textOf(literal)
	if text == "" {
		return Member{Name: e.Name + "Empty"}
	}
	return Member{Name: e.Name + camel(text), Text: text}
}

// textOf is the text of a JSON string.
func textOf(literal string) string {
	var text string
	json.Unmarshal([]byte(literal), &text) // else loading has refused it
	return text
}
