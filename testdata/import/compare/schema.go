package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// comparison is of one tool.
type comparison struct {
	root        any // of refs
	guarded     bool
	differences []difference
}

type difference struct{ pointer, text string }

func (c *comparison) differ(pointer, format string, args ...any) {
	c.differences = append(c.differences, difference{pointer, fmt.Sprintf(format, args...)})
}

func (c *comparison) tool(theirs, ours map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(theirs)) {
		v := theirs[key]
		switch key {
		case "annotations": // ours, but for what they state
			c.annotations(v, ours[key])
		case "inputSchema", "outputSchema":
			c.root = v
			mine, ok := ours[key]
			if !ok {
				c.differ("/"+key, "is gone")
				continue
			}
			c.schema("/"+key, v, mine, key)
		case "execution":
			if m, _ := v.(map[string]any); m["taskSupport"] != nil && m["taskSupport"] != "forbidden" {
				c.differ("/"+key, "is gone: %v", v)
			}
		default:
			if !reflect.DeepEqual(v, ours[key]) {
				c.differ("/"+key, "was %.60v, is %.60v", v, ours[key])
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(ours)) {
		if theirs[key] == nil && key != "title" && key != "annotations" && key != "_meta" {
			c.differ("/"+key, "is new")
		}
	}
}

// annotations compares the protocol's own where they are stated.
func (c *comparison) annotations(theirs, ours any) {
	a, _ := theirs.(map[string]any)
	b, _ := ours.(map[string]any)
	for key, v := range a {
		switch key {
		case "readOnlyHint", "idempotentHint", "openWorldHint":
			if b[key] != v {
				c.differ("/annotations/"+key, "was %v, is %v", v, b[key])
			}
		case "destructiveHint":
			if b[key] != v && a["readOnlyHint"] != true {
				c.differ("/annotations/"+key, "was %v, is %v", v, b[key])
			}
		}
	}
}

func (c *comparison) schema(p string, theirs, ours any, guards string) {
	a, okA := c.settled(theirs)
	b, okB := c.settled(ours)
	if !okA || !okB {
		if !reflect.DeepEqual(theirs, ours) {
			c.differ(p, "was %.60v, is %.60v", theirs, ours)
		}
		return
	}
	if c.guarded && guards != "" {
		guard(b, guards)
	}
	if c.guarded && guards == "outputSchema" {
		delete(a, "required")
	}
	for _, key := range slices.Sorted(maps.Keys(a)) {
		v, at := a[key], p+"/"+key
		mine, ok := b[key]
		delete(b, key)
		switch m, _ := mine.(map[string]any); {
		case key == "properties":
			props, _ := v.(map[string]any)
			for _, name := range slices.Sorted(maps.Keys(props)) {
				if _, there := m[name]; !there {
					c.differ(at+"/"+escape(name), "is gone")
					continue
				}
				c.schema(at+"/"+escape(name), props[name], m[name], "")
				delete(m, name)
			}
			for name := range m {
				c.differ(at+"/"+escape(name), "is new")
			}
		case key == "required":
			if !reflect.DeepEqual(set(v), set(mine)) {
				c.differ(at, "was %v, is %v", v, mine)
			}
		case !ok && key == "propertyNames" && reflect.DeepEqual(v, map[string]any{"type": "string"}): // says nothing
		case !ok:
			c.differ(at, "is gone")
		case key == "items" || key == "additionalProperties":
			c.schema(at, v, mine, "")
		case key == "anyOf" || key == "oneOf" || key == "allOf":
			c.list(at, v, mine)
		case !reflect.DeepEqual(v, mine):
			c.differ(at, "was %.60v, is %.60v", v, mine)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(b)) {
		switch bound := fmt.Sprint(b[key]); {
		case key == "additionalProperties", bound == "-9223372036854775808", bound == "9223372036854775807":
		case key == "properties" && reflect.DeepEqual(b[key], map[string]any{}):
		case key == "type" && a["const"] != nil:
		default:
			c.differ(p+"/"+key, "is new: %.60v", b[key])
		}
	}
}

func (c *comparison) list(p string, theirs, ours any) {
	a, _ := theirs.([]any)
	b, _ := ours.([]any)
	if len(a) != len(b) {
		c.differ(p, "has %d alternatives, had %d", len(b), len(a))
		return
	}
	for i := range a {
		c.schema(fmt.Sprintf("%s/%d", p, i), a[i], b[i], "")
	}
}

// settled returns a copy of a schema without what says nothing, with refs
// inlined, and with null said in one way.
func (c *comparison) settled(schema any) (map[string]any, bool) {
	s, ok := schema.(map[string]any)
	if !ok {
		return nil, false
	}
	s = maps.Clone(s)
	for range 20 {
		ref, ok := s["$ref"].(string)
		if !ok {
			break
		}
		delete(s, "$ref")
		merge(s, c.target(ref))
	}
	for _, key := range []string{"$schema", "$defs", "definitions", "$id"} {
		delete(s, key)
	}
	if types, ok := s["type"].([]any); ok {
		if rest := slices.DeleteFunc(slices.Clone(types), func(t any) bool { return t == "null" }); len(rest) == 1 {
			s["type"], s["nullable"] = rest[0], true
		}
	}
	if all, ok := s["anyOf"].([]any); ok {
		rest := slices.DeleteFunc(slices.Clone(all), func(t any) bool { return reflect.DeepEqual(t, map[string]any{"type": "null"}) })
		if len(rest) < len(all) {
			s["nullable"], s["anyOf"] = true, rest
			if only, ok := c.settled(rest[0]); ok && len(rest) == 1 {
				delete(s, "anyOf")
				merge(s, only)
			}
		}
	}
	return s, true
}

func (c *comparison) target(ref string) map[string]any {
	v := c.root
	for step := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		m, _ := v.(map[string]any)
		v = m[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
	}
	m, _ := v.(map[string]any)
	return m
}

func merge(into, from map[string]any) {
	for k, v := range from {
		if _, there := into[k]; !there {
			into[k] = v
		}
	}
}

// guard takes off what a destructive tool has besides.
func guard(b map[string]any, which string) {
	names := map[string][]string{"inputSchema": {"confirm", "dry_run"}, "outputSchema": {"preview"}}[which]
	props, _ := b["properties"].(map[string]any)
	props = maps.Clone(props)
	for _, name := range names {
		delete(props, name)
	}
	b["properties"] = props
	required, _ := b["required"].([]any)
	required = slices.DeleteFunc(slices.Clone(required), func(r any) bool { return slices.Contains(names, r.(string)) })
	if b["required"] = required; len(required) == 0 {
		delete(b, "required")
	}
}

func set(list any) map[string]bool {
	s := map[string]bool{}
	items, _ := list.([]any)
	for _, i := range items {
		s[fmt.Sprint(i)] = true
	}
	return s
}

func escape(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }
