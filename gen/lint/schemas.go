package lint

import (
	"slices"
	"strings"
)

// These checks are about schemas as clients get them. What our own generator
// puts there keeps to most of them by construction; the schemas of other
// servers often do not.

func wireRoot(c *Context, t *Tool) {
	p := place{[]string{"inputSchema"}, t.entry.get("inputSchema")}
	if p.schema == nil {
		c.Report(t.Spec.Name.Pos, "the tool has no inputSchema; write {\"type\": \"object\"} at least")
		return
	}
	rootOf(c, t, p)
}

func wireOutput(c *Context, t *Tool) {
	if s := t.entry.get("outputSchema"); s != nil {
		rootOf(c, t, place{[]string{"outputSchema"}, s})
	}
}

func rootOf(c *Context, t *Tool, p place) {
	if !p.schema.get("type").isText("object") {
		c.Report(t.find(p), "the root of %s is not of type \"object\"; clients refuse the tool, or the whole list", p)
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf", "not"} {
		if p.schema.get(key) != nil {
			c.Report(t.find(p), "the root of %s has %s, which clients refuse; write one object", p, key)
		}
	}
}

func wireItems(_ *Context, p place, report reporter) {
	if p.schema.get("type").isText("array") && p.schema.get("items") == nil && p.schema.get("prefixItems") == nil {
		report("array %s has no items; say what its elements are", p)
	}
}

// wireTyped asks for a type of everything but the wrappers of other schemas.
func wireTyped(_ *Context, p place, report reporter) {
	if p.schema.kind != '{' || len(p.schema.keys) == 0 || p.root() {
		return // other rules'
	}
	switch p.path[len(p.path)-1] {
	case "not", "if", "then", "else", "allOf", "propertyNames":
		return
	}
	for _, key := range []string{"type", "anyOf", "oneOf", "allOf", "$ref"} {
		if p.schema.get(key) != nil {
			return
		}
	}
	report("%s has no type; write one", p)
}

func wireRef(_ *Context, p place, report reporter) {
	for _, key := range []string{"$ref", "$dynamicRef", "$defs", "definitions"} {
		if p.schema.get(key) != nil {
			report("%s has %s, which clients do not follow; write the schema out", p, key)
		}
	}
}

func wireTypeArray(_ *Context, p place, report reporter) {
	if t := p.schema.get("type"); t != nil && t.kind == '[' {
		report("%s has a list of types, which clients refuse; write anyOf with a schema for each", p)
	}
}

func wireSubschema(_ *Context, p place, report reporter) {
	last := p.path[len(p.path)-1]
	switch {
	case p.schema.kind == 'f' && last == "additionalProperties":
	case p.schema.kind == 't' && last == "additionalProperties": // wire-gemini's
	case p.schema.kind == 't' || p.schema.kind == 'f':
		report("%s is a boolean in place of a schema, which clients refuse; write one with a type", p)
	case p.schema.kind != '{':
		report("%s is no schema; write an object", p)
	case len(p.schema.keys) == 0 && !p.root():
		report("%s is an empty schema, which clients refuse; write one with a type", p)
	}
}

func wireRequired(_ *Context, p place, report reporter) {
	required, properties := p.schema.get("required"), p.schema.get("properties")
	isObject := p.schema.get("type").isText("object") || p.schema.get("type") == nil || p.schema.get("type").kind == '['
	if (required != nil || properties != nil) && !isObject {
		report("%s has properties or required, but is no object; remove them", p)
		return
	}
	if required == nil {
		return
	}
	if required.kind != '[' {
		report("required of %s is no list of names", p)
		return
	}
	for _, name := range required.items {
		if properties.get(name.text) == nil {
			report("%s requires %q, which is no property of it; declare it, or remove it there", p, name.text)
		}
	}
}

// wireKey looks at what foreign servers call their args; arg-key does so in specs.
func wireKey(c *Context, t *Tool) {
	if !t.foreign {
		return
	}
	for _, p := range t.schemas {
		properties := p.schema.get("properties")
		if properties == nil {
			continue
		}
		for i := range properties.keys {
			if key := properties.keys[i].text; !argName.MatchString(key) {
				at := place{append(p.path[:len(p.path):len(p.path)], "properties", key), properties.items[i]}
				c.Report(t.find(at), "name %q is not letters, digits and underscores, at most 64 and no digit first", key)
			}
		}
	}
}

// refusedByGemini are keywords that hosts of Gemini models drop or refuse.
var refusedByGemini = []string{"const", "exclusiveMinimum", "$schema", "patternProperties"}

func wireGemini(c *Context, t *Tool) {
	var found []string
	var at place
	note := func(p place, key string) {
		if len(found) == 0 {
			at = p
		}
		if !slices.Contains(found, key) {
			found = append(found, key)
		}
	}
	for _, p := range t.schemas {
		if p.path[0] != "inputSchema" {
			continue
		}
		for _, key := range refusedByGemini {
			if p.schema.get(key) != nil {
				note(p, key)
			}
		}
		if more := p.schema.get("additionalProperties"); more != nil && more.kind != 'f' {
			note(p, "additionalProperties")
		}
	}
	if len(found) > 0 {
		c.Report(t.find(at), "Gemini knows no %s (%s); its hosts drop or refuse it", strings.Join(found, ", "), at)
	}
}

// optionalFields are what an entry of tools/list may leave out, but not set to null.
var optionalFields = []string{"title", "description", "outputSchema", "annotations", "icons", "_meta", "execution"}

func wireNull(c *Context, t *Tool) {
	for _, key := range optionalFields {
		if v := t.entry.get(key); v != nil && v.kind == 'n' {
			c.Report(t.Spec.Name.Pos, "%s is null, for which TypeScript clients drop the whole list; leave it out", key)
		}
	}
}

func wireHints(c *Context, t *Tool) {
	hints := t.entry.get("annotations")
	var missing []string
	for _, key := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
		if v := hints.get(key); v == nil || v.kind != 't' && v.kind != 'f' {
			missing = append(missing, key)
		}
	}
	if len(missing) > 0 {
		c.Report(t.Spec.Name.Pos, "the annotations lack %s; state them, since a missing destructiveHint means true", strings.Join(missing, ", "))
	}
}
