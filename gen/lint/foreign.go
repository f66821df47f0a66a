package lint

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/teaagent/teaagent/gen/spec"
)

// Foreign judges the tools of a server that was not generated here, by what
// its answer to tools/list shows: the message, its result, or the bare array
// of tools. Rules that need a spec do not apply. The set prints the findings.
func Foreign(name string, data []byte, o Options) (*spec.Set, []spec.Finding, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	set := spec.NewSet(name, data)
	root, err := parse(data)
	if err != nil {
		return set, nil, fmt.Errorf("read %s: %w", name, err)
	}
	list := toolList(root)
	if list == nil {
		return set, nil, fmt.Errorf("read %s: no list of tools in it; save the answer to tools/list", name)
	}
	f := &foreign{set: set, data: data, places: newPositions(name, data)}
	for _, entry := range list.items {
		f.tool(entry)
	}
	if len(f.errs) > 0 {
		return set, nil, fmt.Errorf("read %s: %w", name, errors.Join(f.errs...))
	}
	for _, p := range o.Profiles {
		if known := append(Profiles(), All, None); !slices.Contains(known, p) {
			return set, nil, fmt.Errorf("there is no profile %q; %s", p, advice(p, known))
		}
	}
	return set, run(set, f.tools, o, func(r *Rule) bool { return r.Listed }), nil
}

// toolList finds the array of tools; nil if there is none.
func toolList(root *tree) *tree {
	if r := root.get("result"); r != nil {
		root = r
	}
	if t := root.get("tools"); t != nil {
		root = t
	}
	if root.kind != '[' {
		return nil
	}
	return root
}

// foreign makes the model of a set from entries of tools/list.
type foreign struct {
	set    *spec.Set
	data   []byte
	places *positions
	tools  []*Tool
	errs   []error
}

// pos returns the place of a value.
func (f *foreign) pos(t *tree) spec.Pos { return f.places.at(t.off) }

// text returns the text under a key, with its place.
func (f *foreign) text(of *tree, key string) spec.Value[string] {
	v := of.get(key)
	if v == nil || v.kind != '"' {
		return spec.Value[string]{}
	}
	return spec.Value[string]{V: v.text, Pos: f.pos(v)}
}

// hint returns a hint of the annotations, or what its absence means.
func (f *foreign) hint(of *tree, key string, absent bool) spec.Value[bool] {
	switch v := of.get("annotations").get(key); {
	case v != nil && v.kind == 't':
		return spec.Value[bool]{V: true, Pos: f.pos(v)}
	case v != nil && v.kind == 'f':
		return spec.Value[bool]{V: false, Pos: f.pos(v)}
	}
	return spec.Value[bool]{V: absent}
}

func (f *foreign) tool(entry *tree) {
	t := &spec.Tool{Pos: f.pos(entry), Name: f.text(entry, "name"), Title: f.text(entry, "title"), Description: f.text(entry, "description")}
	if t.Name.V == "" {
		at := t.Pos
		f.errs = append(f.errs, fmt.Errorf("the tool at line %d, column %d has no name", at.Line, at.Col))
		return
	}
	t.ReadOnly = f.hint(entry, "readOnlyHint", false)
	t.Destructive = f.hint(entry, "destructiveHint", false) // true by default, but that is no statement
	t.OpenWorld = f.hint(entry, "openWorldHint", true)
	if t.ReadOnly.V {
		t.Destructive.V = false // it says nothing there
	}
	t.Args = f.named(entry.get("inputSchema"))
	t.Result = f.named(entry.get("outputSchema"))
	f.set.Tools = append(f.set.Tools, t)

	end := (&parser{data: f.data, i: entry.off}).end()
	w := &Tool{Spec: t, JSON: f.data[entry.off:end], entry: entry, foreign: true}
	w.find = func(p place) spec.Pos { return f.pos(p.schema) }
	w.walk()
	f.tools = append(f.tools, w)
}

// named returns the properties of a schema, as far as rules about texts look.
func (f *foreign) named(schema *tree) []*spec.Schema {
	properties := schema.get("properties")
	if properties == nil || properties.kind != '{' {
		return nil
	}
	var named []*spec.Schema
	for i := range properties.keys {
		p := properties.items[i]
		s := &spec.Schema{Pos: f.pos(p), Name: spec.Value[string]{V: properties.keys[i].text, Pos: f.pos(&properties.keys[i])}, Description: f.text(p, "description")}
		if enum := p.get("enum"); enum != nil {
			for _, m := range enum.items {
				if m.kind == '"' {
					s.Enum = append(s.Enum, spec.Value[spec.Literal]{V: spec.Literal(f.data[m.off:(&parser{data: f.data, i: m.off}).end()]), Pos: f.pos(m)})
				}
			}
		}
		for items := p; items != nil; items = items.get("items") {
			s.Properties = append(s.Properties, f.named(items)...)
		}
		named = append(named, s)
	}
	return named
}
