package importer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/teaagent/teaagent/gen/spec"
)

// restricting are the keys that a schema can do without: it takes more then.
var restricting = []string{"default", "examples", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
	"minLength", "maxLength", "pattern", "format", "minItems", "maxItems", "uniqueItems", "enum", "const"}

// mend takes out what the reader of specs does not accept, such as a default
// that breaks its own schema or bounds that leave nothing, and says so.
func (im *importer) mend() error {
	for range 50 { // one fault may hide another
		files := map[string][]byte{}
		for _, f := range im.out.Files {
			text, err := spec.WriteYAML(f.Root)
			if err != nil {
				return err
			}
			files[f.Name] = text
		}
		_, findings := spec.LoadFiles(files)
		mended := false
		for _, f := range findings {
			if f.Severity == spec.Error && im.mendOne(f, files[f.Pos.File]) {
				mended = true
			}
		}
		if !mended {
			return nil
		}
	}
	return nil
}

// mendOne takes out the key that a finding is about; false if it is about none.
func (im *importer) mendOne(f spec.Finding, text []byte) bool {
	written := spec.ReadYAML(f.Pos.File, text)
	path := pathTo(written, f.Pos)
	for i := len(path) - 1; i > 2; i-- { // tools, its number, args
		if !slices.Contains(restricting, path[i]) || path[i-1] == "properties" || i == 3 {
			continue
		}
		for _, file := range im.out.Files {
			if file.Name != f.Pos.File {
				continue
			}
			schema := file.Root
			for _, step := range path[:i] {
				schema = child(schema, step)
			}
			if schema.Get(path[i]) == nil {
				return false // taken out for another finding
			}
			schema.Remove(path[i])
			if path[i] == "enum" || path[i] == "const" {
				if schema.Get("type") == nil && schema.Get("oneOf") == nil {
					schema.Insert(0, "type", spec.Text("object"))
					schema.Set("additionalProperties", spec.Bool(true))
				}
			}
			tool := child(child(file.Root, path[0]), path[1]).Get("name").Text
			im.note(Lost, tool, pointer(path[2:i+1]), "%s", f.Message)
			return true
		}
	}
	return false
}

// pathTo returns the keys and numbers that lead to what stands at a place.
func pathTo(t *spec.Tree, at spec.Pos) (path []string) {
	for t != nil {
		next := -1
		for i, item := range t.Items {
			if p := item.Pos; p.Line < at.Line || p.Line == at.Line && p.Col <= at.Col {
				next = i
			}
		}
		// A finding may be about a key: then it stands before its value.
		for i, p := range t.KeyPos {
			if p.Line == at.Line && p.Col == at.Col {
				next = i
			}
		}
		if next < 0 {
			return path
		}
		if t.Is('{') {
			path = append(path, t.Keys[next])
		} else {
			path = append(path, strconv.Itoa(next))
		}
		t = t.Items[next]
	}
	return path
}

func child(t *spec.Tree, step string) *spec.Tree {
	if t.Is('[') {
		if n, err := strconv.Atoi(step); err == nil && n < len(t.Items) {
			return t.Items[n]
		}
		return nil
	}
	return t.Get(step)
}

// pointer turns a path within a spec's tool into one within the listed tool.
func pointer(path []string) string {
	var b strings.Builder
	for i, step := range path {
		switch {
		case i == 0 && step == "args":
			step = "inputSchema/properties"
		case i == 0 && step == "result":
			step = "outputSchema/properties"
		default:
			step = escapePointer(step)
		}
		b.WriteString("/" + step)
	}
	return b.String()
}
