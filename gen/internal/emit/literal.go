package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/teaagent/teaagent/gen/internal/plan"
)

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
	case plan.Text, plan.TextConst:
		return jen.Lit(l.Text)
	case plan.JSON:
		return rt("JSON").Parens(jen.Lit(l.Text))
	case plan.OneOf:
		return literal(l.Elems[0], false)
	case plan.Nullable:
		if len(l.Elems) == 0 {
			return goType(l.Type).Values()
		}
		return wrapped("NotNull", l.Elems[0])
	case plan.Map:
		entries := make([]jen.Code, len(l.Keys))
		for i, key := range l.Keys {
			entries[i] = jen.Lit(key).Op(":").Add(literal(l.Elems[i], true))
		}
		return typed().Values(entries...)
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
				value = wrapped("Some", f.Lit)
			}
			return jen.Id(f.Field.Name).Op(":").Add(value)
		})...)
	}
	return jen.Id(l.Go)
}

// wrapped is a call of Some or NotNull. Its type is written where Go would take
// another one: int for 1, the variant for its interface.
func wrapped(name string, l *plan.Lit) *jen.Statement {
	call := rt(name)
	if k := l.Type.Kind; k == plan.Int || k == plan.Number || k == plan.OneOf {
		call.Types(goType(l.Type))
	}
	return call.Call(literal(l, false))
}
