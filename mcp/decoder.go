package mcp

import (
	"strconv"
	"time"

	"github.com/teaagent/teaagent/mcp/internal/lex"
)

// Keys are the keys of one object, in the order of its spec.
type Keys []Key

// Key is a key that an object may have, or must have if Required.
type Key struct {
	Name     string
	Required bool
	Path     string // of role: path, what its absence means: grants look at it
}

// Decoder reads the arguments of one call from its request's bytes and checks
// them against the rules that generated code passes to its verbs. It goes on
// after a violation, so that all of them are reported, each once.
//
//	for d.Next(keys) {        enters the object, then stops at each known key
//		switch d.Key() {      …whose value exactly one verb consumes:
//		case "path":
//			a.Path = d.Text(…)
//		case "tags":
//			for d.Elem(…) {   enters the array, then stops at each element
//			}
//		case "filter":
//			a.Filter.decodeArgs(d)   another loop over Next
//		}
//	}
type Decoder struct {
	lex     lex.Lexer
	src     []byte
	frames  []frame
	room    [4]frame // frames of ordinary arguments need no allocation
	pending bool     // a value comes next; no verb has consumed it
	guard   guard    // what else the outermost object takes

	confirm    bool
	dryRun     bool
	paths      []string   // values of role: path
	commands   [][]string // words of role: command; a text that is no element of an array is one
	secrets    []string   // values of secret args
	hidden     [][2]int   // where they are in src
	known      *Secrets   // masked in what a violation shows
	violations []Violation
	count      int // of violations, also of those beyond maxViolations
}

// reset makes the decoder read the arguments of another call. The reader has
// one for all calls that it runs itself: a call that touches a kilobyte less of
// fresh memory took 17 µs instead of 30, most of it page faults.
func (d *Decoder) reset(args []byte, g guard, known *Secrets) {
	l := &d.lex
	*d = Decoder{lex: *l, src: args, pending: true, guard: g, known: known}
	d.lex.Reset(args)
	d.frames = d.room[:0]
}

// Next enters the object that comes next, or goes on in the one entered, and
// stops at the next of its keys. It returns false at the object's end, having
// reported unknown keys and missing ones.
func (d *Decoder) Next(keys Keys) bool { return d.next(keys, false) }

// Entry is Next for an object that may have other keys than those of keys: it
// stops at them too.
func (d *Decoder) Entry(keys Keys) bool { return d.next(keys, true) }

func (d *Decoder) next(keys Keys, open bool) bool {
	if d.pending {
		if d.lex.Kind() != '{' {
			d.mismatch("an object", false)
			return false
		}
		d.pending = false
		d.lex.Enter()
		d.frames = append(d.frames, frame{keys: keys, index: -1})
	}
	f := d.top()
	for d.lex.More() {
		name := d.lex.Key()
		i := f.find(name)
		if i < 0 {
			if len(d.frames) == 1 && d.guardKey(name) {
				continue
			}
			if open {
				f.index, f.other = -1, string(name)
				d.pending = true
				return true
			}
			d.unknown(string(name), keys)
			continue
		}
		f.index = i
		f.mark(i)
		d.pending = true
		return true
	}
	for i, k := range keys {
		if k.Required && !f.has(i) {
			f.index = i
			d.violate("required, but missing", "")
		}
		if k.Path != "" && !f.has(i) {
			d.paths = append(d.paths, k.Path)
		}
	}
	d.frames = d.frames[:len(d.frames)-1]
	return false
}

// Key returns the key that Next or Entry stopped at.
func (d *Decoder) Key() string { return d.top().key() }

// Elem enters the array that comes next, or goes on in the one entered, and
// stops at its next element. It knows the rules Items and Unique.
func (d *Decoder) Elem(rules ...Rule) bool {
	if d.pending {
		if d.lex.Kind() != '[' {
			d.mismatch("an array", false)
			return false
		}
		d.pending = false
		d.lex.Enter()
		d.frames = append(d.frames, frame{array: true, index: -1})
	}
	f := d.top()
	unique := has(rules, ruleUnique)
	if unique && f.index >= 0 {
		f.remember(d.src[f.start:d.lex.Offset()])
	}
	if d.lex.More() {
		f.index++
		f.start = d.lex.Offset()
		d.pending = true
		return true
	}
	n, twice := f.index+1, f.twice
	d.frames = d.frames[:len(d.frames)-1]
	if want := checkItems(n, rules); want != "" {
		d.violate(want, strconv.Itoa(n))
	}
	if twice {
		d.violate("an array without equal items", "two that are equal")
	}
	return false
}

