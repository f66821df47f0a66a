package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/teaagent/teaagent/gen/internal/plan"
)

func encoder(f *jen.File, s *plan.Struct) {
	f.Comment("EncodeJSON writes the result as its schema says.")
	f.Func().Params(jen.Id("r").Id(s.Name)).Id("EncodeJSON").Params(
		jen.Id("e").Op("*").Add(rt("Encoder")),
	).BlockFunc(func(g *jen.Group) {
		g.Id("e.Begin").Call(jen.LitRune('{'))
		var declared []jen.Code
		if s.Tag != nil {
			g.Id("e.Key").Call(jen.Lit(s.Tag.Key))
			g.Id("e.Text").Call(jen.Lit(s.Tag.Value))
			declared = append(declared, jen.Lit(s.Tag.Key))
		}
		for _, field := range s.Fields {
			source := "r." + field.Name
			declared = append(declared, jen.Lit(field.Key))
			if !field.Optional && !field.Absent {
				g.Id("e.Key").Call(jen.Lit(field.Key))
				encode(g, source, field.Type, 1)
				continue
			}
			if field.Absent {
				g.If(jen.Id(source).Op("!=").Add(zeroOf(field.Type))).BlockFunc(func(g *jen.Group) {
					g.Id("e.Key").Call(jen.Lit(field.Key))
					encode(g, source, field.Type, 1)
				})
				continue
			}
			g.If(jen.List(jen.Id("v"), jen.Id("ok")).Op(":=").Id(source+".Get").Call(), jen.Id("ok")).BlockFunc(func(g *jen.Group) {
				g.Id("e.Key").Call(jen.Lit(field.Key))
				encode(g, "v", field.Type, 2)
			})
		}
		if s.Extra != nil {
			entries(g, "r.Extra", s.Extra, 1, func(key *jen.Statement) jen.Code {
				return jen.Id("e.ExtraKey").Call(append([]jen.Code{key}, declared...)...)
			})
		}
		g.Id("e.End").Call(jen.LitRune('}'))
	})
}

// entries writes a map in the order of its keys.
func entries(g *jen.Group, source string, t *plan.Type, depth int, key func(*jen.Statement) jen.Code) {
	k := "k" + variable(depth)[1:]
	sorted := jen.Qual("slices", "Sorted").Call(jen.Qual("maps", "Keys").Call(jen.Id(source)))
	g.For(jen.List(jen.Id("_"), jen.Id(k)).Op(":=").Range().Add(sorted)).BlockFunc(func(g *jen.Group) {
		g.Add(key(jen.Id(k)))
		encode(g, source+"["+k+"]", t.Elem, depth+1)
	})
}

// zeroOf is what an enum's Go type holds where nothing was set.
func zeroOf(t *plan.Type) jen.Code {
	if t.Kind == plan.IntEnum {
		return jen.Lit(0)
	}
	return jen.Lit("")
}

// encode writes one value. depth numbers the variables of what is inside others.
func encode(g *jen.Group, source string, t *plan.Type, depth int) {
	value := jen.Id(source)
	with := func(first ...jen.Code) []jen.Code { return append(first, rules(t)...) }
	switch t.Kind {
	case plan.Text:
		g.Id("e.Text").Call(with(value)...)
	case plan.Int:
		g.Id("e.Int").Call(with(value, number(t.Min), number(t.Max))...)
	case plan.Number:
		g.Id("e.Number").Call(with(value)...)
	case plan.Bool:
		g.Id("e.Bool").Call(value)
	case plan.Time:
		g.Id("e.Time").Call(with(value)...)
	case plan.TextEnum:
		g.Id("e.Enum").Call(append([]jen.Code{jen.String().Call(value)}, membersOf(t.Enum)...)...)
	case plan.IntEnum:
		g.Id("e.IntEnum").Call(append([]jen.Code{jen.Int64().Call(value)}, membersOf(t.Enum)...)...)
	case plan.TextConst:
		g.Id("e.Enum").Call(value, jen.Lit(t.Const))
	case plan.BoolConst:
		g.Id("e.ConstBool").Call(value, jen.Id(t.Const))
	case plan.JSON:
		g.Id("e.JSON").Call(value)
	case plan.OneOf:
		g.Id("e.Variant").Call(value)
	case plan.Nullable:
		v := variable(depth)
		g.If(jen.List(jen.Id(v), jen.Id("ok")).Op(":=").Id(source+".Get").Call(), jen.Id("ok")).BlockFunc(func(g *jen.Group) {
			encode(g, v, t.Elem, depth+1)
		}).Else().Block(jen.Id("e.Null").Call())
	case plan.Map:
		g.Id("e.Begin").Call(jen.LitRune('{'))
		entries(g, source, t, depth, func(key *jen.Statement) jen.Code { return jen.Id("e.Key").Call(key) })
		g.Id("e.End").Call(jen.LitRune('}'))
	case plan.Object:
		g.Id(source + ".EncodeJSON").Call(jen.Id("e"))
	case plan.Array:
		g.Id("e.Begin").Call(jen.LitRune('['))
		if len(t.Rules) > 0 {
			g.Id("e.Items").Call(with(jen.Len(value))...)
		}
		v := variable(depth)
		g.For(jen.List(jen.Id("_"), jen.Id(v)).Op(":=").Range().Add(value)).BlockFunc(func(g *jen.Group) {
			encode(g, v, t.Elem, depth+1)
		})
		g.Id("e.End").Call(jen.LitRune(']'))
	}
}
