package lint

import (
	"strings"

	"github.com/teaagent/teaagent/gen/spec"
)

// Tool is a tool as clients get it: its entry in the answer to tools/list.
type Tool struct {
	Spec *spec.Tool // what it comes from; of a foreign server, what its entry says
	JSON []byte     // the entry

	foreign bool
	entry   *tree
	schemas []place                // of input and output, roots first
	find    func(p place) spec.Pos // where a schema is written
}

// NewTool makes the wire form of a tool of a spec.
func NewTool(t *spec.Tool, json []byte) (*Tool, error) {
	entry, err := parse(json)
	if err != nil {
		return nil, err
	}
	w := &Tool{Spec: t, JSON: json, entry: entry}
	w.find = w.inSpec
	w.walk()
	return w, nil
}

func (w *Tool) walk() {
	for _, side := range []string{"inputSchema", "outputSchema"} {
		if s := w.entry.get(side); s != nil {
			eachSchema(s, []string{side}, func(p place) { w.schemas = append(w.schemas, p) })
		}
	}
}

// place is a schema and the keys that lead to it from its tool.
type place struct {
	path   []string
	schema *tree
}

func (p place) root() bool { return len(p.path) == 1 }

// String names the schema as a person would: filter.tags[].
func (p place) String() string {
	var b strings.Builder
	for i := 1; i < len(p.path); i++ {
		switch p.path[i] {
		case "properties":
			if i++; i < len(p.path) {
				if b.Len() > 0 {
					b.WriteByte('.')
				}
				b.WriteString(p.path[i])
			}
		case "items":
			b.WriteString("[]")
		default:
			b.WriteString("/" + p.path[i])
		}
	}
	if name := b.String(); name != "" && name[0] != '[' && name[0] != '/' {
		return name
	}
	return p.path[0] + b.String()
}

// Where JSON Schema has schemas within schemas.
var (
	schemaMaps  = strings.Fields("properties patternProperties $defs definitions dependentSchemas")
	schemaLists = strings.Fields("anyOf oneOf allOf prefixItems items")
	schemaOnes  = strings.Fields("items additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties additionalItems contentSchema")
)

// eachSchema calls visit with a schema and with those inside of it.
func eachSchema(s *tree, path []string, visit func(place)) {
	visit(place{path, s})
	if s.kind != '{' {
		return
	}
	under := func(keys ...string) []string { return append(path[:len(path):len(path)], keys...) }
	for i := range s.keys {
		key, v := s.keys[i].text, s.items[i]
		switch {
		case v.kind == '{' && oneOf(key, schemaMaps):
			for j := range v.keys {
				eachSchema(v.items[j], under(key, v.keys[j].text), visit)
			}
		case v.kind == '[' && oneOf(key, schemaLists):
			for _, item := range v.items {
				eachSchema(item, under(key), visit)
			}
		case v.kind != '[' && oneOf(key, schemaOnes):
			eachSchema(v, under(key), visit)
		}
	}
}

func oneOf(word string, words []string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}

// inSpec returns the place of the arg or property that a schema comes from, or
// of the nearest thing around it.
func (w *Tool) inSpec(p place) spec.Pos {
	pos, named := w.Spec.Name.Pos, w.Spec.Args
	if p.path[0] == "outputSchema" {
		named = w.Spec.Result
		if w.Spec.ResultPos.Line > 0 {
			pos = w.Spec.ResultPos
		}
	}
	for i := 1; i+1 < len(p.path); i++ {
		if p.path[i] != "properties" {
			continue
		}
		i++
		var next *spec.Schema
		for _, s := range named {
			if s.Name.V == p.path[i] {
				next = s
			}
		}
		if next == nil {
			break
		}
		pos, named = next.Name.Pos, inside(next)
	}
	return pos
}

// eachWire makes a check from one of a tool as clients get it.
func eachWire(check func(*Context, *Tool)) func(*Context) {
	return func(c *Context) {
		for _, t := range c.Tools {
			check(c, t)
		}
	}
}

// eachWireSchema makes a check from one of a schema as clients get it.
func eachWireSchema(check func(c *Context, p place, report reporter)) func(*Context) {
	return eachWire(func(c *Context, t *Tool) {
		for _, p := range t.schemas {
			check(c, p, func(format string, args ...any) { c.Report(t.find(p), format, args...) })
		}
	})
}

type reporter func(format string, args ...any)
