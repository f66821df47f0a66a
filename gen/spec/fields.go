package spec

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// reader walks nodes into the model. It reports every fault and reads on with
// what was most likely meant, so that one run shows them all.
type reader struct {
	set     *Set
	*faults                              // of the file being read
	enums   map[*Schema]map[Literal]bool // the members of each enum
	types   map[string]*declaration      // by name
	filed   map[string]*faults           // of each file
	inlined int                          // how many schemas $refs have brought
}

// faults collects the findings of one file.
type faults struct {
	findings []Finding
}

// maxFindings bounds what one hostile file can make us print.
const maxFindings = 1000

func (f *faults) fault(rule string, at Pos, format string, args ...any) {
	switch n := len(f.findings) + 1; {
	case n < maxFindings:
		f.findings = append(f.findings, finding(rule, at, format, args...))
	case n == maxFindings:
		f.findings = append(f.findings, finding(ruleLimit, at, "more than %d faults in this file; the rest is not shown", maxFindings-1))
	}
}

// full reports whether further faults will not be shown.
func (f *faults) full() bool { return len(f.findings) >= maxFindings }

// misread reports a fault of the value at a place, which no rule judges again.
func (r *reader) misread(rule string, at Pos, format string, args ...any) {
	r.set.misread[placeOf(at)] = true
	r.fault(rule, at, format, args...)
}

// wants reports a value of the wrong kind.
func (r *reader) wants(n *node, what, wanted string) {
	if n.kind != refusedKind {
		r.misread(ruleType, n.pos, "%s wants %s, not %s", what, wanted, n.kind)
	}
}

// fields hands out the values of one mapping by key. The keys it is asked for
// are those the mapping may have; close reports the others.
type fields struct {
	r     *reader
	what  string // the mapping's name in messages: `tool "x"`
	at    Pos
	pairs []pair
	known []string
}

// fields opens a mapping; nil, after reporting it, if the node is none.
func (r *reader) fields(n *node, what string) *fields {
	if n.kind != mappingKind {
		r.wants(n, what, "a mapping")
		return nil
	}
	return &fields{r: r, what: what, at: n.pos, pairs: n.pairs, known: make([]string, 0, 24)}
}

// get returns the value of a key, or nil if there is none to read.
func (f *fields) get(key string) *node {
	f.known = append(f.known, key)
	for _, p := range f.pairs {
		if p.key.text != key {
			continue
		}
		switch p.value.kind {
		case refusedKind:
			f.r.set.misread[placeOf(p.value.pos)] = true
			return nil
		case nullKind:
			f.r.misread(ruleType, p.value.pos, "%s has no value; write one, or remove the key", key)
			return nil
		}
		return p.value
	}
	return nil
}

// has reports whether the key is written, whatever its value.
func (f *fields) has(key string) bool { return f.pos(key).Line > 0 }

// pos returns where the key's value is written, if it is.
func (f *fields) pos(key string) Pos {
	for _, p := range f.pairs {
		if p.key.text == key {
			return p.value.pos
		}
	}
	return Pos{}
}

// need reports a missing key at the mapping itself.
func (f *fields) need(key, advice string) {
	if !f.has(key) {
		f.r.fault(ruleMissing, f.at, "%s has no %s; %s", f.what, key, advice)
	}
}

// close reports the keys that were not asked for. The unsupported ones belong
// to the spec language, but not yet to this version.
func (f *fields) close(unsupported ...string) {
	for _, p := range f.pairs {
		key := p.key.text
		switch {
		case slices.Contains(f.known, key), f.r.full():
		case slices.Contains(unsupported, key):
			f.r.fault(ruleUnsupported, p.key.pos, "%s is not supported by this version; remove it", key)
		case p.value.kind == nullKind && strings.Contains(key, " "):
			f.r.fault(ruleUnknownKey, p.key.pos, "%s has no key %s; if this is the rest of a text, put the text in quotes", f.what, quote(key))
		default:
			if near := Nearest(key, f.known); near != "" {
				f.r.fault(ruleUnknownKey, p.key.pos, "%s has no key %s; write %q", f.what, quote(key), near)
			} else {
				f.r.fault(ruleUnknownKey, p.key.pos, "%s has no key %s; it has %s", f.what, quote(key), strings.Join(f.known, ", "))
			}
		}
	}
}

// text reads a text. A number or boolean counts as the text it is written as,
// for the rules to come, but is reported.
func (f *fields) text(key string) Value[string] {
	n := f.get(key)
	if n == nil {
		return Value[string]{Pos: f.pos(key)}
	}
	return Value[string]{f.r.text(n, key), n.pos}
}

func (r *reader) text(n *node, what string) string {
	switch n.kind {
	case textKind:
	case boolKind, numberKind, oddNumberKind:
		r.misread(ruleType, n.pos, "%s wants text, not %s; write %q in quotes", what, n.kind, n.text)
	default:
		r.wants(n, what, "text")
	}
	return n.text
}

// flag reads a boolean, def if it is absent.
func (f *fields) flag(key string, def bool) Value[bool] {
	n := f.get(key)
	if n == nil {
		return Value[bool]{V: def}
	}
	out := Value[bool]{def, n.pos}
	switch n.kind {
	case boolKind:
		out.V = n.text == "true"
	case textKind:
		switch strings.ToLower(n.text) {
		case "yes", "on", "y", "true":
			out.V = true
			f.r.misread(ruleType, n.pos, "%s wants true or false, not %q; write true", key, n.text)
		case "no", "off", "n", "false":
			out.V = false
			f.r.misread(ruleType, n.pos, "%s wants true or false, not %q; write false", key, n.text)
		default:
			f.r.misread(ruleType, n.pos, "%s wants true or false, not %s", key, quote(n.text))
		}
	default:
		f.r.wants(n, key, "true or false")
	}
	return out
}

