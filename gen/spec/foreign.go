package spec

// NewSet returns a set without a spec, for findings in a file of another kind:
// they can point into it, and be printed with its lines.
func NewSet(name string, data []byte) *Set {
	src := newSource(name, data)
	return &Set{sources: map[string]*source{name: src}, misread: map[Pos]bool{}}
}
