package gen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/teaagent/teaagent/gen/internal/emit"
	"github.com/teaagent/teaagent/gen/spec"
)

// source is one file of package handlers.
type source struct {
	pkg      string
	returned string // the local type that New returns
	methods  map[string]method
}

func readSource(name, mod string) (*source, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, data, parser.SkipObjectResolution|parser.AllErrors)
	s := &source{methods: map[string]method{}}
	if err != nil {
		s.scan(name, data) // what the parser gave up on is not to get a stub
	}
	if file == nil {
		return s, nil
	}
	if file.Name != nil && file.Name.Name != "_" {
		s.pkg = file.Name.Name
	}
	generated := importName(file, mod+"/generated")
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		switch {
		case !ok:
		case f.Recv == nil && f.Name.Name == "New":
			s.returned = returnedType(f)
		case f.Recv != nil && len(f.Recv.List) == 1:
			at := fset.Position(f.Name.Pos())
			m := method{
				pos:  spec.Pos{File: name, Line: at.Line, Col: at.Column, Width: len(f.Name.Name)},
				args: typesOf(f, generated),
				stub: isStub(f),
			}
			m.receiver, m.pointer = receiverOf(f.Recv.List[0].Type)
			s.methods[f.Name.Name] = m
		}
	}
	return s, nil
}

var methodLine = regexp.MustCompile(`^func \((?:\w+ +)?(\*?)(\w+)(?:\[[^\]]*\])?\) (\w+)\(`)

// scan finds methods by their first lines.
func (s *source) scan(name string, data []byte) {
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		if m := methodLine.FindStringSubmatch(line); m != nil {
			s.methods[m[3]] = method{
				pos:      spec.Pos{File: name, Line: n, Col: 1, Width: 1},
				receiver: m[2],
				pointer:  m[1] != "",
			}
		}
	}
}

// importName is what a file calls an imported package, or "".
func importName(file *ast.File, path string) string {
	for _, i := range file.Imports {
		if p, _ := strconv.Unquote(i.Path.Value); p != path {
			continue
		}
		if i.Name != nil {
			return i.Name.Name
		}
		return path[strings.LastIndexByte(path, '/')+1:]
	}
	return ""
}

// returnedType is the local type among the results of New, or of the first
// composite literal that it returns as an interface.
func returnedType(f *ast.FuncDecl) string {
	if f.Type.Results == nil {
		return ""
	}
	for _, r := range f.Type.Results.List {
		if name, _ := receiverOf(r.Type); name != "" && name != "error" {
			return name
		}
	}
	if f.Body == nil {
		return ""
	}
	name := ""
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok && name == "" && len(r.Results) > 0 {
			value := r.Results[0]
			if u, ok := value.(*ast.UnaryExpr); ok && u.Op == token.AND {
				value = u.X
			}
			if lit, ok := value.(*ast.CompositeLit); ok {
				name, _ = receiverOf(lit.Type)
			}
		}
		return true
	})
	return name
}

// receiverOf is the name of a local type, perhaps behind a pointer.
func receiverOf(t ast.Expr) (name string, pointer bool) {
	switch t := t.(type) {
	case *ast.StarExpr:
		name, _ = receiverOf(t.X)
		return name, true
	case *ast.ParenExpr:
		return receiverOf(t.X)
	case *ast.IndexExpr:
		return receiverOf(t.X)
	case *ast.IndexListExpr:
		return receiverOf(t.X)
	case *ast.Ident:
		return t.Name, false
	}
	return "", false
}

// typesOf lists the types of a package that a function takes.
func typesOf(f *ast.FuncDecl, pkg string) []string {
	var names []string
	for _, p := range f.Type.Params.List {
		if sel, ok := p.Type.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && pkg != "" && x.Name == pkg {
				names = append(names, sel.Sel.Name)
			}
		}
	}
	return names
}

// isStub reports whether a body returns the error of the stub that it was.
func isStub(f *ast.FuncDecl) bool {
	if f.Body == nil || len(f.Body.List) != 1 {
		return false
	}
	ret, ok := f.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 2 {
		return false
	}
	call, ok := ret.Results[1].(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	code, ok := call.Args[0].(*ast.BasicLit)
	return ok && code.Value == strconv.Quote(emit.NotImplemented)
}
