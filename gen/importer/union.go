package importer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/teaagent/teaagent/gen/spec"
)

// settled returns a copy of a schema in which refs are inlined, all of allOf is
// one, null is `nullable: true`, and a union is gone or a oneOf that can be told
// apart; nil if there is nothing that a spec could say, which is noted.
func (c *converter) settled(schema *spec.Tree, p string) *spec.Tree {
	for range maxDepth {
		switch {
		case schema.Is('t'), schema.Is('{') && len(schema.Items) == 0:
			c.lost(p, "it takes any value; it is an object of any keys here")
			return nil
		case !schema.Is('{'):
			c.lost(p, "it is no schema that takes values")
			return nil
		}
		ref := schema.Get("$ref")
		if !ref.Is('"') {
			return c.whole(schema, p)
		}
		target := c.target(ref.Text)
		switch {
		case slices.Contains(c.open, ref.Text):
			c.lost(p+"/$ref", "%s refers to itself", ref.Text)
			return nil
		case target == nil:
			c.lost(p+"/$ref", "%s is nowhere in the schema", ref.Text)
			return nil
		}
		c.open = append(c.open, ref.Text)
		schema = c.merge(schema.Without("$ref"), target, p)
	}
	c.lost(p, "refs lead nowhere")
	return nil
}

// target finds what a ref within the schema refers to.
func (c *converter) target(ref string) *spec.Tree {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	t := c.doc
	for step := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if path == "" {
			break
		}
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		if t.Is('[') {
			n, err := strconv.Atoi(step)
			if err != nil || n < 0 || n >= len(t.Items) {
				return nil
			}
			t = t.Items[n]
			continue
		}
		t = t.Get(step)
	}
	return t
}

// whole settles what is left once there is no ref.
func (c *converter) whole(schema *spec.Tree, p string) *spec.Tree {
	w := schema.Without()
	if all := w.Get("allOf"); all.Is('[') {
		w.Remove("allOf")
		for i, part := range all.Items {
			if settled := c.settled(part, p+"/allOf/"+strconv.Itoa(i)); settled != nil {
				w = c.merge(w, settled, p)
			}
		}
	}
	if list := w.Get("type"); list.Is('[') {
		c.typeList(w, list, p)
	}
	if list := w.Get("enum"); list.Is('[') {
		var members []*spec.Tree
		for _, m := range list.Items {
			if m.Kind == 'n' {
				w.Set("nullable", spec.Bool(true))
			} else {
				members = append(members, m)
			}
		}
		if w.Set("enum", spec.List(members...)); len(members) == 0 {
			w.Remove("enum")
		}
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if list := w.Get(key); list.Is('[') {
			w.Remove(key)
			w = c.union(w, list.Items, p+"/"+key, key)
		}
	}
	return w
}

// typeList makes one type of several.
func (c *converter) typeList(w, list *spec.Tree, p string) {
	var types []string
	for _, t := range list.Items {
		if t.Text == "null" {
			w.Set("nullable", spec.Bool(true))
		} else if t.Is('"') {
			types = append(types, t.Text)
		}
	}
	switch {
	case len(types) == 0:
		w.Remove("type")
		return
	case len(types) == 2 && slices.Contains(types, "integer") && slices.Contains(types, "number"):
		types = []string{"number"}
	case len(types) > 1:
		c.lost(p+"/type", "it is one of %s; it is %s here", strings.Join(types, ", "), types[0])
	}
	w.Set("type", spec.Text(types[0]))
}

// union settles alternatives beside what w says.
func (c *converter) union(w *spec.Tree, alternatives []*spec.Tree, p, key string) *spec.Tree {
	var left []*spec.Tree
	var at []string
	var refs [][]string // that each of them came through
	for i, a := range alternatives {
		place := p + "/" + strconv.Itoa(i)
		if isNull(a) {
			w.Set("nullable", spec.Bool(true))
			continue
		}
		open := len(c.open)
		settled := c.settled(a, place)
		through := slices.Clone(c.open[open:])
		c.open = c.open[:open]
		if settled == nil {
			continue
		}
		if settled.Get("nullable").Is('t') {
			w.Set("nullable", spec.Bool(true))
			settled.Remove("nullable")
		}
		if !slices.ContainsFunc(left, func(l *spec.Tree) bool { return l.JSON() == settled.JSON() }) {
			left, at, refs = append(left, settled), append(at, place), append(refs, through)
		}
	}
	switch {
	case len(left) == 0:
		return w
	case len(left) == 1:
		c.open = append(c.open, refs[0]...)
		return c.merge(w, left[0], p)
	}
	if members := literals(left); members != nil {
		w.Remove("type")
		return w.Set("enum", spec.List(members...))
	}
	if name := discriminator(left); name != "" {
		if key == "anyOf" {
			c.note(Dropped, p, "%s tells the alternatives apart, so it is a oneOf here", name)
		}
		for i, a := range left {
			c.through[a] = refs[i]
		}
		return w.Set("oneOf", spec.List(left...)).Set("discriminator", spec.Text(name))
	}
	c.lost(p, "nothing tells the %d alternatives apart; only the first one is kept", len(left))
	c.open = append(c.open, refs[0]...)
	return c.merge(w, left[0], at[0])
}

