package plan

import (
	"slices"
	"strings"
	"time"

	"github.com/teaagent/teaagent/gen/spec"
	"github.com/teaagent/teaagent/mcp"
)

func (p *planner) tool(t *spec.Tool, prefix string) *Tool {
	name, file := p.goName(t, prefix)
	tool := &Tool{Spec: wireSpec(t), GoName: name, Pos: t.Name.Pos, Stub: Handlers + "/" + file + "_tool.go"}
	if t.GoName.Set() {
		tool.Pos = t.GoName.Pos
	}
	p.guarded(t)
	tool.Input, tool.Output = Input(t), Output(t)
	if t.Destructive.V {
		tool.Preview = "Preview" + tool.GoName
	}
	named := p.claimTool(tool)

	s := &scope{planner: p, base: tool.GoName, owner: t.Name.V, pos: tool.Pos, mute: !named}
	s.side = arguments
	tool.Args = s.root(tool.GoName+"Args", "are the arguments of "+t.Name.V+".", t.Args)
	if t.Result != nil {
		s.side = result
		tool.Result = s.root(tool.GoName+"Result", "is the result of "+t.Name.V+".", t.Result)
	}
	tool.Decls = s.decls
	return tool
}

// claimTool takes the tool's methods and its stub's file.
func (p *planner) claimTool(tool *Tool) bool {
	const cure = "give one of them another goName"
	me := claim{"tool " + tool.Spec.Name, tool.Pos}
	if !p.claim(p.methods, tool.GoName, me, "go-name-tool", cure) {
		return false
	}
	if tool.Preview != "" {
		preview := claim{"the preview of tool " + tool.Spec.Name, tool.Pos}
		if !p.claim(p.methods, tool.Preview, preview, "go-name-tool", cure) {
			return false
		}
	}
	p.claimFile(tool.Stub, me, cure)
	return true
}

// guarded finds a result that declares by hand what a dry run answers with.
// The args that a guard brings are lint's.
func (p *planner) guarded(t *spec.Tool) {
	for _, r := range t.Result {
		if r.Name.V == Preview && t.Destructive.V {
			p.find(r.Name.Pos, "go-guard", "the result of a destructive tool has a preview already; name this property otherwise")
		}
	}
}

// wireSpec is what the tool's spec says beside its arguments.
func wireSpec(t *spec.Tool) mcp.Spec {
	s := mcp.Spec{
		Name:            t.Name.V,
		Title:           t.Title.V,
		Description:     t.Description.V + deprecation(t.Deprecated),
		Usage:           t.Usage.V,
		Destructive:     t.Destructive.V,
		RequiresConfirm: t.RequiresConfirm.V,
		ReadOnly:        t.ReadOnly.V,
		Idempotent:      t.Idempotent.V,
		Stateful:        t.Stateful.V,
		OpenWorld:       t.OpenWorld.V,
		Timeout:         time.Duration(t.TimeoutSeconds.V) * time.Second,
	}
	s.Tier, _ = mcp.ParseTier(t.Tier.V)
	for a := mcp.AccessNone; a <= mcp.AccessWrite; a++ {
		if a.String() == t.Workspace.V {
			s.Workspace = a
		}
	}
	for _, name := range t.Auth {
		s.Auth = append(s.Auth, name.V)
	}
	if r := t.RateLimit; r != nil {
		s.RateLimit = mcp.RateLimit{
			MaxCalls: r.MaxCalls.V,
			Window:   time.Duration(r.WindowSeconds.V) * time.Second,
		}
	}
	return s
}

// deprecation is what a description ends in.
func deprecation(d *spec.Deprecated) string {
	if d == nil {
		return ""
	}
	text := " Deprecated since " + d.Since.V
	if d.ReplacedBy.V != "" {
		text += ": use " + d.ReplacedBy.V
	}
	if d.RemoveIn.V != "" {
		text += "; it goes in " + d.RemoveIn.V
	}
	return text + "."
}

// scope is where the types of one tool's arguments or result, or of a shared
// type, are decided.
type scope struct {
	*planner
	base  string // what its types are named after: ReadFile
	owner string // for those who read: teaagent_readFile
	pos   spec.Pos
	side  side
	mute  bool // the tool has no name: its types would only repeat that
	decls []Decl
	refs  []*sharedType // of a shared type: those that it contains
	once  bool          // of a shared type: it has uniqueItems
}

