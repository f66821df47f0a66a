package spec

import "slices"

// Tree is a value of a spec or of a JSON text on its own, for those that write
// specs: what ReadJSON returns, and WriteYAML takes.
type Tree struct {
	Kind    byte   // '{' mapping, '[' list, '"' text, '0' number, 't' or 'f' boolean, 'n' null
	Text    string // of a text; of a number in its source text
	Keys    []string
	KeyPos  []Pos   // where the keys were read; nil if the mapping was made
	Items   []*Tree // of a list; of a mapping one for each key
	Comment string  // written behind a value, after #
	Pos     Pos     // where it was read
}

// Text returns a text.
func Text(text string) *Tree { return &Tree{Kind: '"', Text: text} }

// Number returns a number in its source text.
func Number(text string) *Tree { return &Tree{Kind: '0', Text: text} }

// Bool returns a boolean.
func Bool(v bool) *Tree {
	if v {
		return &Tree{Kind: 't', Text: "true"}
	}
	return &Tree{Kind: 'f', Text: "false"}
}

// List returns a list.
func List(items ...*Tree) *Tree { return &Tree{Kind: '[', Items: items} }

// Mapping returns a mapping without keys, for Set.
func Mapping() *Tree { return &Tree{Kind: '{'} }

// Set gives a key a value, in the place where the key is if it is there.
func (t *Tree) Set(key string, value *Tree) *Tree {
	for i, k := range t.Keys {
		if k == key {
			t.Items[i] = value
			return t
		}
	}
	t.Keys, t.Items = append(t.Keys, key), append(t.Items, value)
	return t
}

// Get returns the value of a key; nil if there is none, or t is no mapping.
func (t *Tree) Get(key string) *Tree {
	if t == nil || t.Kind != '{' {
		return nil
	}
	for i, k := range t.Keys {
		if k == key {
			return t.Items[i]
		}
	}
	return nil
}

// Is reports whether t is there, and of one of the kinds.
func (t *Tree) Is(kinds ...byte) bool {
	for _, k := range kinds {
		if t != nil && t.Kind == k {
			return true
		}
	}
	return false
}

// Commented returns t with a comment.
func (t *Tree) Commented(comment string) *Tree {
	t.Comment = comment
	return t
}

// JSON returns the value as compact JSON.
func (t *Tree) JSON() string { return string(t.node().literal()) }

func (t *Tree) node() *node {
	n := &node{text: t.Text, pos: t.Pos}
	switch t.Kind {
	case '{':
		n.kind = mappingKind
		for i, k := range t.Keys {
			n.pairs = append(n.pairs, pair{key(k, t.Pos), t.Items[i].node()})
		}
	case '[':
		n.kind = listKind
		for _, item := range t.Items {
			n.items = append(n.items, item.node())
		}
	case '"':
		n.kind = textKind
	case '0':
		n.kind = numberKind
	case 't', 'f':
		n.kind = boolKind
	default:
		n.kind = nullKind
	}
	return n
}

// ReadJSON reads a JSON text. It returns nil if there is a finding.
func ReadJSON(name string, data []byte) (*Tree, []Finding) {
	faults := new(faults)
	src := newSource(name, data)
	root := readJSON(src, faults)
	if root == nil && len(faults.findings) == 0 {
		faults.fault(ruleMissing, src.wholeLine(1), "this file says nothing")
	}
	if len(faults.findings) > 0 {
		return nil, Sort(faults.findings)
	}
	return root.tree(), nil
}

func (n *node) tree() *Tree {
	t := &Tree{Text: n.text, Pos: n.pos, Kind: [...]byte{'n', 'n', 't', '0', '0', '"', '[', '{'}[n.kind]}
	if n.kind == boolKind {
		t.Kind = n.text[0]
	}
	for _, item := range n.items {
		t.Items = append(t.Items, item.tree())
	}
	for _, p := range n.pairs {
		t.Keys, t.KeyPos = append(t.Keys, p.key.text), append(t.KeyPos, p.key.pos)
		t.Items = append(t.Items, p.value.tree())
	}
	return t
}

// PatternFault says why a spec can't have a pattern; "" if it can.
func PatternFault(pattern string) string {
	if _, err := goPattern(pattern); err != nil {
		return err.Error()
	}
	return ""
}

// Remove takes a key out of a mapping.
func (t *Tree) Remove(key string) {
	for i, k := range t.Keys {
		if k == key {
			t.Keys = slices.Delete(slices.Clone(t.Keys), i, i+1)
			t.Items = slices.Delete(slices.Clone(t.Items), i, i+1)
			return
		}
	}
}

// Insert puts a new key at a place among those of a mapping, or at its end.
func (t *Tree) Insert(at int, key string, value *Tree) {
	at = min(at, len(t.Keys))
	t.Keys = slices.Insert(slices.Clone(t.Keys), at, key)
	t.Items = slices.Insert(slices.Clone(t.Items), at, value)
}

// Without returns a copy of a mapping that lacks some keys.
func (t *Tree) Without(keys ...string) *Tree {
	out := Mapping()
	if t.Is('{') {
		for i, k := range t.Keys {
			if !slices.Contains(keys, k) {
				out.Keys, out.Items = append(out.Keys, k), append(out.Items, t.Items[i])
			}
		}
		out.Pos, out.Comment = t.Pos, t.Comment
	}
	return out
}

// Names returns the keys of a mapping; none if t is not there.
func (t *Tree) Names() []string {
	if t == nil {
		return nil
	}
	return t.Keys
}

// ReadYAML returns what a YAML file says; nil if it cannot be read.
func ReadYAML(name string, data []byte) *Tree {
	root := readYAML(newSource(name, data), new(faults))
	if root == nil {
		return nil
	}
	return root.tree()
}
