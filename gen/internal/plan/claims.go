package plan

import (
	"fmt"
	"go/token"
	"regexp"
	"strings"

	"github.com/teaagent/teaagent/gen/spec"
)

// ResourceMethods are the methods of mcp.Resources, which handlers have beside
// those of the tools.
var ResourceMethods = []string{"ListResources", "ReadResource"}

// claims remembers who took a name first, in one namespace.
type claims map[string]claim

type claim struct {
	what string // "tool docker_readFile"
	pos  spec.Pos
}

// String says whose the name is, and where that is written.
func (c claim) String() string {
	if c.pos.Line == 0 {
		return c.what
	}
	return fmt.Sprintf("%s (%s:%d)", c.what, c.pos.File, c.pos.Line)
}

// planner carries what a plan under way has to remember.
type planner struct {
	set      *spec.Set
	idents   claims // of package generated
	methods  claims // of the interface Handlers
	files    claims // all in lower case: some file systems know no other
	findings []spec.Finding
	shared   map[*spec.Schema]*sharedType
}

func (p *planner) find(pos spec.Pos, rule, format string, args ...any) {
	p.findings = append(p.findings, spec.Finding{Pos: pos, Rule: rule, Message: fmt.Sprintf(format, args...)})
}

// claim takes a name for something, or finds that it is taken.
func (p *planner) claim(in claims, name string, c claim, rule, cure string) bool {
	if first, taken := in[name]; taken {
		p.find(c.pos, rule, "%s needs the Go name %s, which is taken by %s; %s", c.what, name, first, cure)
		return false
	}
	in[name] = c
	return true
}

// claimFile does the same for a file.
func (p *planner) claimFile(path string, c claim, cure string) {
	if first, taken := p.files[path]; taken {
		p.find(c.pos, "go-name-file", "%s would be written to %s, as %s is; %s", c.what, path, first, cure)
		return
	}
	p.files[path] = c
}

// claimServer takes what generated/server_gen.go declares.
func (p *planner) claimServer() {
	server := claim{what: "the server itself"}
	p.idents["Handlers"] = claim{what: "the interface of all handlers"}
	p.idents["Server"] = server
	p.files[ServerFile] = server
	if r := p.set.Server.Resources; r != nil {
		for _, name := range ResourceMethods {
			p.methods[name] = claim{"the server's resources", r.Pos}
		}
	}
	if len(p.set.Types) > 0 {
		p.files[TypesFile] = claim{what: "what the types that specs share need"}
	}
}

var categoryShape = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

const renameCategory = "name the category otherwise"

func (p *planner) category(name spec.Value[string], description string) *Category {
	c := &Category{Name: name.V, Description: description}
	me := claim{"category " + name.V, name.Pos}
	c.GoName = exported(name.V)
	if !categoryShape.MatchString(name.V) && !p.set.Misread(name.Pos) {
		p.find(name.Pos, "go-name-category", "category %q names Go code and files; write letters, digits, - and _, a letter first", name.V)
	}
	c.Var = unexported(c.GoName)
	base := snake(c.GoName)
	c.File = Generated + "/" + base + "_gen.go"
	c.Bundle = Schemas + "/" + base + ".json"
	if reservedFile(base) {
		p.find(name.Pos, "go-name-file", "no file can be called %s.json on Windows, so a module that has one can't be fetched; %s", base, renameCategory)
	}
	p.claimFile(c.File, me, renameCategory)
	for _, ident := range []string{c.GoName, c.Var + "Specs", c.Var + "Schemas", "call" + c.GoName} {
		if !p.claim(p.idents, ident, me, "go-name-category", renameCategory) {
			break
		}
	}
	return c
}

// reservedFile reports whether the name is a device on Windows, where the go
// command refuses modules that hold such a file.
func reservedFile(base string) bool {
	switch base {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(base) == 4 && (base[:3] == "com" || base[:3] == "lpt") && base[3] >= '0' && base[3] <= '9'
}

// goName returns a tool's name in Go, and what its file is called after.
func (p *planner) goName(t *spec.Tool, prefix string) (name, file string) {
	if g := t.GoName.V; g != "" {
		if token.IsIdentifier(g) && token.IsExported(g) {
			return g, snake(g)
		}
		if !p.set.Misread(t.GoName.Pos) {
			p.find(t.GoName.Pos, "go-name-tool", "goName %q is not a Go name that starts with a capital letter; write %s", g, exported(g))
		}
		return exported(g), snake(g)
	}
	name = t.Name.V
	if rest, ok := strings.CutPrefix(name, prefix+"_"); ok && prefix != "" && rest != "" {
		name = rest
	}
	return exported(name), snake(name)
}
