package emit

import (
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/teaagent/teaagent/gen/internal/plan"
)

// keysPerLine is how many keys read well in one line.
const keysPerLine = 8

func decoder(f *jen.File, s *plan.Struct) {
	keys := jen.Nil()
	if s.Keys != "" {
		keys = jen.Id(s.Keys)
		var values []jen.Code
		if s.Tag != nil {
			values = append(values, keyOf(s.Tag.Key, true, ""))
		}
		for _, field := range s.Fields {
			values = append(values, keyOf(field.Key, field.Required, absentPath(field)))
		}
		all := jen.Values(values...)
		if len(values) > keysPerLine {
			all = list(values...)
		}
		f.Var().Id(s.Keys).Op("=").Add(rt("Keys")).Add(all)
		f.Line()
	}
	f.Func().Params(jen.Id("a").Op("*").Id(s.Name)).Id("decodeArgs").Params(
		jen.Id("d").Op("*").Add(rt("Decoder")),
	).BlockFunc(func(g *jen.Group) {
		defaults(g, s)
		verb := "d.Next"
		if s.Extra != nil {
			verb = "d.Entry"
		}
		next := g.For(jen.Id(verb).Call(keys))
		if len(s.Fields) == 0 && s.Tag == nil {
			next.Block(jen.Comment("Next has reported the key: there is none to read."))
			return
		}
		next.Block(jen.Switch(jen.Id("d.Key").Call()).BlockFunc(func(g *jen.Group) {
			if s.Tag != nil {
				g.Case(jen.Lit(s.Tag.Key)).Block(jen.Id("d.Enum").Call(jen.Lit(s.Tag.Value)))
			}
			for _, field := range s.Fields {
				g.Case(jen.Lit(field.Key)).BlockFunc(func(g *jen.Group) { decodeField(g, field) })
			}
			if s.Extra != nil {
				g.Default().BlockFunc(func(g *jen.Group) {
					g.If(jen.Id("a.Extra").Op("==").Nil()).Block(jen.Id("a.Extra").Op("=").Add(goType(s.Extra)).Values())
					decodeEntry(g, "a.Extra", s.Extra.Elem, 1)
				})
			}
		}))
	})
}

func keyOf(name string, required bool, path string) jen.Code {
	var m members
	m.set("Name", jen.Lit(name))
	m.flag("Required", required)
	m.text("Path", path)
	return jen.Values(m...)
}

// absentPath is the path that a call means by leaving a key out.
func absentPath(f *plan.Field) string {
	isPath := slices.ContainsFunc(f.Type.Rules, func(r plan.Rule) bool { return r.Name == "RolePath" })
	if f.Default == nil || !isPath {
		return ""
	}
	return f.Default.Text
}

// defaults sets what absent keys leave as it is. Zero values need no setting.
func defaults(g *jen.Group, s *plan.Struct) {
	var m members
	short := true
	for _, field := range s.Fields {
		if field.Default != nil && !field.Default.IsZero() {
			m.set(field.Name, literal(field.Default, false))
			short = short && len(m) <= 3 && field.Type.Kind < plan.Array
		}
	}
	switch {
	case m == nil:
	case short:
		g.Op("*").Id("a").Op("=").Id(s.Name).Values(m...)
	default:
		g.Op("*").Id("a").Op("=").Id(s.Name).Add(list(m...))
	}
}

// decodeField reads into a fresh variable where the field itself may hold a
// default, or is optional.
func decodeField(g *jen.Group, f *plan.Field) {
	target := "a." + f.Name
	if scalar := decodeScalar(f.Type); scalar != nil {
		g.Id(target).Op("=").Add(optional(f, scalar))
		return
	}
	if !f.Optional && f.Default == nil {
		decodeInto(g, target, f.Type, 1)
		return
	}
	value := decodeValue(g, f.Type, 1)
	g.Id(target).Op("=").Add(optional(f, value))
}

func optional(f *plan.Field, value *jen.Statement) *jen.Statement {
	if f.Optional {
		return rt("Some").Call(value)
	}
	return value
}