// count reads a whole number of at least least, def if it is absent or wrong.
func (f *fields) count(key string, least, def int) Value[int] {
	n := f.get(key)
	if n == nil {
		return Value[int]{V: def}
	}
	out := Value[int]{def, n.pos}
	if n.kind != numberKind && n.kind != oddNumberKind {
		f.r.wants(n, key, "a whole number")
		return out
	}
	i, ok := f.r.integer(n, key)
	if !ok {
		return out
	}
	if i < int64(least) || i > math.MaxInt32 {
		f.r.misread(ruleValue, n.pos, "%s is from %d to %d, not %s", key, least, math.MaxInt32, n.text)
		return out
	}
	out.V = int(i)
	return out
}

// integer returns the value of a number that must be a 64-bit integer in plain
// digits. JSON's 1.0 and 1e2 are integers too, but a spec says them plainly.
func (r *reader) integer(n *node, what string) (int64, bool) {
	i, err := strconv.ParseInt(n.text, 10, 64)
	if err == nil && n.text == strconv.FormatInt(i, 10) {
		return i, true
	}
	if plain, ok := plainInteger(n.text); ok {
		r.misread(ruleType, n.pos, "%s wants a whole number in plain digits, not %s; write %s", what, quote(n.text), plain)
	} else if n.kind == numberKind && strings.Trim(n.text, "-0123456789") == "" {
		r.misread(ruleValue, n.pos, "%s wants a whole number of 64 bits; %s does not fit", what, quote(n.text))
	} else {
		r.misread(ruleType, n.pos, "%s wants a whole number in plain digits, not %s", what, quote(n.text))
	}
	return 0, false
}

// plainInteger returns the digits of an integer written otherwise: 0x10, 1_000,
// 1e3. What 0777 means depends on the version of YAML.
func plainInteger(text string) (string, bool) {
	digits := strings.TrimLeft(text, "+-")
	if len(digits) > 1 && digits[0] == '0' && '0' <= digits[1] && digits[1] <= '9' {
		return "", false
	}
	if i, err := strconv.ParseInt(text, 0, 64); err == nil {
		return strconv.FormatInt(i, 10), true
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return strconv.FormatInt(int64(f), 10), true
	}
	return "", false
}

// oneOf reads one of a few words, def if it is absent; a wrong one counts as
// its nearest neighbour.
func (f *fields) oneOf(key, def string, words ...string) Value[string] {
	n := f.get(key)
	if n == nil {
		return Value[string]{V: def}
	}
	out := Value[string]{def, n.pos}
	switch {
	case n.kind != textKind:
		f.r.wants(n, key, "one of "+strings.Join(words, ", "))
	case slices.Contains(words, n.text):
		out.V = n.text
	default:
		if near := Nearest(n.text, words); near != "" {
			out.V = near
			f.r.misread(ruleValue, n.pos, "%s is one of %s, not %s; write %s", key, strings.Join(words, ", "), quote(n.text), near)
		} else {
			f.r.misread(ruleValue, n.pos, "%s is one of %s, not %s", key, strings.Join(words, ", "), quote(n.text))
		}
	}
	return out
}

// list calls item with each value of a list; it reports whether there is one.
func (f *fields) list(key, wanted string, item func(*node)) bool {
	n := f.get(key)
	if n == nil {
		return false
	}
	if n.kind != listKind {
		f.r.wants(n, key, wanted)
		return false
	}
	for _, i := range n.items {
		if i.kind == nullKind {
			f.r.fault(ruleType, i.pos, "an item of %s has no value; write one, or remove it", key)
		} else if i.kind != refusedKind {
			item(i)
		}
	}
	return true
}

// mapping calls entry with each pair of a mapping; it reports whether there is one.
func (f *fields) mapping(key, wanted string, entry func(name Value[string], n *node)) bool {
	n := f.get(key)
	if n == nil {
		return false
	}
	if n.kind != mappingKind {
		f.r.wants(n, key, wanted)
		return false
	}
	for _, p := range n.pairs {
		if p.value.kind == nullKind {
			f.r.fault(ruleType, p.value.pos, "%s in %s has no value; write one, or remove it", quote(p.key.text), key)
		} else if p.value.kind != refusedKind {
			entry(Value[string]{p.key.text, p.key.pos}, p.value)
		}
	}
	return true
}

// literal reads a JSON value; YAML's own ways to write numbers are reported
// wherever they stand in it.
func (r *reader) literal(n *node) Value[Literal] {
	r.refuseOddNumbers(n)
	return Value[Literal]{n.literal(), n.pos}
}

func (r *reader) refuseOddNumbers(n *node) {
	if n.kind == oddNumberKind {
		if plain, ok := plainInteger(n.text); ok {
			r.misread(ruleType, n.pos, "%s is not how JSON writes a number; write %s, or put it in quotes if it is text", quote(n.text), plain)
		} else {
			r.misread(ruleType, n.pos, "%s is not how JSON writes a number; put it in quotes if it is text", quote(n.text))
		}
	}
	for _, i := range n.items {
		r.refuseOddNumbers(i)
	}
	for _, p := range n.pairs {
		r.refuseOddNumbers(p.value)
	}
}
