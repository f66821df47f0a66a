package importer

import (
	"slices"
	"strings"
	"unicode"

	"github.com/teaagent/teaagent/gen/spec"
)

// Share gives the schema that a finding is about a name of its own, as a shared
// type: two of one tool would have the same name in Go. Clients see no
// difference. The text is that of the file; false if there is no such schema.
func (im *Imported) Share(f spec.Finding, text []byte) bool {
	for _, file := range im.Files {
		if !strings.HasSuffix(f.Pos.File, file.Name) || file.Root.Get("tools") == nil {
			continue
		}
		path := pathTo(spec.ReadYAML(file.Name, text), f.Pos)
		for i := len(path); i > 3; i-- {
			parent, at := file.Root, path[:i]
			for _, step := range at[:i-1] {
				parent = child(parent, step)
			}
			s := child(parent, at[i-1])
			if !s.Is('{') || !isNamedType(s) {
				continue
			}
			tool := child(child(file.Root, path[0]), path[1]).Get("name").Text
			name := im.typeName(tool, at[2:])
			own := []string{"description", "required", "nullable", "default", "examples"}
			types := file.Root.Get("types")
			if types == nil {
				types = spec.Mapping()
				file.Root.Insert(1, "types", types)
			}
			types.Set(name, s.Without(own...))
			ref := spec.Mapping().Set("$ref", spec.Text(name))
			for j, key := range s.Keys {
				if slices.Contains(own, key) {
					ref.Set(key, s.Items[j])
				}
			}
			*s = *ref
			return true
		}
	}
	return false
}

// isNamedType reports whether a schema has a Go type with a name of its own.
func isNamedType(s *spec.Tree) bool {
	return s.Get("oneOf") != nil || s.Get("properties") != nil && isText(s.Get("type"), "object") || s.Get("enum") != nil
}

// typeName makes a name that no other shared type has.
func (im *Imported) typeName(tool string, path []string) string {
	var b strings.Builder
	for _, word := range append([]string{tool}, path...) {
		switch word {
		case "args", "properties", "items", "oneOf":
			continue
		}
		part := goName(strings.TrimLeftFunc(word, unicode.IsDigit))
		if part != "Tool" || word == "tool" {
			b.WriteString(part)
		}
	}
	b.WriteString("Value")
	name := b.String()
	for im.types[name] {
		name += "X"
	}
	if im.types == nil {
		im.types = map[string]bool{}
	}
	im.types[name] = true
	return name
}
