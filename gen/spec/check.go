package spec

import (
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// bound reads a number that limits s, in its source text.
func (r *reader) bound(s *Schema, f *fields, key string) Value[Literal] {
	n := f.get(key)
	if n == nil {
		return Value[Literal]{}
	}
	if !r.isNumberFor(s, n, key) {
		return Value[Literal]{}
	}
	if key == "multipleOf" && number(Literal(n.text)) <= 0 {
		r.misread(ruleBounds, n.pos, "multipleOf is above 0, not %s", quote(n.text))
		return Value[Literal]{}
	}
	return Value[Literal]{Literal(n.text), n.pos}
}

// isNumberFor reports what is not a number that s can hold.
func (r *reader) isNumberFor(s *Schema, n *node, what string) bool {
	switch {
	case n.kind != numberKind && n.kind != oddNumberKind:
		r.wants(n, what, "a number")
	case s.Type.V == "integer":
		_, ok := r.integer(n, what)
		return ok
	case n.kind == oddNumberKind:
		r.refuseOddNumbers(n)
	case math.IsInf(number(Literal(n.text)), 0):
		r.misread(ruleValue, n.pos, "%s does not fit a 64-bit float", quote(n.text))
	case !exact(n.text):
		r.misread(ruleValue, n.pos, "%s has more digits than a 64-bit float; write %s", quote(n.text), strconv.FormatFloat(number(Literal(n.text)), 'g', -1, 64))
	default:
		return true
	}
	return false
}

// exact reports whether a JSON number is the decimal that its float stands for:
// what generated code compares with is what the schema says.
func exact(text string) bool {
	f := number(Literal(text))
	if f == 0 {
		digits, _, _ := strings.Cut(strings.ToLower(text), "e")
		return strings.Trim(digits, "-0.") == ""
	}
	if math.IsInf(f, 0) || len(text) > 1000 {
		return false
	}
	x, okX := new(big.Rat).SetString(text)
	y, okY := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	return okX && okY && x.Cmp(y) == 0
}

// number is the value of a JSON number; infinite if it is out of range.
func number(l Literal) float64 {
	f, _ := strconv.ParseFloat(string(l), 64)
	return f
}

// contradictions reports bounds that leave nothing allowed, at the later one.
func (r *reader) contradictions(s *Schema) {
	if s.MaxLength.Set() && s.MaxLength.V >= 0 && s.MinLength.V > s.MaxLength.V {
		r.fault(ruleBounds, later(s.MinLength.Pos, s.MaxLength.Pos), "minLength %d is above maxLength %d", s.MinLength.V, s.MaxLength.V)
	}
	if s.MaxItems.Set() && s.MaxItems.V >= 0 && s.MinItems.V > s.MaxItems.V {
		r.fault(ruleBounds, later(s.MinItems.Pos, s.MaxItems.Pos), "minItems %d is above maxItems %d", s.MinItems.V, s.MaxItems.V)
	}
	at := Pos{}
	for _, b := range []Value[Literal]{s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum, s.MultipleOf} {
		if b.Set() {
			at = later(at, b.Pos)
		}
	}
	switch s.Type.V {
	case "integer":
		if lo, hi, ok := s.IntegerRange(); !ok {
			r.fault(ruleBounds, at, "these bounds leave no integer; mend them")
		} else if s.MultipleOf.Set() && !holdsMultiple(lo, hi, integer(s.MultipleOf.V)) {
			r.fault(ruleBounds, at, "these bounds leave no multiple of %s; mend them", s.MultipleOf.V)
		}
	case "number":
		lo, loOpen := limit(s.Minimum, s.ExclusiveMinimum, math.Inf(-1), func(a, b float64) bool { return a > b })
		hi, hiOpen := limit(s.Maximum, s.ExclusiveMaximum, math.Inf(1), func(a, b float64) bool { return a < b })
		if lo > hi || lo == hi && (loOpen || hiOpen) {
			r.fault(ruleBounds, at, "these bounds leave no number; mend them")
		}
	}
}

func later(a, b Pos) Pos {
	if a.Line > b.Line || a.Line == b.Line && a.Col > b.Col {
		return a
	}
	return b
}

// IntegerRange returns the least and the greatest integer that the bounds
// allow, those of 64 bits where nothing is written; false if there is none.
func (s *Schema) IntegerRange() (least, greatest int64, ok bool) {
	least, greatest, ok = math.MinInt64, math.MaxInt64, true
	if s.Minimum.Set() {
		least = integer(s.Minimum.V)
	}
	if s.Maximum.Set() {
		greatest = integer(s.Maximum.V)
	}
	if s.ExclusiveMinimum.Set() {
		above := integer(s.ExclusiveMinimum.V)
		if above == math.MaxInt64 {
			return 0, 0, false
		}
		least = max(least, above+1)
	}
	if s.ExclusiveMaximum.Set() {
		below := integer(s.ExclusiveMaximum.V)
		if below == math.MinInt64 {
			return 0, 0, false
		}
		greatest = min(greatest, below-1)
	}
	return least, greatest, least <= greatest
}

// integer is the value of a literal that was checked to be an integer.
func integer(l Literal) int64 {
	i, _ := strconv.ParseInt(string(l), 10, 64)
	return i
}

// holdsMultiple reports whether a multiple of m lies from lo to hi.
func holdsMultiple(lo, hi, m int64) bool {
	if lo <= 0 && hi >= 0 {
		return true
	}
	if lo > 0 {
		return hi/m*m >= lo
	}
	return lo/m*m <= hi
}

// limit returns the tighter of an inclusive and an exclusive bound, and
// whether it is exclusive.
func limit(inclusive, exclusive Value[Literal], none float64, tighter func(a, b float64) bool) (bound float64, open bool) {
	bound = none
	if inclusive.Set() {
		bound = number(inclusive.V)
	}
	if exclusive.Set() {
		if e := number(exclusive.V); !tighter(bound, e) {
			return e, true
		}
	}
	return bound, false
}

// members checks an enum: each member is a value of s, and no two are the same.
func (r *reader) members(s *Schema, members []*node) {
	if !slices.Contains(appliesTo["enum"], s.Type.V) {
		return // reported as misplaced, or without a type
	}
	seen := make(map[Literal]bool, len(members))
	for _, m := range members {
		l := m.literal()
		if seen[l] {
			r.fault(ruleValue, m.pos, "enum lists %s twice; remove one", l.shown())
			continue
		}
		seen[l] = true
		r.allows(s, m, "an enum member", ruleValue)
	}
	if len(members) > 0 {
		r.enums[s] = seen
	}
}

// allows reports, under the given rule, why n is not a value that s allows.
// Of formats it asserts what is cheap to.
func (r *reader) allows(s *Schema, n *node, what, rule string) {
	fault := func(format string, args ...any) { r.misread(rule, n.pos, format, args...) }
	if n.kind == refusedKind || n.kind == oddNumberKind && s.Type.V != "integer" {
		return // reported where it was read
	}
	if n.kind == nullKind && s.Nullable.V {
		return
	}
	wrong := func(wanted string) { fault("%s wants %s, not %s", what, wanted, n.kind) }
	if len(s.OneOf) > 0 {
		r.allowsVariant(s, n, what, rule)
		return
	}
	if s.Const.Set() && !s.isConst(n) {
		fault("%s is not %s, the const", what, s.Const.V.shown())
		return
	}
	switch s.Type.V {
	case "string":
		switch n.kind {
		case textKind:
			r.allowsText(s, n.text, what, fault)
		case boolKind, numberKind:
			fault("%s wants text, not %s; write %q in quotes", what, n.kind, n.text)
		default:
			wrong("text")
		}
	case "integer":
		if n.kind != numberKind && n.kind != oddNumberKind {
			wrong("a whole number")
		} else if i, ok := r.integer(n, what); ok {
			allowsInteger(s, i, what, fault)
		}
	case "number":
		if n.kind != numberKind {
			wrong("a number")
		} else if r.isNumberFor(s, n, what) {
			allowsNumber(s, Literal(n.text), what, fault)
		}
	case "boolean":
		if n.kind != boolKind {
			wrong("true or false")
		}
	case "array":
		if n.kind != listKind {
			wrong("a list")
		} else {
			r.allowsList(s, n, what, rule, fault)
		}
	case "object":
		if n.kind != mappingKind {
			wrong("a mapping")
		} else {
			r.allowsMapping(s, n, what, rule)
		}
	}
	if enum := r.enums[s]; enum != nil { // not yet set while its own members are checked
		if l := n.literal(); !enum[l] {
			fault("%s is %s, none of the enum", what, l.shown())
		}
	}
}

func (r *reader) allowsText(s *Schema, text, what string, fault func(string, ...any)) {
	switch n := utf8.RuneCountInString(text); {
	case n < s.MinLength.V:
		fault("%s is shorter than minLength %d", what, s.MinLength.V)
	case s.MaxLength.V >= 0 && n > s.MaxLength.V:
		fault("%s is longer than maxLength %d", what, s.MaxLength.V)
	case s.GoPattern != "" && !matches(s.GoPattern, text):
		fault("%s is %s, which does not match pattern %s", what, quote(text), s.Pattern.V)
	case s.Format.V != "" && !hasFormat(text, s.Format.V):
		fault("%s is %s, not of format %s", what, quote(text), s.Format.V)
	}
}

// matches reports whether re, in Go's syntax, matches somewhere in text.
func matches(re, text string) bool {
	compiled, err := regexp.Compile(re)
	return err == nil && compiled.MatchString(text)
}

// isConst reports whether n is the const of s; 1.0 is 1.
func (s *Schema) isConst(n *node) bool {
	if n.kind == numberKind && s.Type.V == "number" {
		return number(Literal(n.text)) == number(s.Const.V) && exact(n.text)
	}
	return n.literal() == s.Const.V
}

func allowsInteger(s *Schema, i int64, what string, fault func(string, ...any)) {
	lo, hi, ok := s.IntegerRange()
	switch {
	case !ok: // reported as a contradiction
	case i < lo:
		fault("%s is %d, below the least value %d", what, i, lo)
	case i > hi:
		fault("%s is %d, above the greatest value %d", what, i, hi)
	case s.MultipleOf.Set() && i%integer(s.MultipleOf.V) != 0:
		fault("%s is %d, not a multiple of %s", what, i, s.MultipleOf.V)
	}
}

func allowsNumber(s *Schema, l Literal, what string, fault func(string, ...any)) {
	f := number(l)
	switch {
	case s.Minimum.Set() && f < number(s.Minimum.V):
		fault("%s is %s, below minimum %s", what, l, s.Minimum.V)
	case s.ExclusiveMinimum.Set() && f <= number(s.ExclusiveMinimum.V):
		fault("%s is %s, not above exclusiveMinimum %s", what, l, s.ExclusiveMinimum.V)
	case s.Maximum.Set() && f > number(s.Maximum.V):
		fault("%s is %s, above maximum %s", what, l, s.Maximum.V)
	case s.ExclusiveMaximum.Set() && f >= number(s.ExclusiveMaximum.V):
		fault("%s is %s, not below exclusiveMaximum %s", what, l, s.ExclusiveMaximum.V)
	case s.MultipleOf.Set() && !isMultiple(l, s.MultipleOf.V):
		fault("%s is %s, not a multiple of %s", what, l, s.MultipleOf.V)
	}
}

// isMultiple reports whether l is a multiple of m, exactly as written: 0.3 is
// one of 0.1, though the floats are not.
func isMultiple(l, m Literal) bool {
	if f := number(l); f == 0 || math.Abs(f) < 1e-300 || number(m) < 1e-300 {
		return true // too small to be exact about at a bounded cost
	}
	x, okX := new(big.Rat).SetString(string(l))
	y, okY := new(big.Rat).SetString(string(m))
	return !okX || !okY || x.Quo(x, y).IsInt()
}

func (r *reader) allowsList(s *Schema, n *node, what, rule string, fault func(string, ...any)) {
	switch {
	case len(n.items) < s.MinItems.V:
		fault("%s has fewer items than minItems %d", what, s.MinItems.V)
	case s.MaxItems.V >= 0 && len(n.items) > s.MaxItems.V:
		fault("%s has more items than maxItems %d", what, s.MaxItems.V)
	}
	seen := make(map[Literal]bool)
	for _, item := range n.items {
		if s.UniqueItems.V {
			l := item.literal()
			if seen[l] {
				r.misread(rule, item.pos, "%s says %s twice, against uniqueItems", what, l.shown())
			}
			seen[l] = true
		}
		if s.Items != nil {
			r.allows(s.Items, item, "an item of "+what, rule)
		}
	}
}

func (r *reader) allowsMapping(s *Schema, n *node, what, rule string) {
	written := make(map[string]bool, len(n.pairs))
	for _, p := range n.pairs {
		written[p.key.text] = true
	}
	declared := make(map[string]*Schema, len(s.Properties))
	var names []string
	for _, p := range s.Properties {
		declared[p.Name.V] = p
		names = append(names, p.Name.V)
		if p.Required.V && !written[p.Name.V] {
			r.misread(rule, n.pos, "%s lacks %s, which is required", what, quote(p.Name.V))
		}
	}
	for _, p := range n.pairs {
		property := declared[p.key.text]
		switch {
		case property != nil:
			r.allows(property, p.value, p.key.text+" in "+what, rule)
		case s.Extra != nil:
			r.allows(s.Extra, p.value, quote(p.key.text)+" in "+what, rule)
		case s.Open.V:
			r.refuseOddNumbers(p.value)
		case r.full():
		default:
			advice := "remove it"
			if near := Nearest(p.key.text, names); near != "" {
				advice = "write " + quote(near)
			}
			r.misread(rule, p.key.pos, "%s has %s, which is not declared; %s", what, quote(p.key.text), advice)
		}
	}
}
