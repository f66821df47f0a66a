package mcp

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/teaagent/teaagent/mcp/internal/lex"
)

// Encoder writes one JSON value. Generated results call its verbs with the
// rules of their spec: a result that breaks its own schema is not sent, since
// clients throw it away.
type Encoder struct {
	buf  []byte
	more bool   // a value precedes at this level: a comma is due
	key  string // the last key, for error texts
	err  error
	mask func(string) string // of secrets in texts; nil for none

	revision Revision // of who reads it: what it does not know is told in words
}

// Begin opens an object '{' or an array '['.
func (e *Encoder) Begin(bracket byte) {
	e.comma()
	e.buf = append(e.buf, bracket)
	e.more = false
}

// End closes an object '}' or an array ']'.
func (e *Encoder) End(bracket byte) {
	e.buf = append(e.buf, bracket)
	e.more = true
}

// Key writes a member's key; its value follows.
func (e *Encoder) Key(name string) {
	e.comma()
	e.buf = append(lex.AppendQuote(e.buf, name), ':')
	e.key = name
	e.more = false
}

// ExtraKey is Key for a member that the object does not declare.
func (e *Encoder) ExtraKey(name string, declared ...string) {
	e.Key(name)
	if slices.Contains(declared, name) {
		e.refuse("an extra key", "one that the object declares")
	}
}

// Items checks the number of an array's elements against the rule Items.
func (e *Encoder) Items(n int, rules ...Rule) {
	if want := checkItems(n, rules); want != "" {
		e.refuse(want, strconv.Itoa(n))
	}
}

// Text writes a string; bytes that are no UTF-8 become U+FFFD. It knows the
// rules Length and Format.
func (e *Encoder) Text(s string, rules ...Rule) {
	if want := checkText(s, rules); want != "" {
		e.refuse(want, strconv.Quote(e.brief(s)))
	}
	e.quote(s)
}

func (e *Encoder) quote(s string) {
	if e.mask != nil {
		s = e.mask(s)
	}
	e.comma()
	e.buf = lex.AppendQuote(e.buf, s)
	e.more = true
}

// bytes writes binary data in base64.
func (e *Encoder) bytes(data []byte) {
	if e.mask != nil {
		data = []byte(e.mask(string(data)))
	}
	e.comma()
	e.buf = append(e.buf, '"')
	e.buf = base64.StdEncoding.AppendEncode(e.buf, data)
	e.buf = append(e.buf, '"')
	e.more = true
}

// Int writes an integer from min to max. It knows the rule MultipleOf.
func (e *Encoder) Int(v, min, max int64, rules ...Rule) {
	if want := checkInt(v, min, max, rules); want != "" {
		e.refuse(want, strconv.FormatInt(v, 10))
	}
	e.comma()
	e.buf = strconv.AppendInt(e.buf, v, 10)
	e.more = true
}

// Number writes a number; JSON has none for NaN and the infinities. It knows
// the rules AtLeast, AtMost, Above, Below and MultipleOf.
func (e *Encoder) Number(v float64, rules ...Rule) {
	e.comma()
	e.more = true
	if math.IsNaN(v) || math.IsInf(v, 0) {
		e.refuse("a number that JSON can write", formatFloat(v))
		return
	}
	n := len(e.buf)
	e.buf = strconv.AppendFloat(e.buf, v, 'g', -1, 64)
	if len(rules) == 0 {
		return
	}
	if want := checkNumber(string(e.buf[n:]), v, rules); want != "" {
		e.refuse(want, string(e.buf[n:]))
	}
}

// Bool writes true or false.
func (e *Encoder) Bool(v bool) {
	e.comma()
	e.buf = strconv.AppendBool(e.buf, v)
	e.more = true
}

// ConstBool writes the one boolean that is allowed.
func (e *Encoder) ConstBool(v, want bool) {
	if v != want {
		e.refuse(strconv.FormatBool(want), strconv.FormatBool(v))
	}
	e.Bool(v)
}

// Variant writes the value of a oneOf; there has to be one.
func (e *Encoder) Variant(v Result) {
	if v == nil {
		e.refuse("one of its variants", "nil")
		return
	}
	v.EncodeJSON(e)
}

// Enum writes a string that is one of names.
func (e *Encoder) Enum(s string, names ...string) {
	for _, name := range names {
		if s == name {
			e.Text(s)
			return
		}
	}
	e.refuse("one of "+quoteAll(names), strconv.Quote(e.brief(s)))
}

// IntEnum writes an integer that is one of values.
func (e *Encoder) IntEnum(v int64, values ...int64) {
	for _, member := range values {
		if v == member {
			e.Int(v, minInt, maxInt)
			return
		}
	}
	e.refuse("one of "+intList(values), strconv.FormatInt(v, 10))
}

// Time writes a time with the format date-time.
func (e *Encoder) Time(t time.Time, rules ...Rule) {
	e.Text(t.Format(time.RFC3339Nano), rules...)
}

// Null writes null.
func (e *Encoder) Null() { e.raw([]byte("null")) }

// JSON writes a value that is JSON already; none is written as null.
func (e *Encoder) JSON(value JSON) {
	if len(value) == 0 {
		value = JSON("null")
	}
	if err := lex.Valid(value); err != nil {
		e.refuse("JSON", err.Error())
		return
	}
	if bytes.ContainsAny(value, "\r\n") { // a frame is one line
		var line bytes.Buffer
		json.Compact(&line, value) // it is valid: see above
		value = line.Bytes()
	}
	if e.mask != nil {
		value = maskJSON(value, e.mask)
	}
	e.raw(value)
}

// raw writes a value that is JSON already.
func (e *Encoder) raw(value []byte) {
	e.comma()
	e.buf = append(e.buf, value...)
	e.more = true
}

// source writes what is JSON already: a value, or members with their keys.
func (e *Encoder) source(source string) {
	e.comma()
	e.buf = append(e.buf, source...)
	e.more = true
}

// field writes a member with a text, unless the text is empty.
func (e *Encoder) field(name, s string) {
	if s != "" {
		e.Key(name)
		e.Text(s)
	}
}

// knows reports whether who reads it knows what came with a revision. Before
// initialize nobody has said.
func (e *Encoder) knows(r Revision) bool { return e.revision == Unnegotiated || e.revision >= r }

func (e *Encoder) comma() {
	if e.more {
		e.buf = append(e.buf, ',')
	}
}

// refuse notes the first reason for which the value can't be sent.
func (e *Encoder) refuse(want, got string) {
	if e.err == nil {
		e.err = fmt.Errorf("the result's %q is not %s but %s", e.key, want, got)
	}
}

// brief masks a text for an error, then cuts it.
func (e *Encoder) brief(s string) string {
	if e.mask != nil {
		s = e.mask(s)
	}
	return shorten(s)
}