// decodeInto reads a value of several tokens. depth numbers the variables of
// what is inside others.
func decodeInto(g *jen.Group, target string, t *plan.Type, depth int) {
	switch t.Kind {
	case plan.Object:
		g.Id(target + ".decodeArgs").Call(jen.Id("d"))
	case plan.Array:
		g.For(jen.Id("d.Elem").Call(rules(t)...)).BlockFunc(func(g *jen.Group) {
			elem := decodeValue(g, t.Elem, depth)
			g.Id(target).Op("=").Append(jen.Id(target), elem)
		})
	case plan.Map:
		g.Id(target).Op("=").Add(goType(t)).Values()
		decodeEntries(g, target, t, depth)
	case plan.Nullable:
		g.If(jen.Op("!").Id("d.Null").Call()).BlockFunc(func(g *jen.Group) {
			elem := decodeValue(g, t.Elem, depth)
			g.Id(target).Op("=").Add(rt("NotNull").Call(elem))
		})
	case plan.OneOf:
		names := []jen.Code{jen.Lit(t.Union.Key)}
		for _, v := range t.Union.Variants {
			names = append(names, jen.Lit(v.Tag.Value))
		}
		g.Switch(jen.Id("d.Variant").Call(names...)).BlockFunc(func(g *jen.Group) {
			for _, v := range t.Union.Variants {
				g.Case(jen.Lit(v.Tag.Value)).BlockFunc(func(g *jen.Group) {
					elem := decodeValue(g, &plan.Type{Kind: plan.Object, Struct: v}, depth)
					g.Id(target).Op("=").Add(elem)
				})
			}
		})
	}
}

func decodeEntries(g *jen.Group, target string, t *plan.Type, depth int) {
	g.For(jen.Id("d.Entry").Call(jen.Nil())).BlockFunc(func(g *jen.Group) { decodeEntry(g, target, t.Elem, depth) })
}

func decodeEntry(g *jen.Group, target string, t *plan.Type, depth int) {
	elem := decodeValue(g, t, depth)
	g.Id(target).Index(jen.Id("d.Key").Call()).Op("=").Add(elem)
}

// decodeValue is the expression of a value, read into a variable of its own if
// it has several tokens.
func decodeValue(g *jen.Group, t *plan.Type, depth int) *jen.Statement {
	if scalar := decodeScalar(t); scalar != nil {
		return scalar
	}
	v := variable(depth)
	if t.Kind == plan.Map {
		g.Id(v).Op(":=").Add(goType(t)).Values()
		decodeEntries(g, v, t, depth+1)
		return jen.Id(v)
	}
	g.Var().Id(v).Add(goType(t))
	decodeInto(g, v, t, depth+1)
	return jen.Id(v)
}

func variable(depth int) string {
	if depth == 1 {
		return "v"
	}
	return "v" + strconv.Itoa(depth)
}

// decodeScalar is the expression that reads a value of one token, or nil.
func decodeScalar(t *plan.Type) *jen.Statement {
	switch t.Kind {
	case plan.Text:
		return jen.Id("d.Text").Call(rules(t)...)
	case plan.Int:
		return jen.Id("d.Int").Call(append([]jen.Code{number(t.Min), number(t.Max)}, rules(t)...)...)
	case plan.Number:
		return jen.Id("d.Number").Call(rules(t)...)
	case plan.Bool:
		return jen.Id("d.Bool").Call()
	case plan.TextConst:
		return jen.Id("d.Enum").Call(jen.Lit(t.Const))
	case plan.BoolConst:
		return jen.Id("d.ConstBool").Call(jen.Id(t.Const))
	case plan.JSON:
		return jen.Id("d.JSON").Call()
	case plan.Time:
		return jen.Id("d.Time").Call(rules(t)...)
	case plan.TextEnum:
		return jen.Id(t.Enum.Name).Call(jen.Id("d.Enum").Call(membersOf(t.Enum)...))
	case plan.IntEnum:
		return jen.Id(t.Enum.Name).Call(jen.Id("d.IntEnum").Call(membersOf(t.Enum)...))
	}
	return nil
}
