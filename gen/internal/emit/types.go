package emit

import (
	"strings"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"github.com/teaagent/teaagent/gen/internal/plan"
)

// declare writes the types of a tool, or those that specs share.
func declare(f *jen.File, decls []plan.Decl) {
	for _, d := range decls {
		f.Line()
		switch {
		case d.Enum != nil:
			enum(f, d.Enum)
		case d.Union != nil:
			union(f, d.Union)
		default:
			structure(f, d.Struct)
		}
	}
}

// structure writes one struct with what decodes it and what encodes it.
func structure(f *jen.File, s *plan.Struct) {
	for _, line := range comments(s.Name + " " + s.Doc) {
		f.Add(line)
	}
	f.Type().Id(s.Name).StructFunc(func(g *jen.Group) {
		for _, field := range s.Fields {
			t := goType(field.Type)
			if field.Optional {
				t = rt("Optional").Types(t)
			}
			member := jen.Id(field.Name).Add(t)
			doc := comments(field.Doc)
			if len(doc) == 1 && utf8.RuneCountInString(field.Doc) <= asideWidth {
				member.Add(doc...)
			} else {
				add(g, doc)
			}
			g.Add(member)
		}
		if s.Extra != nil {
			g.Comment("Extra are the properties beside these.")
			g.Id("Extra").Add(goType(s.Extra))
		}
	})
	if s.Decode {
		f.Line()
		decoder(f, s)
	}
	if s.Encode {
		f.Line()
		encoder(f, s)
	}
}

// union writes a sealed interface. Its variants are declared by themselves.
func union(f *jen.File, u *plan.Union) {
	for _, line := range comments(u.Name + " " + u.Doc) {
		f.Add(line)
	}
	marker := "is" + u.Name
	f.Type().Id(u.Name).InterfaceFunc(func(g *jen.Group) {
		if len(u.Variants) > 0 && u.Variants[0].Encode {
			g.Add(rt("Result"))
		}
		g.Id(marker).Params()
	})
	f.Line()
	for _, v := range u.Variants {
		f.Func().Params(jen.Id(v.Name)).Id(marker).Params().Block()
	}
}

// asideWidth is how long a comment can be, in characters, to stand beside a
// field or an enum and not above.
const asideWidth = 72

func goType(t *plan.Type) *jen.Statement {
	switch t.Kind {
	case plan.Int:
		return jen.Int64()
	case plan.Number:
		return jen.Float64()
	case plan.Bool, plan.BoolConst:
		return jen.Bool()
	case plan.Time:
		return jen.Qual("time", "Time")
	case plan.TextEnum, plan.IntEnum:
		return jen.Id(t.Enum.Name)
	case plan.Array:
		return jen.Index().Add(goType(t.Elem))
	case plan.Object:
		return jen.Id(t.Struct.Name)
	case plan.Map:
		return jen.Map(jen.String()).Add(goType(t.Elem))
	case plan.OneOf:
		return jen.Id(t.Union.Name)
	case plan.JSON:
		return rt("JSON")
	case plan.Nullable:
		return rt("Nullable").Types(goType(t.Elem))
	}
	return jen.String()
}

func enum(f *jen.File, e *plan.Enum) {
	base := jen.String()
	if e.Kind == plan.IntEnum {
		base = jen.Int64()
	}
	if aside := strings.TrimSuffix(strings.TrimPrefix(e.Doc, "is "), "."); utf8.RuneCountInString(aside) <= asideWidth {
		f.Type().Id(e.Name).Add(base).Add(comments(aside)...)
	} else {
		for _, line := range comments(e.Name + " " + e.Doc) {
			f.Add(line)
		}
		f.Type().Id(e.Name).Add(base)
	}
	f.Line()
	f.Const().DefsFunc(func(g *jen.Group) {
		for _, m := range e.Members {
			g.Id(m.Name).Id(e.Name).Op("=").Add(memberOf(e, m))
		}
	})
}

func memberOf(e *plan.Enum, m plan.Member) jen.Code {
	if e.Kind == plan.IntEnum {
		return number(m.Int)
	}
	return jen.Lit(m.Text)
}

func membersOf(e *plan.Enum) []jen.Code {
	return each(e.Members, func(m plan.Member) jen.Code { return memberOf(e, m) })
}

func rules(t *plan.Type) []jen.Code {
	return each(t.Rules, func(r plan.Rule) jen.Code {
		if r.Args == nil {
			return rt(r.Name)
		}
		return rt(r.Name).Call(each(r.Args, func(a string) jen.Code { return jen.Id(a) })...)
	})
}
