package importer

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/teaagent/teaagent/gen/spec"
)

// converter makes the schemas of one tool.
type converter struct {
	im       *importer
	tool     string
	doc      *spec.Tree              // what $ref starts from
	open     []string                // the refs that are being inlined
	through  map[*spec.Tree][]string // the refs that an alternative came through
	depth    int
	count    int
	guarded  bool // the tool is destructive: it has confirm and dry_run
	confirms bool // it has confirm without that
}

func (c *converter) note(kind Kind, pointer, format string, args ...any) {
	c.im.note(kind, c.tool, pointer, format, args...)
}

func (c *converter) lost(pointer, format string, args ...any) {
	c.note(Lost, pointer, format, args...)
}

func (c *converter) decide(what, why string) { c.note(Decide, "", "%s: %s", what, why) }

// A schema is followed so deep, and into so many parts: refs can make a short
// text as large as one likes.
const (
	maxDepth = 24
	maxParts = 5000
)

// silent are the keys that a spec says otherwise, or that say nothing of values.
var silent = map[string]bool{"$schema": true, "$id": true, "id": true, "$comment": true, "$anchor": true, "$defs": true, "definitions": true,
	"type": true, "description": true, "required": true, "default": true, "nullable": true, "discriminator": true}

// rootObject makes args or result of the schema of all of them.
func (c *converter) rootObject(schema *spec.Tree, p string, result bool) *spec.Tree {
	c.doc = schema
	w := c.settled(schema, p)
	if w == nil || !isText(w.Get("type"), "", "object") {
		c.lost(p, "the root is no object")
		return spec.Mapping()
	}
	out := c.properties(w, p, result)
	extra := w.Get("additionalProperties")
	if extra.Is('{', 't') && !result {
		c.lost(p+"/additionalProperties", "args take no further ones")
	} else if extra.Is('{', 't') {
		c.lost(p+"/additionalProperties", "a result has no further fields")
	}
	c.rest(w, p, "properties", "additionalProperties", "title")
	return out
}

// properties makes the properties of an object, each with its required.
func (c *converter) properties(w *spec.Tree, p string, result bool) *spec.Tree {
	out := spec.Mapping()
	required := map[string]bool{}
	if list := w.Get("required"); list.Is('[') {
		for _, r := range list.Items {
			required[r.Text] = true
		}
	}
	props := w.Get("properties")
	if props.Is('{') {
		for i, name := range props.Keys {
			at := p + "/properties/" + escapePointer(name)
			if name == "" || len(name) > 1000 {
				c.lost(at, "specs have no such name")
				continue
			}
			out.Set(name, c.named(props.Items[i], at, required[name], result))
			delete(required, name)
		}
	}
	for name := range required {
		c.lost(p+"/required", "%q is required, and not among the properties", name)
	}
	return out
}

// named makes an arg, a result field or a property.
func (c *converter) named(schema *spec.Tree, p string, required, result bool) *spec.Tree {
	out := c.value(schema, p, result)
	if required {
		out.Insert(1, "required", spec.Bool(true))
	}
	def := c.lookup(schema, "default")
	switch {
	case def == nil:
	case result:
		c.note(Dropped, p+"/default", "a result has no defaults")
	case required:
		c.lost(p+"/default", "it is required, so the default says nothing")
	case !fits(out, def):
		c.lost(p+"/default", "the default %s is not what the schema takes", def.JSON())
	default:
		out.Set("default", def)
	}
	return out
}

// lookup finds a key beside a $ref or behind it.
func (c *converter) lookup(schema *spec.Tree, key string) *spec.Tree {
	for range maxDepth {
		if v := schema.Get(key); v != nil {
			return v
		}
		if !schema.Get("$ref").Is('"') {
			return nil
		}
		schema = c.target(schema.Get("$ref").Text)
	}
	return nil
}

// fits reports whether a default is of its schema's type.
func fits(s, v *spec.Tree) bool {
	if v.Kind == 'n' {
		return s.Get("nullable").Is('t')
	}
	switch kind := s.Get("type"); {
	case s.Get("enum") != nil:
		return slices.ContainsFunc(s.Get("enum").Items, func(m *spec.Tree) bool { return m.JSON() == v.JSON() })
	case s.Get("const") != nil:
		return false // a const takes no default
	case isText(kind, "string"):
		return v.Is('"')
	case isText(kind, "integer"):
		_, err := strconv.ParseInt(v.Text, 10, 64)
		return v.Is('0') && err == nil
	case isText(kind, "number"):
		return v.Is('0')
	case isText(kind, "boolean"):
		return v.Is('t', 'f')
	case isText(kind, "array"):
		return v.Is('[')
	}
	return v.Is('{')
}

// anything is the nearest thing to a schema that takes any value.
func anything() *spec.Tree {
	return spec.Mapping().Set("type", spec.Text("object")).Set("additionalProperties", spec.Bool(true).Commented("decide: what it is"))
}

