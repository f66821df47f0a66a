package emit

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"github.com/teaagent/teaagent/gen/internal/plan"
)

// structure writes one struct with what decodes it, or encodes it.
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
	})
	f.Line()
	if s.Encode {
		encoder(f, s)
	} else {
		decoder(f, s)
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
	case plan.Bool:
		return jen.Bool()
	case plan.Time:
		return jen.Qual("time", "Time")
	case plan.TextEnum, plan.IntEnum:
		return jen.Id(t.Enum.Name)
	case plan.Array:
		return jen.Index().Add(goType(t.Elem))
	case plan.Object:
		return jen.Id(t.Struct.Name)
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

// keysPerLine is how many keys read well in one line.
const keysPerLine = 8

func decoder(f *jen.File, s *plan.Struct) {
	keys := jen.Nil()
	if s.Keys != "" {
		keys = jen.Id(s.Keys)
		values := each(s.Fields, func(field *plan.Field) jen.Code {
			var m members
			m.text("Name", field.Key)
			m.flag("Required", field.Required)
			return jen.Values(m...)
		})
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
		next := g.For(jen.Id("d.Next").Call(keys))
		if len(s.Fields) == 0 {
			next.Block(jen.Comment("Next has reported the key: there is none to read."))
			return
		}
		next.Block(jen.Switch(jen.Id("d.Key").Call()).BlockFunc(func(g *jen.Group) {
			for _, field := range s.Fields {
				g.Case(jen.Lit(field.Key)).BlockFunc(func(g *jen.Group) { decodeField(g, field) })
			}
		}))
	})
}

// defaults sets what absent keys leave as it is. Zero values need no setting.
func defaults(g *jen.Group, s *plan.Struct) {
	var m members
	short := true
	for _, field := range s.Fields {
		if field.Default != nil && !field.Default.IsZero() {
			m.set(field.Name, literal(field.Default, false))
			short = short && len(m) <= 3 && field.Type.Kind != plan.Array && field.Type.Kind != plan.Object
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
	g.Var().Id("v").Add(goType(f.Type))
	decodeInto(g, "v", f.Type, 2)
	g.Id(target).Op("=").Add(optional(f, jen.Id("v")))
}

func optional(f *plan.Field, value *jen.Statement) *jen.Statement {
	if f.Optional {
		return rt("Some").Call(value)
	}
	return value
}

// decodeInto reads an array or an object. depth numbers the variables of
// arrays in arrays.
func decodeInto(g *jen.Group, target string, t *plan.Type, depth int) {
	if t.Kind == plan.Object {
		g.Id(target + ".decodeArgs").Call(jen.Id("d"))
		return
	}
	g.For(jen.Id("d.Elem").Call(rules(t)...)).BlockFunc(func(g *jen.Group) {
		elem := decodeScalar(t.Elem)
		if elem == nil {
			v := variable(depth)
			g.Var().Id(v).Add(goType(t.Elem))
			decodeInto(g, v, t.Elem, depth+1)
			elem = jen.Id(v)
		}
		g.Id(target).Op("=").Append(jen.Id(target), elem)
	})
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
	case plan.Time:
		return jen.Id("d.Time").Call(rules(t)...)
	case plan.TextEnum:
		return jen.Id(t.Enum.Name).Call(jen.Id("d.Enum").Call(membersOf(t.Enum)...))
	case plan.IntEnum:
		return jen.Id(t.Enum.Name).Call(jen.Id("d.IntEnum").Call(membersOf(t.Enum)...))
	}
	return nil
}

// literal is a default as Go source. An element leaves its type to the array
// around it.
func literal(l *plan.Lit, element bool) *jen.Statement {
	typed := func() *jen.Statement {
		if element {
			return jen.Null()
		}
		return goType(l.Type)
	}
	switch l.Type.Kind {
	case plan.Text:
		return jen.Lit(l.Text)
	case plan.Time:
		t := l.Time
		zone := jen.Qual("time", "UTC")
		if _, offset := t.Zone(); offset != 0 {
			zone = jen.Qual("time", "FixedZone").Call(jen.Lit(""), jen.Lit(offset))
		}
		return jen.Qual("time", "Date").Call(jen.Lit(t.Year()), jen.Lit(int(t.Month())), jen.Lit(t.Day()),
			jen.Lit(t.Hour()), jen.Lit(t.Minute()), jen.Lit(t.Second()), jen.Lit(t.Nanosecond()), zone)
	case plan.Array:
		return typed().Values(each(l.Elems, func(e *plan.Lit) jen.Code { return literal(e, true) })...)
	case plan.Object:
		return typed().Values(each(l.Fields, func(f plan.FieldLit) jen.Code {
			value := literal(f.Lit, false)
			if f.Field.Optional {
				some := rt("Some")
				if k := f.Field.Type.Kind; k == plan.Int || k == plan.Number {
					some.Types(goType(f.Field.Type)) // else Go takes 1 for an int
				}
				value = some.Call(value)
			}
			return jen.Id(f.Field.Name).Op(":").Add(value)
		})...)
	}
	return jen.Id(l.Go)
}

func encoder(f *jen.File, s *plan.Struct) {
	f.Comment("EncodeJSON writes the result as its schema says.")
	f.Func().Params(jen.Id("r").Id(s.Name)).Id("EncodeJSON").Params(
		jen.Id("e").Op("*").Add(rt("Encoder")),
	).BlockFunc(func(g *jen.Group) {
		g.Id("e.Begin").Call(jen.LitRune('{'))
		for _, field := range s.Fields {
			source := "r." + field.Name
			if !field.Optional {
				g.Id("e.Key").Call(jen.Lit(field.Key))
				encode(g, source, field.Type, 1)
				continue
			}
			g.If(jen.List(jen.Id("v"), jen.Id("ok")).Op(":=").Id(source+".Get").Call(), jen.Id("ok")).BlockFunc(func(g *jen.Group) {
				g.Id("e.Key").Call(jen.Lit(field.Key))
				encode(g, "v", field.Type, 2)
			})
		}
		g.Id("e.End").Call(jen.LitRune('}'))
	})
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
