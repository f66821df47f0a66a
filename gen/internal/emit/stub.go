package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/teaagent/teaagent/gen/internal/plan"
)

// NotImplemented is the code that a stub answers with, and by which it is
// recognized as long as nobody has written its body.
const NotImplemented = "NOT_IMPLEMENTED"

// Home is the package that handlers live in, as its files have it.
type Home struct {
	Package  string // handlers
	Module   string // of the repo: generated code is imported below it
	Receiver string // Handlers
	Pointer  bool   // methods are declared on *Handlers
}

// Stub is the first content of a tool's file: the methods that package
// handlers lacks.
func Stub(t *plan.Tool, missing []string, home Home) ([]byte, error) {
	f := goFile(home.Package)
	f.ImportName(home.Module+"/generated", "generated")
	for i, name := range missing {
		if i > 0 {
			f.Line()
		}
		stubMethod(f, t, name, home)
	}
	return source(f)
}

func stubMethod(f *jen.File, t *plan.Tool, name string, home Home) {
	generated := func(name string) *jen.Statement { return jen.Qual(home.Module+"/generated", name) }
	doc, result, zero := methodDoc(t), rt("Result"), jen.Nil()
	switch {
	case name == t.Preview:
		doc, result, zero = previewDoc(t), rt("Preview"), rt("Preview").Values()
	case t.Result != nil:
		result, zero = generated(t.Result.Name), generated(t.Result.Name).Values()
	}
	receiver := jen.Id("h")
	if home.Pointer {
		receiver.Op("*")
	}
	for _, line := range comments(doc) {
		f.Add(line)
	}
	todo := t.Spec.Name + " has no body yet: write it in " + t.Stub
	if name == t.Preview {
		todo = t.Spec.Name + " has no preview yet: write it in " + t.Stub
	}
	f.Func().Params(receiver.Id(home.Receiver)).Id(name).Params(
		jen.Id("ctx").Qual("context", "Context"), jen.Id("args").Add(generated(t.Args.Name)),
	).Params(result, jen.Error()).Block(
		jen.Return(zero, rt("Errorf").Call(jen.Lit(NotImplemented), jen.Lit(todo))))
}

// Resources is the first content of the file of a server's resources: the
// methods that package handlers lacks.
func Resources(missing []string, home Home) ([]byte, error) {
	f := goFile(home.Package)
	receiver := jen.Id("h")
	if home.Pointer {
		receiver.Op("*")
	}
	method := func(name string, doc []string, params, results []jen.Code, zero ...jen.Code) {
		if !slices.Contains(missing, name) {
			return
		}
		for _, line := range doc {
			f.Comment(line)
		}
		todo := rt("Errorf").Call(jen.Lit(NotImplemented), jen.Lit(name+" has no body yet: write it in "+plan.ResourcesStub))
		f.Func().Params(receiver.Clone().Id(home.Receiver)).Id(name).Params(
			append([]jen.Code{jen.Id("ctx").Qual("context", "Context")}, params...)...,
		).Params(append(results, jen.Error())...).Block(jen.Return(append(zero, todo)...))
		f.Line()
	}
	method("ListResources", []string{
		"ListResources returns a page of resources in a stable order, and the cursor of",
		"the next one, if there is one.",
	}, []jen.Code{jen.Id("cursor").String()}, []jen.Code{jen.Index().Add(rt("Resource")), jen.String()}, jen.Nil(), jen.Lit(""))
	method("ReadResource", []string{"ReadResource returns what the URI names, or mcp.ErrNoResource."},
		[]jen.Code{jen.Id("uri").String()}, []jen.Code{jen.Index().Add(rt("ResourceContents"))}, jen.Nil())
	return source(f)
}

// NewHandlers is the first content of an empty package handlers.
func NewHandlers(home Home) ([]byte, error) {
	f := goFile(home.Package)
	f.ImportName(home.Module+"/generated", "generated")
	f.PackageComment("Package handlers holds the bodies of the tools.")
	f.Comment("Handlers implements generated.Handlers: a method for every tool, and one for")
	f.Comment("the preview of every destructive tool.")
	f.Type().Id("Handlers").Struct(jen.Id("env").Add(rt("Env")))
	f.Line()
	f.Comment("New builds the handlers from what the server was started with.")
	f.Func().Id("New").Params(jen.Id("env").Add(rt("Env"))).Params(
		jen.Qual(home.Module+"/generated", "Handlers"), jen.Error(),
	).Block(jen.Return(jen.Op("&").Id("Handlers").Values(jen.Id("env").Op(":").Id("env")), jen.Nil()))
	return source(f)
}
