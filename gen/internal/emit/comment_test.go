package emit

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"testing"

	"github.com/dave/jennifer/jen"
)

// Whatever a description holds, it stays in its comment, and gofmt has nothing
// to change about it.
func FuzzComments(f *testing.F) {
	for _, s := range []string{
		"Read a file.", "", " ", "a\nb", "a\r\nb\rc", "*/ func init() {}", "\x00\xff\ufeff", "a\u2028b\u0085c",
		"go:build ignore", "\n\n a \n\n\n - b\n  # c\n\n\tcode\n1. x", "a b " + "long " + "long ", "# Head", "[x]: y", "+build x",
		"line x.go:1", "export F", "a\n\n- b\n- c\n\nd", "``quoted''", "Deprecated: no.",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := goFile("p")
		for _, line := range comments("T is " + text) {
			file.Add(line)
		}
		file.Type().Id("T").StructFunc(func(g *jen.Group) {
			add(g, comments(text))
			g.Id("F").Int()
		})
		src, err := source(file)
		if err != nil {
			t.Fatal(err)
		}
		again, err := format.Source(src)
		if err != nil || !bytes.Equal(src, again) {
			t.Fatalf("gofmt would change it (%v):\n%s\n%s", err, src, again)
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if len(parsed.Decls) != 1 || len(parsed.Decls[0].(*ast.GenDecl).Specs[0].(*ast.TypeSpec).Type.(*ast.StructType).Fields.List) != 1 {
			t.Fatalf("the text left its comment:\n%s", src)
		}
		for _, group := range parsed.Comments {
			for _, c := range group.List {
				if len(c.Text) > 2 && c.Text[2] != ' ' && c.Text[2] != '\t' {
					t.Fatalf("a directive: %s", c.Text)
				}
			}
		}
	})
}