// value makes a schema without what its parent says of it. Its first key is its
// type, or what stands for that.
func (c *converter) value(schema *spec.Tree, p string, result bool) *spec.Tree {
	c.depth++
	defer func(open int) { c.depth, c.open = c.depth-1, c.open[:open] }(len(c.open))
	switch c.count++; {
	case c.depth > maxDepth:
		c.lost(p, "nested more than %d deep", maxDepth)
		return anything()
	case c.count == maxParts:
		c.lost(p, "more than %d parts; the rest is not kept", maxParts)
		return anything()
	case c.count > maxParts:
		return anything()
	}
	w := c.settled(schema, p)
	if w == nil {
		return anything()
	}
	out := c.typed(w, p, result)
	if w.Get("nullable").Is('t') {
		out.Insert(1, "nullable", spec.Bool(true))
	}
	if d := w.Get("description"); d.Is('"') && d.Text != "" {
		out.Set("description", d)
	}
	if ex := w.Get("examples"); ex.Is('[') && len(ex.Items) > 0 && !slices.ContainsFunc(ex.Items, func(e *spec.Tree) bool { return !fits(out, e) }) {
		out.Set("examples", ex)
	} else if ex != nil {
		c.note(Dropped, p+"/examples", "not all of them are what the schema takes")
	}
	return out
}

// typed writes the type and all that is about it.
func (c *converter) typed(w *spec.Tree, p string, result bool) *spec.Tree {
	out := spec.Mapping()
	// settled has left a oneOf that can be told apart; one that is no list is not its work.
	if w.Get("oneOf").Is('[') && w.Get("discriminator").Is('"') {
		c.variants(w, out, p, result)
		return out
	}
	if v := w.Get("const"); v != nil {
		if v.Is('"', '0', 't', 'f') {
			out.Set("const", v)
			c.rest(w, p, "const", "enum", "examples")
			return out
		}
		c.lost(p+"/const", "a const is a text, a number or a boolean")
	}
	if list := w.Get("enum"); list.Is('[') && c.enum(list, w, out, p) {
		c.rest(w, p, "enum", "const", "examples")
		return out
	}
	kind := firstText(w.Get("type"))
	if kind == "" {
		kind = infer(w)
	}
	if !slices.Contains([]string{"string", "integer", "number", "boolean", "array", "object"}, kind) {
		c.lost(p, "it takes any value; it is an object of any keys here")
		c.rest(w, p, "enum", "examples")
		return anything()
	}
	out.Set("type", spec.Text(kind))
	known := []string{"enum", "const", "examples"}
	switch kind {
	case "string":
		known = append(known, c.sizes(w, out, p, "minLength", "maxLength")...)
		known = append(known, c.text(w, out, p)...)
	case "integer", "number":
		known = append(known, c.bounds(w, out, p, kind == "integer")...)
	case "array":
		known = append(known, c.array(w, out, p, result)...)
	case "object":
		known = append(known, c.object(w, out, p, result)...)
	}
	c.rest(w, p, known...)
	return out
}

// infer finds the type of a schema that states none.
func infer(w *spec.Tree) string {
	for _, k := range []struct{ key, kind string }{{"properties", "object"}, {"additionalProperties", "object"}, {"items", "array"}, {"pattern", "string"}, {"minLength", "string"}, {"maxLength", "string"}, {"format", "string"}, {"minimum", "number"}, {"maximum", "number"}} {
		if w.Get(k.key) != nil {
			return k.kind
		}
	}
	return ""
}

// enum writes the members; it reports whether they say all of the schema.
func (c *converter) enum(list, w, out *spec.Tree, p string) bool {
	var members []*spec.Tree
	seen := map[string]bool{}
	kinds := ""
	for _, m := range list.Items {
		if seen[m.JSON()] {
			c.note(Dropped, p+"/enum", "%s is listed twice", m.JSON())
			continue
		}
		seen[m.JSON()] = true
		kind := string(m.Kind)
		if m.Is('t', 'f') {
			kind = "t"
		}
		if m.Is('0') {
			if _, err := strconv.ParseInt(m.Text, 10, 64); err != nil {
				kind = "."
			}
		}
		if !strings.Contains(kinds, kind) {
			kinds += kind
		}
		members = append(members, m)
	}
	switch {
	case kinds == `"` && isText(w.Get("type"), "", "string"):
		out.Set("type", spec.Text("string"))
	case kinds == "0" && isText(w.Get("type"), "", "integer", "number"):
		if isText(w.Get("type"), "number") {
			c.note(Dropped, p+"/type", "the numbers of the enum are integers, and that is their type here")
		}
		out.Set("type", spec.Text("integer"))
	case kinds == "t" && len(members) == 1:
		out.Set("const", members[0])
		return true
	case kinds == "t":
		c.note(Dropped, p+"/enum", "true and false are all that there is")
		w.Set("type", spec.Text("boolean"))
		return false
	default:
		c.lost(p+"/enum", "an enum is of texts, or of integers")
		if kinds == "." {
			w.Set("type", spec.Text("number"))
		}
		return false
	}
	out.Set("enum", spec.List(members...))
	return true
}