func isNull(s *spec.Tree) bool {
	enum := s.Get("enum")
	return isText(s.Get("type"), "null") || s.Get("const").Is('n') || enum.Is('[') && len(enum.Items) == 1 && enum.Items[0].Kind == 'n'
}

// literals returns the members of alternatives that are all consts or enums of
// texts, or of integers.
func literals(alternatives []*spec.Tree) (members []*spec.Tree) {
	for _, a := range alternatives {
		if len(a.Without("type", "const", "enum", "title").Keys) > 0 {
			return nil
		}
		switch v := a.Get("const"); {
		case v != nil:
			members = append(members, v)
		case a.Get("enum").Is('['):
			members = append(members, a.Get("enum").Items...)
		default:
			return nil
		}
	}
	for _, m := range members {
		if !m.Is('"', '0') || m.Kind != members[0].Kind {
			return nil
		}
	}
	return members
}

// discriminator finds a property that is another text in each alternative, and
// required; "" if there is none.
func discriminator(alternatives []*spec.Tree) string {
	for _, name := range alternatives[0].Get("properties").Names() {
		seen := map[string]bool{}
		for _, a := range alternatives {
			required := a.Get("required")
			if v := fixed(a.Get("properties").Get(name)); v != nil && required.Is('[') && slices.ContainsFunc(required.Items, func(r *spec.Tree) bool { return r.Text == name }) {
				seen[v.Text] = true
			}
		}
		if len(seen) == len(alternatives) {
			return name
		}
	}
	return ""
}

// fixed returns the one text that a property may be.
func fixed(s *spec.Tree) *spec.Tree {
	if v := s.Get("const"); v.Is('"') {
		return v
	}
	if enum := s.Get("enum"); enum.Is('[') && len(enum.Items) == 1 && enum.Items[0].Is('"') {
		return enum.Items[0]
	}
	return nil
}

// variants writes a oneOf.
func (c *converter) variants(w, out *spec.Tree, p string, result bool) {
	name := w.Get("discriminator").Text
	out.Set("discriminator", spec.Text(name))
	list := spec.List()
	for i, a := range w.Get("oneOf").Items {
		at := p + "/oneOf/" + strconv.Itoa(i)
		v := spec.Mapping().Set("type", spec.Text("object"))
		if d := a.Get("description"); d.Is('"') {
			v.Set("description", d)
		}
		open := len(c.open)
		c.open = append(c.open, c.through[a]...)
		c.rest(a, at, c.object(a, v, at, result)...)
		c.open = c.open[:open]
		own := v.Get("properties").Get(name)
		own.Remove("type")
		own.Remove("enum")
		v.Get("properties").Set(name, own.Set("const", fixed(a.Get("properties").Get(name))))
		list.Items = append(list.Items, v)
	}
	out.Set("oneOf", list)
	c.rest(w, p, "oneOf", "type", "title", "examples")
}

// merge returns what both say. Of texts the first one's counts.
func (c *converter) merge(a, b *spec.Tree, p string) *spec.Tree {
	out := a.Without()
	for i, key := range b.Keys {
		v := b.Items[i]
		mine := out.Get(key)
		switch {
		case mine == nil:
			out.Set(key, v)
		case key == "description", key == "title", key == "default", key == "examples", mine.JSON() == v.JSON(), silent[key] && strings.HasPrefix(key, "$"):
		case key == "properties":
			out.Set(key, c.merge(mine, v, p+"/properties"))
		case key == "required" && mine.Is('[') && v.Is('['):
			out.Set(key, spec.List(append(slices.Clone(mine.Items), v.Items...)...))
		default:
			c.lost(p+"/"+escapePointer(key), "two schemas are both to hold, and say different things; the first one counts")
		}
	}
	return out
}