type side string

const (
	arguments side = "arguments"
	result    side = "result"
	either    side = "" // of a shared type
)

// root decides the struct of all arguments, or of the whole result.
func (s *scope) root(name, doc string, props []*spec.Schema) *Struct {
	return s.object(name, doc, "", claim{"the struct of the " + string(s.side) + " of " + s.owner, s.pos}, &spec.Schema{Properties: props})
}

// object decides a struct. Its types are named after prefix, the names of the
// fields that lead to it: ReadFile, then Filter of ReadFileFilter.
func (s *scope) object(name, doc, path string, me claim, v *spec.Schema) *Struct {
	st := &Struct{Name: name, Doc: doc, Decode: s.side == arguments, Encode: s.side == result}
	s.decls = append(s.decls, Decl{Struct: st})
	own := s.claimType(name, me)
	fields := claims{}
	if s.side != arguments {
		fields["EncodeJSON"] = claim{what: "the method that writes a result"}
	}
	if s.side != result && len(v.Properties) > 0 {
		base := strings.TrimSuffix(name, "Args")
		st.Keys = unexported(base) + "Keys"
		if own { // else that has been said
			s.claimType(st.Keys, me)
		}
	}
	if v.Extra != nil || v.Open.V {
		fields["Extra"] = claim{what: "the field of additionalProperties"}
		st.Extra = s.mapOf(v, path, s.prefix(name, path)+"Extra")
	}
	s.fields(st, fields, path, v.Properties)
	return st
}

// fields decides the fields of a struct.
func (s *scope) fields(st *Struct, fields claims, path string, props []*spec.Schema) {
	for _, prop := range props {
		f := &Field{Key: prop.Name.V, Name: exported(prop.Name.V), Required: prop.Required.V}
		if prop.Name.V == "" {
			s.find(prop.Pos, "go-name-field", "an empty key makes no Go name; name the property")
		} else {
			s.claim(fields, f.Name, claim{s.what(prop.Name.V), prop.Name.Pos}, "go-name-field", "rename one of them")
		}
		f.Type = s.typeOf(prop, below(path, prop.Name.V), s.prefix(st.Name, path)+f.Name)
		if s.side != result && !f.Required && prop.Default.V != "" {
			f.Default = s.literal(f.Type, string(prop.Default.V), prop.Default.Pos)
		}
		f.Absent = !f.Required && f.Default == nil && sparesZero(f.Type)
		f.Optional = !f.Required && f.Default == nil && !f.Absent
		f.Doc = fieldDoc(prop, f)
		st.Fields = append(st.Fields, f)
	}
}

// prefix is what the types inside a struct are named after.
func (s *scope) prefix(name, path string) string {
	if path == "" {
		return s.base
	}
	return name
}

func (s *scope) claimType(name string, me claim) bool {
	return s.mute || s.claim(s.idents, name, me, "go-name-type", "rename one of them, or give a tool another goName")
}

// what names a value for a finding: "arg path of teaagent_readFile".
func (s *scope) what(path string) string {
	switch {
	case s.side == arguments:
		return "arg " + path + " of " + s.owner
	case s.side == result:
		return "result property " + path + " of " + s.owner
	case path == "":
		return s.owner
	}
	return path + " of " + s.owner
}

func below(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// fieldDoc is the property's description, with its default where the author
// did not say it.
func fieldDoc(prop *spec.Schema, f *Field) string {
	doc := prop.Description.V
	if f.Absent {
		zero := `""`
		if f.Type.Kind == IntEnum {
			zero = "0"
		}
		return strings.TrimPrefix(strings.TrimSuffix(doc, ".")+"; "+zero+" if absent.", "; ")
	}
	if doc == "" || f.Default == nil || prop.Secret.V {
		return doc
	}
	value := strings.Trim(string(prop.Default.V), `"`)
	if value == "" || strings.ContainsAny(value, "[{\\") || says(doc, value) {
		return doc
	}
	return strings.TrimSuffix(doc, ".") + "; " + value + " if absent."
}

// says reports whether a text has the value among its words.
func says(text, value string) bool {
	apart := func(r rune) bool { return !isAlnum(r) }
	if strings.ContainsFunc(value, apart) {
		return strings.Contains(text, value)
	}
	return slices.Contains(strings.FieldsFunc(text, apart), value)
}
