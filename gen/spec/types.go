package spec

import (
	"regexp"
	"slices"
	"strings"
)

// Shared types are declared in any file and referred to from any other, so that
// one is read when it is first needed: where it is declared, or by a $ref.

var typeShape = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)

// What inlining may cost, in schemas: a few types that each say the next one
// ten times would be a billion otherwise.
const (
	maxTypeSize = 2000
	maxInlined  = 200_000
)

// declaration is an entry of a `types:`.
type declaration struct {
	name    Value[string]
	node    *node
	faults  *faults // of its file
	schema  *Schema // nil until it is read
	reading bool
	used    bool
	size    int
}

// declareTypes notes the types of a file before any file is read.
func (r *reader) declareTypes(root *node) {
	if root == nil || root.kind != mappingKind {
		return
	}
	for _, p := range root.pairs {
		if p.key.text != "types" || p.value.kind != mappingKind {
			continue
		}
		for _, t := range p.value.pairs {
			if r.types[t.key.text] == nil && t.value.kind != nullKind && t.value.kind != refusedKind {
				r.types[t.key.text] = &declaration{name: Value[string]{t.key.text, t.key.pos}, node: t.value, faults: r.faults}
			}
		}
	}
}

// sharedTypes reads the `types:` of a file.
func (r *reader) sharedTypes(f *fields) {
	f.mapping("types", "a mapping of types, such as {Point: {type: object, properties: {}}}", func(name Value[string], n *node) {
		d := r.types[name.V]
		if d == nil {
			return
		}
		if d.name.Pos != name.Pos {
			r.fault(ruleRef, name.Pos, "type %s is declared at %s:%d already; rename one of them", quote(name.V), d.name.Pos.File, d.name.Pos.Line)
			return
		}
		r.shape(name, typeShape, "the type", "letters and digits, the first an upper-case letter, such as Point; Go code is named for it")
		r.readType(d)
		r.set.Types = append(r.set.Types, d.schema)
	})
}

func (r *reader) readType(d *declaration) {
	if d.schema != nil || d.reading {
		return
	}
	d.reading = true
	here := r.faults
	r.faults = d.faults
	d.schema = r.schema(d.node, d.name, where{noun: "type", path: d.name.V, shared: true})
	d.size = d.schema.size()
	r.faults = here
	d.reading = false
}

// ref makes s the shared type that its $ref names, if there is one.
func (r *reader) ref(s *Schema, f *fields, w where) bool {
	s.Ref = f.text("$ref")
	if s.Ref.V == "" {
		return false
	}
	s.Ref.V = strings.TrimPrefix(s.Ref.V, "#/types/")
	d := r.types[s.Ref.V]
	if d == nil {
		advice := "declare it under types"
		var names []string
		for name := range r.types {
			names = append(names, name)
		}
		slices.Sort(names)
		if near := Nearest(s.Ref.V, names); near != "" {
			advice = "write " + near
		}
		r.misread(ruleRef, s.Ref.Pos, "there is no type %s; %s", quote(s.Ref.V), advice)
		return false
	}
	d.used = true
	if d.reading {
		r.misread(ruleRef, s.Ref.Pos, "type %s would contain itself; schemas on the wire can't, so end it here", quote(s.Ref.V))
		return false
	}
	r.readType(d)
	r.inlined += d.size
	if d.size > maxTypeSize || r.inlined > maxInlined {
		r.misread(ruleLimit, s.Ref.Pos, "type %s is too large to be written out here, as it has to be on the wire", quote(s.Ref.V))
		return false
	}
	own := *s
	*s = *d.schema
	s.Shared, s.Ref, s.Name, s.Pos = d.schema, own.Ref, own.Name, own.Pos
	s.Required, s.Nullable = own.Required, own.Nullable
	if own.Description.Set() {
		s.Description = own.Description
	}
	if enum := r.enums[d.schema]; enum != nil {
		r.enums[s] = enum
	}
	if w.result {
		if what := s.onlyInArgs(); what != "" {
			r.fault(ruleRef, s.Ref.Pos, "type %s has a %s, which says nothing about a result; give the result a type of its own", quote(s.Ref.V), what)
		}
	}
	return true
}

// size counts the schemas in s.
func (s *Schema) size() int {
	n := 1
	for part := range s.parts {
		n += part.size()
	}
	return n
}

// parts yields the schemas directly inside s.
func (s *Schema) parts(yield func(*Schema) bool) {
	for _, part := range slices.Concat(s.Properties, s.OneOf, []*Schema{s.Items, s.Extra}) {
		if part != nil && !yield(part) {
			return
		}
	}
}

// onlyInArgs names a key in s that a result can't have.
func (s *Schema) onlyInArgs() string {
	switch {
	case s.Default.Set():
		return "default"
	case s.Role.Set():
		return "role"
	case s.Secret.Set():
		return "secret"
	}
	for part := range s.parts {
		if what := part.onlyInArgs(); what != "" {
			return what
		}
	}
	return ""
}

// unusedTypes warns of types that nothing refers to.
func (r *reader) unusedTypes() (findings []Finding) {
	for _, t := range r.set.Types {
		if !r.types[t.Name.V].used {
			f := finding(ruleUnused, t.Name.Pos, "nothing refers to type %s; remove it", quote(t.Name.V))
			f.Severity = Warning
			findings = append(findings, f)
		}
	}
	return findings
}
