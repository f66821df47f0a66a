package plan

import (
	"slices"

	"github.com/teaagent/teaagent/gen/spec"
)

// constant decides the type of a value that is always the same.
func constant(v *spec.Schema) *Type {
	text := string(v.Const.V)
	switch v.Type.V {
	case "integer":
		l := member(&Enum{Kind: IntEnum}, text)
		return &Type{Kind: Int, Min: l.Int, Max: l.Int}
	case "number":
		return &Type{Kind: Number, Rules: []Rule{rule("AtLeast", text), rule("AtMost", text)}}
	case "boolean":
		return &Type{Kind: BoolConst, Const: text}
	}
	return &Type{Kind: TextConst, Const: textOf(text)}
}

// mapOf decides the map of an object's additional properties. The type of its
// values, should it need one, is called name.
func (s *scope) mapOf(v *spec.Schema, path, name string) *Type {
	if v.Extra == nil {
		return &Type{Kind: Map, Elem: &Type{Kind: JSON}}
	}
	return &Type{Kind: Map, Elem: s.typeOf(v.Extra, path+"{}", name)}
}

// union decides a sealed interface and the structs of its variants.
func (s *scope) union(v *spec.Schema, path, name string) *Type {
	u := &Union{Name: name, Doc: s.doc(v, path), Key: v.Discriminator.V}
	s.decls = append(s.decls, Decl{Union: u})
	s.claimType(name, claim{s.what(path), placeOf(v)})
	own := claims{}
	for _, o := range v.OneOf {
		tag, rest := split(o, u.Key)
		if tag == nil || textOf(string(tag.Const.V)) == "" {
			continue // refused by loading
		}
		value := textOf(string(tag.Const.V))
		st := name + camel(value)
		if slices.ContainsFunc(u.Variants, func(v *Struct) bool { return v.Tag.Value == value }) {
			continue // refused by loading
		}
		me := claim{"variant " + string(tag.Const.V) + " of " + s.what(path), tag.Const.Pos}
		if !s.claim(own, st, me, "go-name-enum", "reword one of them") {
			continue
		}
		at := below(path, value)
		doc := "is " + s.where(at)
		if o.Description.V != "" {
			doc = "is a " + name + ": " + o.Description.V
		}
		variant := s.object(st, doc, at, me, &spec.Schema{Properties: rest, Extra: o.Extra, Open: o.Open})
		variant.Tag = &Tag{Key: u.Key, Value: value, Union: name}
		if variant.Keys == "" && s.side != result { // the tag is a key
			variant.Keys = unexported(st) + "Keys"
			s.claimType(variant.Keys, me)
		}
		u.Variants = append(u.Variants, variant)
	}
	return &Type{Kind: OneOf, Union: u}
}

// split takes the discriminator out of a variant's properties.
func split(v *spec.Schema, key string) (tag *spec.Schema, rest []*spec.Schema) {
	for _, p := range v.Properties {
		if p.Name.V == key {
			tag = p
		} else {
			rest = append(rest, p)
		}
	}
	return tag, rest
}
