// Package importer makes specs of tools that were not written here: a manifest
// of another form, or what a live server lists. What a spec has to say and the
// original does not is written as the careful guess, with a comment that asks
// to decide; what the spec language can't keep is named in the report.
package importer

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/teaagent/teaagent/gen/spec"
)

// Source is what is imported.
type Source struct {
	Tools        *spec.Tree // a list, or an object with a list under tools
	Name         string     // of the server; "" takes what Tools says
	Version      string
	Title        string
	Instructions string
	Prefix       string // "" takes what all names have in common
}

// Imported is a folder of specs, and what there is to say about them.
type Imported struct {
	Files []*File
	Notes []Note
	Tools int

	types map[string]bool // the shared types
}

// File is one spec file: a tree for spec.WriteYAML.
type File struct {
	Name string // in the folder of the specs
	Root *spec.Tree
}

// Kind is what a note is about.
type Kind uint8

const (
	Lost    Kind = iota // the spec says less than the original, or something else
	Decide              // a guess was written; look at it
	Dropped             // left out, without a change of what is taken or given
)

// String returns the word that a report puts before a note.
func (k Kind) String() string { return [...]string{"lost", "decide", "dropped"}[k] }

// Note is one thing to know about an import.
type Note struct {
	Kind    Kind
	Tool    string // "" if it is about the server
	Pointer string // into the tool as it was listed; "" if it is about the whole
	Message string
}

// String returns the note on one line.
func (n Note) String() string {
	where := "server"
	if n.Tool != "" {
		where = n.Tool
	}
	if n.Pointer != "" {
		where += " " + n.Pointer
	}
	return fmt.Sprintf("%-8s%s: %s", n.Kind, where, n.Message)
}

// Losing counts the tools that lost something.
func (im *Imported) Losing() int {
	var tools []string
	for _, n := range im.Notes {
		if n.Kind == Lost && !slices.Contains(tools, n.Tool) {
			tools = append(tools, n.Tool)
		}
	}
	return len(tools)
}

// importer collects the specs.
type importer struct {
	out        Imported
	prefix     string
	names      map[string]bool // as Go would have them, roughly
	categories []string
	tools      map[string][]*spec.Tree // by category
}

// Import makes specs. The error says why there is nothing to make them of.
func Import(src Source) (*Imported, error) {
	root := src.Tools
	if r := root.Get("result"); r.Is('{') {
		root = r // the whole message that answers tools/list
	}
	list := root
	if root.Is('{') {
		list = root.Get("tools")
	}
	if !list.Is('[') {
		return nil, fmt.Errorf("no list of tools: it is a JSON array of tools, or an object with one under \"tools\"")
	}
	im := &importer{names: map[string]bool{}, tools: map[string][]*spec.Tree{}}
	var named []*spec.Tree
	seen := map[string]bool{}
	for i, t := range list.Items {
		name := t.Get("name")
		switch {
		case !name.Is('"') || name.Text == "":
			im.note(Lost, "", fmt.Sprintf("/tools/%d", i), "a tool without a name; it is left out")
		case seen[name.Text]:
			im.note(Lost, name.Text, "", "a second tool of this name; it is left out")
		default:
			seen[name.Text] = true
			named = append(named, t)
		}
	}
	if len(named) == 0 {
		return nil, fmt.Errorf("the list has no tool with a name")
	}
	server := im.server(src, root, named)
	for _, t := range named {
		im.tool(t)
	}
	declared := spec.Mapping()
	im.out.Files = []*File{{"server.yaml", server}}
	for _, c := range im.categories {
		declared.Set(c, spec.Mapping())
		im.out.Files = append(im.out.Files, &File{c + ".yaml",
			spec.Mapping().Set("category", spec.Text(c)).Set("tools", spec.List(im.tools[c]...))})
	}
	server.Set("categories", declared)
	im.out.Tools = len(named)
	return &im.out, im.mend()
}

func (im *importer) note(kind Kind, tool, pointer, format string, args ...any) {
	im.out.Notes = append(im.out.Notes, Note{kind, tool, pointer, fmt.Sprintf(format, args...)})
}

