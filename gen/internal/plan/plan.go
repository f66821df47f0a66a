// Package plan decides everything that generated code depends on — Go names,
// types, wire schemas, paths — so that emit only has to write it down. It is
// pure and total: any spec.Set gives a Server, and what can't be kept in Go
// gives findings at its place beside it.
package plan

import (
	"time"

	"github.com/invopop/jsonschema"

	"github.com/teaagent/teaagent/gen/spec"
	"github.com/teaagent/teaagent/mcp"
)

// Where generated files go, relative to the root of the repo.
const (
	Generated = "generated"
	Schemas   = "generated/schemas"
	Handlers  = "handlers"

	// ResourcesStub is the file that people serve resources from.
	ResourcesStub = Handlers + "/resources.go"
	ServerFile    = "generated/server_gen.go"
	TypesFile     = "generated/types_gen.go"
	Manifest      = "mcp-tools.json"
)

// Server is a whole repo's worth of decisions.
type Server struct {
	Set        *spec.Set // what the manifest says again
	Info       mcp.Info
	Env        []Variable  // those of Info with who needs them, for EnvFile
	Categories []*Category // those that have tools, in the order of server.yaml
	Types      []Decl      // what the types that specs share need, for TypesFile
}

// Category is one generated file and one schema bundle.
type Category struct {
	Name        string
	Description string
	GoName      string // of the interface: Files
	Var         string // in front of filesSpecs and filesSchemas
	File        string // generated/files_gen.go
	Bundle      string // generated/schemas/files.json
	Tools       []*Tool
}

// Tool is one method, or two.
type Tool struct {
	Spec    mcp.Spec
	GoName  string
	Preview string // name of the method that previews; empty without one
	Args    *Struct
	Result  *Struct // nil: the method returns any mcp.Result
	Decls   []Decl  // its types in the order they are written
	Input   *jsonschema.Schema
	Output  *jsonschema.Schema // nil without Result
	Stub    string             // handlers/read_file_tool.go
	Pos     spec.Pos
}

// Decl is one type declaration: a Struct, an Enum or a Union.
type Decl struct {
	Struct *Struct
	Enum   *Enum
	Union  *Union
}

// Struct is an object's Go type. One of arguments decodes, one of a result
// encodes, a shared one may do both.
type Struct struct {
	Name   string
	Doc    string // "are the arguments of teaagent_readFile."
	Keys   string // the variable that holds its keys; empty if it has none to decode
	Decode bool
	Encode bool
	Fields []*Field
	Extra  *Type // of the field Extra, a Map of all other properties; nil without
	Tag    *Tag  // what tells it from the other variants of a Union; nil if it is none
}

// Tag is a property of a variant that is no field, since it is always the same.
type Tag struct {
	Key   string
	Value string
	Union string // the interface's name
}

// Union is a sealed interface, and a Struct for each of its variants.
type Union struct {
	Name     string
	Doc      string
	Key      string // the discriminator
	Variants []*Struct
}

// Field is one property.
type Field struct {
	Key      string
	Name     string
	Doc      string
	Type     *Type
	Required bool
	Optional bool // mcp.Optional: absent is not zero
	Absent   bool // the zero value, which the schema refuses, means absent
	Default  *Lit // what an absent one is
}

// Kind says with which verb of mcp.Decoder or mcp.Encoder a value is read or written.
type Kind uint8

const (
	Text Kind = iota
	Int
	Number
	Bool
	Time
	TextEnum
	IntEnum
	TextConst
	BoolConst
	Array
	Object
	Map      // of texts to Elem
	OneOf    // a Union
	JSON     // any value
	Nullable // Elem, or null
)

// Type is a value's Go type together with the step that reads or writes it.
type Type struct {
	Kind     Kind
	Rules    []Rule
	Min, Max int64 // of an Int
	Enum     *Enum
	Const    string // of a TextConst; true or false of a BoolConst
	Elem     *Type
	Struct   *Struct
	Union    *Union
}

// Rule is a call of package mcp, or one of its variables if it has no Args.
type Rule struct {
	Name string
	Args []string // Go source
}

// Enum is a named type with a constant for every member.
type Enum struct {
	Name    string
	Doc     string
	Kind    Kind // TextEnum or IntEnum
	Members []Member
}

// Member is one constant of an Enum.
type Member struct {
	Name string
	Text string // of a TextEnum
	Int  int64  // of an IntEnum
}

// Lit is a default as a Go value.
type Lit struct {
	Type   *Type
	Text   string // of a Text; the source of a JSON
	Go     string // source of an Int, Number, Bool or enum
	Time   time.Time
	Elems  []*Lit   // of an Array or Map; of a OneOf or Nullable the one value, or none
	Keys   []string // of a Map
	Fields []FieldLit
}

// FieldLit is one field of a default that is an object.
type FieldLit struct {
	Field *Field
	Lit   *Lit
}

// From decides. The findings are in no order.
func From(set *spec.Set) (*Server, []spec.Finding) {
	p := &planner{set: set, idents: claims{}, methods: claims{}, files: claims{}, shared: map[*spec.Schema]*sharedType{}}
	srv := &Server{Set: set, Info: info(&set.Server)}
	srv.Env = variables(set, srv.Info.Env)
	p.claimServer()

	byName := map[string]*Category{}
	for _, c := range set.Server.Categories {
		if byName[c.Name.V] == nil {
			byName[c.Name.V] = p.category(c.Name, c.Description.V)
			srv.Categories = append(srv.Categories, byName[c.Name.V])
		}
	}
	for _, t := range set.Types {
		p.sharedType(t)
	}
	for _, t := range set.Tools {
		c := byName[t.Category.V]
		if c == nil { // lint asks for its declaration; a plan has to go on
			c = p.category(t.Category, "")
			byName[t.Category.V] = c
			srv.Categories = append(srv.Categories, c)
		}
		c.Tools = append(c.Tools, p.tool(t, set.Server.Prefix.V))
	}

	kept := srv.Categories[:0]
	for _, c := range srv.Categories {
		if len(c.Tools) > 0 {
			kept = append(kept, c)
		}
	}
	srv.Categories = kept
	srv.Types = p.sharedDecls()
	return srv, p.findings
}

// Tools counts the tools of all categories.
func (s *Server) Tools() int {
	n := 0
	for _, c := range s.Categories {
		n += len(c.Tools)
	}
	return n
}

func info(s *spec.Server) mcp.Info {
	in := mcp.Info{
		Name:         s.Name.V,
		Prefix:       s.Prefix.V,
		Title:        s.Title.V,
		Version:      s.Version.V,
		Description:  s.Description.V,
		Instructions: s.Instructions.V,
		Readme:       s.Readme.V,
	}
	if s.Resources != nil {
		in.Resources = true
		for _, t := range s.Resources.Templates {
			in.Templates = append(in.Templates, mcp.ResourceTemplate{
				URITemplate: t.URITemplate.V,
				Name:        t.Name.V,
				Title:       t.Title.V,
				Description: t.Description.V,
				MIMEType:    t.MIMEType.V,
			})
		}
	}
	for _, e := range s.Env {
		in.Env = append(in.Env, mcp.EnvVar{
			Name:        e.Name.V,
			Description: e.Description.V,
			Required:    e.Required.V,
			Secret:      e.Secret.V,
		})
	}
	return in
}
