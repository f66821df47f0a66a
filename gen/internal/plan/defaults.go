package plan

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/teaagent/teaagent/gen/spec"
)

// literal turns a default, which loading has checked against its schema, into
// a Go value. It returns nil for what loading has refused.
func (s *scope) literal(t *Type, text string, pos spec.Pos) *Lit {
	switch t.Kind {
	case Text, TextConst:
		return &Lit{Type: t, Text: textOf(text)}
	case JSON:
		return &Lit{Type: t, Text: text}
	case Nullable:
		if text == "null" {
			return &Lit{Type: t}
		}
		return s.one(t, s.literal(t.Elem, text, pos))
	case OneOf:
		return s.unionLiteral(t, text, pos)
	case Map:
		return s.mapLiteral(t, text, pos)
	case Int:
		n, err := strconv.ParseInt(text, 10, 64)
		return valid(&Lit{Type: t, Go: strconv.FormatInt(n, 10)}, err == nil)
	case Number:
		_, err := strconv.ParseFloat(text, 64)
		return valid(&Lit{Type: t, Go: text}, err == nil)
	case Bool, BoolConst:
		return valid(&Lit{Type: t, Go: text}, text == "true" || text == "false")
	case Time:
		at, err := time.Parse(time.RFC3339Nano, textOf(text))
		if err != nil && !s.set.Misread(pos) {
			s.find(pos, "go-default", "Go has no time %s; write it with capital T and Z, without a leap second", text)
		}
		return valid(&Lit{Type: t, Time: at}, err == nil)
	case TextEnum, IntEnum:
		m := member(t.Enum, text)
		return valid(&Lit{Type: t, Go: m.Name}, slices.Contains(t.Enum.Members, m))
	case Array:
		return s.arrayLiteral(t, text, pos)
	}
	return s.objectLiteral(t, text, pos)
}

// IsZero reports whether the default is what a Go variable holds anyway.
func (l *Lit) IsZero() bool {
	switch l.Type.Kind {
	case Text:
		return l.Text == ""
	case Int, Number:
		n, _ := strconv.ParseFloat(l.Go, 64)
		return n == 0
	case Bool:
		return l.Go == "false"
	case Nullable:
		return len(l.Elems) == 0
	}
	return false
}

func valid(l *Lit, ok bool) *Lit {
	if !ok {
		return nil
	}
	return l
}

func (s *scope) arrayLiteral(t *Type, text string, pos spec.Pos) *Lit {
	var elems []json.RawMessage
	if json.Unmarshal([]byte(text), &elems) != nil {
		return nil
	}
	lit := &Lit{Type: t}
	for _, e := range elems {
		if l := s.literal(t.Elem, string(e), pos); l != nil {
			lit.Elems = append(lit.Elems, l)
		}
	}
	return lit
}

// objectLiteral takes the properties that the default has and, as decoding it
// would, the defaults of those it lacks.
func (s *scope) objectLiteral(t *Type, text string, pos spec.Pos) *Lit {
	var props map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &props) != nil {
		return nil
	}
	lit := &Lit{Type: t}
	for _, f := range t.Struct.Fields {
		l := f.Default
		if value, has := props[f.Key]; has {
			l = s.literal(f.Type, string(value), pos)
		}
		if l != nil {
			lit.Fields = append(lit.Fields, FieldLit{f, l})
		}
		delete(props, f.Key)
	}
	if tag := t.Struct.Tag; tag != nil {
		delete(props, tag.Key)
	}
	if t.Struct.Extra != nil && len(props) > 0 {
		lit.Fields = append(lit.Fields, FieldLit{&Field{Name: "Extra", Type: t.Struct.Extra}, s.entries(t.Struct.Extra, props, pos)})
	}
	return lit
}

// one wraps the only value of a Nullable or OneOf.
func (s *scope) one(t *Type, value *Lit) *Lit {
	if value == nil {
		return nil
	}
	return &Lit{Type: t, Elems: []*Lit{value}}
}

func (s *scope) mapLiteral(t *Type, text string, pos spec.Pos) *Lit {
	var props map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &props) != nil {
		return nil
	}
	return s.entries(t, props, pos)
}

func (s *scope) entries(t *Type, props map[string]json.RawMessage, pos spec.Pos) *Lit {
	lit := &Lit{Type: t}
	for _, key := range slices.Sorted(maps.Keys(props)) {
		if l := s.literal(t.Elem, string(props[key]), pos); l != nil {
			lit.Keys = append(lit.Keys, key)
			lit.Elems = append(lit.Elems, l)
		}
	}
	return lit
}

func (s *scope) unionLiteral(t *Type, text string, pos spec.Pos) *Lit {
	var props map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &props) != nil {
		return nil
	}
	for _, v := range t.Union.Variants {
		if textOf(string(props[t.Union.Key])) == v.Tag.Value {
			return s.one(t, s.objectLiteral(&Type{Kind: Object, Struct: v}, text, pos))
		}
	}
	return nil
}
