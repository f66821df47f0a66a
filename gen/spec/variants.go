package spec

import "strings"

// variants reads a oneOf whose objects are told apart by one of their properties.
func (r *reader) variants(s *Schema, f *fields, w where) {
	s.Discriminator = f.text("discriminator")
	list := f.list("oneOf", "a list of objects", func(n *node) {
		v := r.schema(n, Value[string]{}, w.variants())
		s.OneOf = append(s.OneOf, v)
	})
	if !list {
		if s.Discriminator.Set() && !f.has("oneOf") {
			r.fault(ruleApplies, s.Discriminator.Pos, "discriminator says nothing without oneOf; remove it")
		}
		return
	}
	if len(s.OneOf) == 0 {
		r.misread(ruleValue, f.pos("oneOf"), "a oneOf without variants allows nothing; add some, or remove it")
	}
	f.need("discriminator", "add the property that tells the variants apart, such as discriminator: kind")
	if s.Discriminator.V == "" {
		return
	}
	seen := make(map[Literal]bool)
	for _, v := range s.OneOf {
		if r.set.Misread(v.Pos) || v.Ref.Set() || v.Type.V != "object" {
			continue // reported as no variant
		}
		tag := v.property(s.Discriminator.V)
		switch {
		case tag == nil:
			r.fault(ruleVariant, v.Pos, "this variant has no property %s, the discriminator; add %s: {const: its name, required: true}", quote(s.Discriminator.V), s.Discriminator.V)
		case !strings.HasPrefix(string(tag.Const.V), `"`), tag.Const.V == `""`:
			r.fault(ruleVariant, tag.Pos, "the discriminator is a const text in every variant, and not an empty one; write {const: its name, required: true}")
		case !tag.Required.V || tag.Nullable.V:
			r.fault(ruleVariant, tag.Pos, "the discriminator is always there; write {const: %s, required: true}", tag.Const.V)
		case seen[tag.Const.V]:
			r.fault(ruleVariant, tag.Const.Pos, "another variant has %s already; every one has its own", tag.Const.V.shown())
		}
		if tag != nil {
			seen[tag.Const.V] = true
		}
	}
}

func (s *Schema) property(name string) *Schema {
	for _, p := range s.Properties {
		if p.Name.V == name {
			return p
		}
	}
	return nil
}

// allowsVariant checks n against the variant that it says it is.
func (r *reader) allowsVariant(s *Schema, n *node, what, rule string) {
	if n.kind != mappingKind {
		r.misread(rule, n.pos, "%s wants a mapping, not %s", what, n.kind)
		return
	}
	var names []string
	for _, p := range n.pairs {
		if p.key.text != s.Discriminator.V {
			continue
		}
		for _, v := range s.OneOf {
			if tag := v.property(s.Discriminator.V); tag != nil && tag.Const.V == p.value.literal() {
				r.allows(v, n, what, rule)
				return
			}
		}
	}
	for _, v := range s.OneOf {
		if tag := v.property(s.Discriminator.V); tag != nil {
			names = append(names, tag.Const.V.shown())
		}
	}
	r.misread(rule, n.pos, "%s has as %s none of %s", what, quote(s.Discriminator.V), strings.Join(names, ", "))
}
