package importer

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/teaagent/teaagent/gen/spec"
)

// defaultCategory is that of tools that state none.
const defaultCategory = "tools"

// kept are the keys of a listed tool that a spec keeps, or that say nothing more.
var kept = map[string]bool{
	"name": true, "title": true, "description": true, "category": true, "annotations": true, "inputSchema": true,
	"outputSchema": true, "args": true, "execution": true, "_meta": true, "destructive": true, "requiresConfirm": true,
}

// tool makes the spec of one tool.
func (im *importer) tool(t *spec.Tree) {
	name := t.Get("name").Text
	c := &converter{im: im, tool: name, through: map[*spec.Tree][]string{}}
	out := spec.Mapping().Set("name", spec.Text(name))
	if title := firstText(t.Get("title"), t.Get("annotations").Get("title")); title != "" {
		out.Set("title", spec.Text(title))
	}
	if d := t.Get("description"); d.Is('"') && d.Text != "" {
		out.Set("description", spec.Text(d.Text))
	} else {
		im.note(Decide, name, "", "it has no description")
		out.Set("description", spec.Text(name).Commented("decide: what it does, in one sentence"))
	}
	c.flags(t, out)
	if im.taken(goWord(strings.TrimPrefix(name, im.prefix+"_"))) {
		for n := 2; ; n++ {
			if other := fmt.Sprintf("%s%d", goName(strings.TrimPrefix(name, im.prefix+"_")), n); !im.taken(goWord(other)) {
				im.note(Decide, name, "", "another tool has the same name in Go; this one is %s there", other)
				out.Set("goName", spec.Text(other).Commented("decide: its name in Go"))
				break
			}
		}
	}
	c.input(t, out)
	c.output(t, out)
	for i, key := range t.Keys {
		value := t.Items[i]
		switch {
		case key == "execution" && !isText(value.Get("taskSupport"), "", "forbidden"):
			c.lost("/execution", "tasks are not supported; calls answer at once")
		case key == "_meta" && len(value.Items) > 0:
			c.lost("/_meta", "specs have no _meta")
		case !kept[key] && value.Kind != 'n':
			c.lost("/"+escapePointer(key), "specs have no %s", key)
		}
	}
	category := im.category(t, name)
	if im.tools[category] == nil {
		im.categories = append(im.categories, category)
	}
	im.tools[category] = append(im.tools[category], out)
}

// category returns a category that names a file and Go code.
func (im *importer) category(t *spec.Tree, tool string) string {
	given := firstText(t.Get("category"), t.Get("annotations").Get("category"))
	if given == "" {
		return defaultCategory
	}
	name := strings.Trim(strings.Map(func(r rune) rune {
		switch r = unicode.ToLower(r); {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return '-'
	}, given), "-")
	for strings.Contains(name, "--") {
		name = strings.ReplaceAll(name, "--", "-")
	}
	switch {
	case !categoryShape.MatchString(name):
		name = defaultCategory
	case name == "server" || name == "handlers": // names of other files and types
		name += "-tools"
	}
	if name != given {
		im.note(Decide, tool, "", "category %q is called %q", given, name)
	}
	return name
}

// taken reports whether a name was taken before, and takes it.
func (im *importer) taken(word string) bool {
	was := im.names[word]
	im.names[word] = true
	return was
}

// goWord is a name without what Go names lose.
func goWord(name string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, name))
}

// goName joins the words of a name with capitals.
func goName(name string) string {
	var b strings.Builder
	b.WriteString("")
	up := true
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9':
			if b.Len() == 0 && !unicode.IsLetter(r) {
				b.WriteByte('X')
			}
			if up {
				r = unicode.ToUpper(r)
			}
			b.WriteRune(r)
			up = false
		default:
			up = true
		}
	}
	if b.Len() == 0 {
		return "Tool"
	}
	return b.String()
}