// text writes pattern and format.
func (c *converter) text(w, out *spec.Tree, p string) []string {
	if v := w.Get("pattern"); v.Is('"') {
		if fault := spec.PatternFault(v.Text); fault != "" {
			c.lost(p+"/pattern", "the pattern %s", fault)
		} else {
			out.Set("pattern", v)
		}
	}
	if v := w.Get("format"); v.Is('"') {
		if slices.Contains(spec.Formats, v.Text) {
			out.Set("format", v)
		} else {
			c.note(Dropped, p+"/format", "format %q is none that is checked", v.Text)
		}
	}
	return []string{"pattern", "format"}
}

// sizes writes counts.
func (c *converter) sizes(w, out *spec.Tree, p string, keys ...string) []string {
	for _, key := range keys {
		v := w.Get(key)
		if v == nil {
			continue
		}
		if n, ok := whole(v); ok && n >= 0 && n <= math.MaxInt32 {
			out.Set(key, spec.Number(strconv.FormatInt(n, 10)))
		} else if ok && n > 0 && strings.HasPrefix(key, "max") {
			c.note(Dropped, p+"/"+key, "nothing is longer")
		} else {
			c.lost(p+"/"+key, "%s is no size", v.JSON())
		}
	}
	return keys
}

// whole returns the value of a number that is an integer, however written.
func whole(v *spec.Tree) (int64, bool) {
	if !v.Is('0') {
		return 0, false
	}
	if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(v.Text, 64)
	return int64(f), err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53
}

// bounds writes the limits of a number.
func (c *converter) bounds(w, out *spec.Tree, p string, integer bool) []string {
	keys := []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
	for _, key := range keys {
		v := w.Get(key)
		if inclusive := map[string]string{"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}[key]; v.Is('t', 'f') && inclusive != "" {
			if v.Is('t') && w.Get(inclusive).Is('0') { // as draft 4 had it
				out.Set(key, out.Get(inclusive))
				out.Remove(inclusive)
			}
			continue
		}
		switch n, ok := whole(v); {
		case v == nil:
		case !v.Is('0'):
			c.lost(p+"/"+key, "%s is no number", v.JSON())
		case !integer:
			out.Set(key, v)
		case ok:
			out.Set(key, spec.Number(strconv.FormatInt(n, 10)))
		case key != "multipleOf" && beyond(v):
			c.note(Dropped, p+"/"+key, "integers have 64 bits")
		default:
			c.lost(p+"/"+key, "%s is no integer", v.JSON())
		}
	}
	return keys
}

// beyond reports whether a number is larger than any of 64 bits.
func beyond(v *spec.Tree) bool {
	f, _ := strconv.ParseFloat(v.Text, 64)
	return math.Abs(f) >= 1<<63
}

// array writes what is about elements.
func (c *converter) array(w, out *spec.Tree, p string, result bool) []string {
	known := append([]string{"items", "uniqueItems"}, c.sizes(w, out, p, "minItems", "maxItems")...)
	items := w.Get("items")
	switch {
	case items.Is('{'):
		out.Set("items", c.value(items, p+"/items", result))
	case items.Is('[') && len(items.Items) > 0:
		c.lost(p+"/items", "elements have one type each by place; they all have the first one here")
		out.Set("items", c.value(items.Items[0], p+"/items/0", result))
	default:
		c.lost(p+"/items", "nothing says what its elements are; they are objects of any keys here")
		out.Set("items", anything())
	}
	if w.Get("uniqueItems").Is('t') {
		out.Set("uniqueItems", spec.Bool(true))
	}
	return known
}

// object writes what is about properties. One that declares none takes any.
func (c *converter) object(w, out *spec.Tree, p string, result bool) []string {
	props := c.properties(w, p, result)
	extra := w.Get("additionalProperties")
	if extra != nil && !extra.Is('{', 't', 'f') {
		c.lost(p+"/additionalProperties", "it is neither a schema nor a boolean")
		extra = nil
	}
	names := w.Get("propertyNames")
	known := []string{"properties", "additionalProperties"}
	if names.Is('{') && len(names.Without("type", "$schema").Keys) == 0 {
		known = append(known, "propertyNames") // keys are texts
	}
	if len(props.Items) > 0 || extra.Is('f') {
		out.Set("properties", props)
	}
	switch {
	case extra.Is('{') && len(extra.Items) > 0:
		out.Set("additionalProperties", c.value(extra, p+"/additionalProperties", result))
	case extra.Is('{', 't'), extra == nil && len(props.Items) == 0:
		out.Set("additionalProperties", spec.Bool(true))
	}
	return known
}

// rest names what no spec can say.
func (c *converter) rest(w *spec.Tree, p string, known ...string) {
	for i, key := range w.Keys {
		switch {
		case silent[key], slices.Contains(known, key), w.Items[i].Kind == 'n':
		case key == "title", strings.HasPrefix(key, "x-"):
			c.note(Dropped, p+"/"+escapePointer(key), "specs have no %s here", key)
		case key == "readOnly" || key == "writeOnly" || key == "deprecated" || key == "example" || key == "examples" || key == "contentMediaType":
			c.note(Dropped, p+"/"+key, "specs have no %s here", key)
		default:
			c.lost(p+"/"+escapePointer(key), "specs have no %s here", key)
		}
	}
}