// Text reads a string. It knows the rules Length, Format, RolePath,
// RoleCommand and Secret.
func (d *Decoder) Text(rules ...Rule) string {
	secret := has(rules, ruleSecret)
	kind, start := d.lex.Kind(), d.lex.Offset()
	if kind != '"' {
		d.mismatch("a string", secret)
		if secret {
			d.hidden = append(d.hidden, [2]int{start, d.lex.Offset()})
		}
		return ""
	}
	d.pending = false
	s := string(d.lex.String())
	if want := checkText(s, rules); want != "" {
		d.violate(want, d.lastText(secret))
	}
	for i := range rules {
		switch rules[i].kind {
		case rulePath:
			d.paths = append(d.paths, s)
		case ruleCommand:
			d.addWord(s)
		case ruleSecret:
			d.secrets = append(d.secrets, s)
			d.hidden = append(d.hidden, [2]int{start, d.lex.Offset()})
		}
	}
	return s
}

// addWord notes a word of a command: an array's elements are one command.
func (d *Decoder) addWord(s string) {
	if n := len(d.commands); n > 0 && len(d.frames) > 0 && d.top().array && d.top().index > 0 {
		d.commands[n-1] = append(d.commands[n-1], s)
		return
	}
	d.commands = append(d.commands, []string{s})
}

// Int reads an integer from min to max. 1.0 and 1e2 are integers. It knows the
// rule MultipleOf.
func (d *Decoder) Int(min, max int64, rules ...Rule) int64 {
	if d.lex.Kind() != '0' {
		d.mismatch(wantInt(min, max), false)
		return 0
	}
	d.pending = false
	v, integral, fits := lex.ParseInt(d.lex.Number())
	want := ""
	if !integral || !fits {
		want = wantInt(min, max)
	} else {
		want = checkInt(v, min, max, rules)
	}
	if want != "" {
		d.violate(want, d.lastText(false))
	}
	return v
}

// Number reads a number as a double. One beyond all doubles is a violation. It
// knows the rules AtLeast, AtMost, Above, Below and MultipleOf.
func (d *Decoder) Number(rules ...Rule) float64 {
	if d.lex.Kind() != '0' {
		d.mismatch("a number", false)
		return 0
	}
	d.pending = false
	text := string(d.lex.Number())
	v, err := strconv.ParseFloat(text, 64)
	want := ""
	if err != nil {
		want = "a number that a double can hold"
	} else {
		want = checkNumber(text, v, rules)
	}
	if want != "" {
		d.violate(want, d.lastText(false))
	}
	return v
}

// Bool reads true or false.
func (d *Decoder) Bool() bool {
	if k := d.lex.Kind(); k != 't' && k != 'f' {
		d.mismatch("true or false", false)
		return false
	}
	d.pending = false
	return d.lex.Bool()
}

// ConstBool reads the one boolean that is allowed.
func (d *Decoder) ConstBool(want bool) bool {
	if k := d.lex.Kind(); k != 't' && k != 'f' {
		d.mismatch(strconv.FormatBool(want), false)
		return want
	}
	d.pending = false
	if d.lex.Bool() != want {
		d.violate(strconv.FormatBool(want), d.lastText(false))
	}
	return want
}

// Enum reads a string that is one of names.
func (d *Decoder) Enum(names ...string) string {
	if d.lex.Kind() != '"' {
		d.mismatch("one of "+quoteAll(names), false)
		return ""
	}
	d.pending = false
	s := d.lex.String()
	for _, name := range names {
		if string(s) == name {
			return name
		}
	}
	came := d.lastText(false)
	if near := nearest(string(s), names); near != "" {
		came += "; did you mean " + strconv.Quote(near) + "?"
	}
	d.violate("one of "+quoteAll(names), came)
	return ""
}

// IntEnum reads an integer that is one of values.
func (d *Decoder) IntEnum(values ...int64) int64 {
	if d.lex.Kind() == '0' {
		d.pending = false
		v, integral, fits := lex.ParseInt(d.lex.Number())
		for _, member := range values {
			if integral && fits && v == member {
				return v
			}
		}
		d.violate("one of "+intList(values), d.lastText(false))
		return 0
	}
	d.mismatch("one of "+intList(values), false)
	return 0
}

// Time reads a string with the format date-time (RFC 3339). A leap second is
// the first instant of the next minute.
func (d *Decoder) Time(rules ...Rule) time.Time {
	if d.lex.Kind() != '"' {
		d.mismatch("a string with the format date-time", false)
		return time.Time{}
	}
	d.pending = false
	s := string(d.lex.String())
	t, ok := parseDateTime(s)
	want := checkText(s, rules)
	if !ok {
		want = "a string with the format date-time"
	}
	if want != "" {
		d.violate(want, d.lastText(false))
	}
	return t
}