// flags writes what the annotations say. What they leave open is written as
// the careful guess, which is also what the protocol says of their absence.
func (c *converter) flags(t *spec.Tree, out *spec.Tree) {
	hints := t.Get("annotations")
	hint := func(name string) (value, stated bool) {
		h := hints.Get(name)
		return h.Is('t'), h.Is('t', 'f')
	}
	readOnly, _ := hint("readOnlyHint")
	destructive, stated := hint("destructiveHint")
	if d := t.Get("destructive"); d.Is('t', 'f') { // the standard's manifest
		destructive, stated = d.Is('t'), true
	}
	if readOnly && destructive {
		c.note(Dropped, "/annotations/destructiveHint", "it says nothing beside readOnlyHint")
	}
	switch {
	case readOnly:
		out.Set("readOnly", spec.Bool(true))
	case stated && destructive:
		out.Set("destructive", spec.Bool(true))
		c.decide("tier", "destructive tools have tier High, or Critical")
		out.Set("tier", spec.Text("High").Commented("decide: High or Critical"))
	case stated:
		out.Set("destructive", spec.Bool(false))
		c.decide("tier", "it is not read-only; tier High needs a grant, Medium would not")
		out.Set("tier", spec.Text("High").Commented("decide: Medium if it writes in the workspace only"))
	default:
		c.decide("destructive", "nothing says whether it destroys something; it asks for confirm=true")
		out.Set("destructive", spec.Bool(true).Commented("decide: false if it destroys nothing; readOnly: true if it only reads"))
		c.decide("tier", "it is not known to be read-only; tier High needs a grant")
		out.Set("tier", spec.Text("High").Commented("decide: Low, Medium, High or Critical"))
	}
	c.guarded = out.Get("destructive").Is('t')
	if confirm := t.Get("requiresConfirm"); confirm.Is('t') && !c.guarded {
		out.Set("requiresConfirm", spec.Bool(true))
		c.confirms = true
	}
	if v, stated := hint("idempotentHint"); stated {
		out.Set("idempotent", spec.Bool(v))
	}
	if v, stated := hint("openWorldHint"); stated {
		out.Set("openWorld", spec.Bool(v))
	}
	if c.guarded {
		c.decide("auth", "nothing says which variables it needs")
		out.Set("auth", spec.Text("none").Commented("decide: the variables it needs"))
	}
	for i, key := range hints.Names() {
		switch key {
		case "title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint":
			if !hints.Items[i].Is('t', 'f', 'n', '"') {
				c.lost("/annotations/"+key, "it is neither true nor false")
			}
		case "category": // the tool's, where it has none of its own
		default:
			c.note(Dropped, "/annotations/"+escapePointer(key), "specs have no such annotation")
		}
	}
}

// input writes args.
func (c *converter) input(t, out *spec.Tree) {
	args := spec.Mapping()
	if schema := t.Get("inputSchema"); schema != nil {
		args = c.rootObject(schema, "/inputSchema", false)
	} else if free := t.Get("args"); free != nil {
		args = c.freeArgs(free, out)
	}
	for _, guard := range []string{"confirm", "dry_run"} {
		if args.Get(guard) != nil && (c.guarded || guard == "confirm" && c.confirms) {
			args.Remove(guard)
			c.note(Dropped, "/inputSchema/properties/"+guard, "the guard of a destructive tool has it already")
		}
	}
	if len(args.Items) > 0 {
		out.Set("args", args)
	}
}

// output writes result.
func (c *converter) output(t, out *spec.Tree) {
	schema := t.Get("outputSchema")
	if schema == nil || schema.Kind == 'n' {
		return
	}
	fields := c.rootObject(schema, "/outputSchema", true)
	if c.guarded && fields.Get("preview") != nil {
		kind := Lost
		if names := fields.Get("preview").Get("properties").Names(); len(names) == 2 && names[0] == "text" && names[1] == "diff" {
			kind = Dropped // it is the one that the generator adds
		}
		fields.Remove("preview")
		c.note(kind, "/outputSchema/properties/preview", "the result of a destructive tool has one already")
	}
	out.Set("result", fields)
}

func firstText(texts ...*spec.Tree) string {
	for _, t := range texts {
		if t.Is('"') && t.Text != "" {
			return t.Text
		}
	}
	return ""
}

// isText reports whether t is one of the texts; absence is "".
func isText(t *spec.Tree, texts ...string) bool {
	for _, text := range texts {
		if t == nil && text == "" || t.Is('"') && t.Text == text {
			return true
		}
	}
	return false
}

func escapePointer(key string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}