// server makes server.yaml, without the categories.
func (im *importer) server(src Source, root *spec.Tree, tools []*spec.Tree) *spec.Tree {
	info := root.Get("server")
	if !info.Is('{') {
		info = root.Get("serverInfo")
	}
	said := func(given string, from *spec.Tree, key string) string {
		if t := from.Get(key); given == "" && t.Is('"') {
			return t.Text
		}
		return given
	}
	name := said(src.Name, info, "name")
	if name == "" && root.Get("server").Is('"') {
		name = root.Get("server").Text
	}
	out := spec.Mapping()
	if name == "" {
		if name = commonPrefix(tools); name == "" {
			name = "imported"
		}
		im.note(Decide, "", "", "the server has no name; server.yaml says %q", name)
		out.Set("server", spec.Text(name).Commented("decide: the server's name"))
	} else {
		out.Set("server", spec.Text(name))
	}
	im.prefix = said(src.Prefix, root, "prefix")
	switch common := commonPrefix(tools); {
	case prefixShape.MatchString(im.prefix):
		out.Set("prefix", spec.Text(im.prefix))
	case common != "":
		im.prefix = common
		out.Set("prefix", spec.Text(common))
	default:
		im.prefix = prefixOf(name)
		im.note(Decide, "", "", "the tools' names have no prefix in common; server.yaml says %q, and the names are as they were", im.prefix)
		out.Set("prefix", spec.Text(im.prefix).Commented("decide: no tool has it; rename the tools, or choose another"))
	}
	if version := said(src.Version, info, "version"); version != "" {
		out.Set("version", spec.Text(version))
	} else {
		im.note(Decide, "", "", "the server has no version; server.yaml says 0.1.0")
		out.Set("version", spec.Text("0.1.0").Commented("decide: the server's version"))
	}
	if title := said(src.Title, info, "title"); title != "" {
		out.Set("title", spec.Text(title))
	}
	if text := said(src.Instructions, root, "instructions"); text != "" {
		out.Set("instructions", spec.Text(text))
	}
	return out
}

var (
	prefixShape   = regexp.MustCompile(`^[a-z][a-z0-9]*$`)
	categoryShape = regexp.MustCompile(`^[a-z][a-z0-9]*([_-][a-z0-9]+)*$`)
)

// commonPrefix is what all names have before their first underscore. One tool
// alone has nothing in common with others.
func commonPrefix(tools []*spec.Tree) string {
	prefix := ""
	for i, t := range tools {
		p, rest, ok := strings.Cut(t.Get("name").Text, "_")
		if !ok || rest == "" || i > 0 && p != prefix || !prefixShape.MatchString(p) {
			return ""
		}
		prefix = p
	}
	if len(tools) == 1 {
		return ""
	}
	return prefix
}

// prefixOf makes a prefix of a server's name: mcp-servers/everything is everything.
func prefixOf(name string) string {
	var words []string
	for _, word := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		if word != "mcp" && word != "server" && word != "servers" {
			words = append(words, word)
		}
	}
	for len(words) > 0 && !prefixShape.MatchString(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return "imported"
	}
	return words[len(words)-1]
}

// Owner returns what a finding in the specs can be let off by: the tool that
// the place belongs to, or server.yaml; nil if it is neither. The set is what
// the files were read into.
func (im *Imported) Owner(set *spec.Set, at spec.Pos) *spec.Tree {
	var of *spec.Tool
	for _, t := range set.Tools {
		if t.Pos.File == at.File && (t.Pos.Line < at.Line || t.Pos.Line == at.Line && t.Pos.Col <= at.Col) {
			of = t
		}
	}
	for _, f := range im.Files {
		switch {
		case filepath.Base(at.File) != f.Name:
		case of == nil && f.Name == "server.yaml":
			return f.Root
		case of != nil:
			for _, t := range f.Root.Get("tools").Items {
				if t.Get("name").Text == of.Name.V {
					return t
				}
			}
		}
	}
	return nil
}
