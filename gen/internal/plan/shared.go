package plan

import "github.com/teaagent/teaagent/gen/spec"

// sharedType is a type that specs refer to with $ref. Objects, enums and
// oneOfs get one Go type of its name; others are plain Go types.
type sharedType struct {
	typ    *Type
	decls  []Decl
	refs   []*sharedType // those that it contains
	unique bool          // it has uniqueItems
	decode bool          // it is in arguments
	encode bool          // it is in a result
}

// sharedType decides a shared type at its first mention.
func (p *planner) sharedType(v *spec.Schema) *sharedType {
	if known := p.shared[v]; known != nil {
		return known
	}
	t := &sharedType{typ: &Type{Kind: JSON}} // should a type contain itself, which loading refuses
	p.shared[v] = t
	name := exported(v.Name.V)
	s := &scope{planner: p, base: name, owner: "type " + v.Name.V, pos: v.Name.Pos, side: either}
	t.typ = s.typeOf(v, "", name)
	t.decls, t.refs, t.unique = s.decls, s.refs, s.once
	return t
}

// refer is the type of a $ref.
func (s *scope) refer(v *spec.Schema) *Type {
	t := s.sharedType(v.Shared)
	if s.side == either {
		s.refs = append(s.refs, t)
		s.once = s.once || t.unique
		return t.typ
	}
	if s.side == result && t.unique {
		s.find(v.Ref.Pos, "go-type", "type %s has uniqueItems, which is not checked in a result, so it can't be promised; give the result a type of its own", v.Ref.V)
	}
	t.use(s.side)
	return t.typ
}

// use gives the structs of t the method that the side needs.
func (t *sharedType) use(by side) {
	if by == arguments && t.decode || by == result && t.encode {
		return
	}
	t.decode = t.decode || by == arguments
	t.encode = t.encode || by == result
	for _, d := range t.decls {
		if d.Struct != nil {
			d.Struct.Decode, d.Struct.Encode = t.decode, t.encode
		}
	}
	for _, ref := range t.refs {
		ref.use(by)
	}
}

// sharedDecls are the declarations of the types that tools use.
func (p *planner) sharedDecls() (decls []Decl) {
	for _, v := range p.set.Types {
		if t := p.shared[v]; t.decode || t.encode {
			decls = append(decls, t.decls...)
		}
	}
	return decls
}
