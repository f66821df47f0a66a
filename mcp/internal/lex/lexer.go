// Package lex reads and quotes JSON, strictly: the grammar of RFC 8259 and
// nothing beside it, valid UTF-8, no lone surrogates, no key twice in one
// object, no more than MaxDepth levels. Everything that the server decodes
// goes through it.
//
// A reader walks a text in its own order:
//
//	Kind                         what comes next
//	String | Number | Bool | Null | Skip
//	Enter
//	    More ─▶ Key ─▶ value     a member of an object, until More is false
//	    More ─▶ value            an element of an array, until More is false
//	End                          only white space may be left
//
// The first error ends it: after that every call returns its zero value, so a
// reader may check once, at the End.
package lex

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// MaxDepth is how many objects and arrays may be open at once.
const MaxDepth = 64

// keepBuffers is the longest text after which a lexer that is Reset keeps its
// buffers. They grow with the text, and what one large text needed should not
// stay for as long as the lexer does.
const keepBuffers = 64 << 10

// A Kind says what a value is, by the byte it starts with: '{' object,
// '[' array, '"' string, '0' number, 't' true, 'f' false, 'n' null, 0 none.
type Kind byte

var kinds = [256]Kind{
	'{': '{', '[': '[', '"': '"', 't': 't', 'f': 'f', 'n': 'n', '-': '0',
	'0': '0', '1': '0', '2': '0', '3': '0', '4': '0',
	'5': '0', '6': '0', '7': '0', '8': '0', '9': '0',
}

// state is what the grammar allows next. Every call checks it, so a reader
// that calls out of turn gets an error, and never takes for JSON what is none.
type state byte

const (
	failed   state = iota // an error came, or there was no Reset
	valueDue              // at the start, after Key, after More in an array
	keyDue                // after More in an object
	opened                // after Enter
	closed                // after a value
)

// A Lexer reads one JSON text. Call Reset first. It holds no pointers into
// itself, so it may be a field of another struct, and it needs no memory
// beside its own unless strings have escapes or objects have many keys.
type Lexer struct {
	src   []byte
	pos   int
	state state
	err   *Error

	start   int    // of the value that comes next
	raw     []byte // the last value read
	scratch []byte // the last key or string that had escapes

	depth   int
	closers [MaxDepth]byte // the closing bracket of each open container
	keys    keyStack
}

// An Error says what is wrong with a text, and where.
type Error struct {
	Offset int // in bytes from the start of the text
	Msg    string
}

func (e *Error) Error() string {
	return "invalid JSON at byte " + strconv.Itoa(e.Offset) + ": " + e.Msg
}

// Valid returns nil if src is one JSON text, and else what is wrong with it.
func Valid(src []byte) error {
	var l Lexer
	l.Reset(src)
	l.Skip()
	return l.End()
}

// Reset makes the lexer read src. It is neither copied nor modified, and must
// stay as it is while what the lexer returned is in use.
func (l *Lexer) Reset(src []byte) {
	if len(l.src) > keepBuffers {
		*l = Lexer{}
	}
	l.src, l.pos, l.state, l.err = src, 0, valueDue, nil
	l.raw, l.start, l.depth = nil, 0, 0
	l.keys.n, l.keys.escaped = 0, false
	if uint64(len(src)) > math.MaxUint32 { // keyStack has 32 bits for a place
		l.fail(0, "text is longer than 4 GiB")
	}
}

// Kind returns the kind of the value that comes next, and consumes only white
// space. It is 0 where no value is due (ask More first) and after an error. If
// something else stands where a value is due, that is an error.
func (l *Lexer) Kind() Kind {
	if l.state != valueDue {
		return 0
	}
	k := kinds[l.space()]
	if k == 0 {
		l.unexpected("a value")
	}
	return k
}

// Enter consumes the opening bracket of the object or array that comes next.
// It is false after an error.
func (l *Lexer) Enter() bool {
	k := l.Kind()
	if k != '[' && !l.begin('{', "an object or an array") {
		return false
	}
	if l.depth == MaxDepth {
		l.fail(l.pos, "nested deeper than "+strconv.Itoa(MaxDepth))
		return false
	}
	l.closers[l.depth] = byte(k) + 2 // ASCII has ']' two after '[', and '}' two after '{'
	l.keys.enter(l.depth)
	l.depth++
	l.pos++
	l.state = opened
	return true
}

// More reports whether a further member or element comes in the innermost open
// container, and consumes what stands before it. It is false when it consumed
// the closing bracket instead, and after an error.
func (l *Lexer) More() bool {
	if l.depth == 0 || l.state != opened && l.state != closed {
		l.outOfTurn()
		return false
	}
	c, closer := l.space(), l.closers[l.depth-1]
	if c == closer {
		l.pos++
		l.depth--
		l.keys.leave(l.depth)
		l.state = closed
		return false
	}
	if l.state == closed {
		if c != ',' {
			l.unexpected("',' or '" + string(rune(closer)) + "'")
			return false
		}
		l.pos++
		c = l.space()
	}
	switch {
	case closer == '}' && c == '"':
		l.state = keyDue
	case closer == '}':
		l.unexpected("a key in double quotes")
	case kinds[c] == 0:
		l.unexpected("a value")
	default:
		l.state = valueDue
	}
	return l.state != failed
}

// Key consumes the key that More announced, and its colon, and returns it
// unescaped. A key that this object had before is an error, however the two
// are spelled. The key aliases the text or, if it has escapes, the lexer's
// scratch memory, which the next call overwrites. It is nil only after an
// error.
func (l *Lexer) Key() []byte {
	if l.state != keyDue {
		l.outOfTurn()
		return nil
	}
	quote := l.pos
	name := l.decoded(l.text())
	if name == nil {
		return nil
	}
	if !l.keys.add(l.src, l.depth-1, key{uint32(quote + 1), uint32(l.pos - 1)}, name) {
		l.fail(quote, "repeated key "+quoteShort(name))
		return nil
	}
	if l.space() != ':' {
		l.unexpected("':' after a key")
		return nil
	}
	l.pos++
	l.state = valueDue
	return name
}

// String reads the string that comes next and returns it unescaped. What Key
// says of aliasing and nil holds here too.
func (l *Lexer) String() []byte {
	if !l.begin('"', "a string") {
		return nil
	}
	s := l.decoded(l.text())
	l.finish()
	return s
}

// Number reads the number that comes next and returns its source text.
func (l *Lexer) Number() []byte {
	if !l.begin('0', "a number") {
		return nil
	}
	l.number()
	return l.finish()
}

// Bool reads the true or false that comes next.
func (l *Lexer) Bool() bool {
	if l.Kind() == 'f' {
		l.word("false", "false")
		return false
	}
	return l.word("true", "true or false")
}

// Null reads the null that comes next.
func (l *Lexer) Null() { l.word("null", "null") }

// Skip reads the value that comes next whole, whatever it is, as strictly as
// the other calls would, and returns its source text.
func (l *Lexer) Skip() []byte {
	if l.Kind() == 0 {
		l.outOfTurn()
		return nil
	}
	start, outside := l.pos, l.depth
	for {
		switch l.Kind() {
		case '{', '[':
			l.Enter()
		case '"':
			l.text()
			l.finish()
		case '0':
			l.Number()
		case 'n':
			l.Null()
		default:
			l.Bool()
		}
		for l.depth > outside && !l.More() && l.err == nil {
			// Left a container.
		}
		if l.err != nil {
			return nil
		}
		if l.depth == outside {
			l.start = start
			return l.finish()
		}
		if l.state == keyDue {
			l.Key()
		}
	}
}

// Raw returns the source text, quotes included, of the last value that String,
// Number, Bool, Null or Skip read.
func (l *Lexer) Raw() []byte { return l.raw }

// End returns nil if the text was read to its end without an error.
func (l *Lexer) End() error {
	if l.state != closed || l.depth > 0 {
		l.outOfTurn()
	} else if l.space(); l.pos < len(l.src) {
		l.fail(l.pos, "text goes on after the value")
	}
	return l.Err()
}

// Offset returns how many bytes were consumed.
func (l *Lexer) Offset() int { return l.pos }

// Err returns the first error, an *Error, or nil.
func (l *Lexer) Err() error {
	if l.err == nil {
		return nil
	}
	return l.err
}

// space moves past white space and returns the byte it stops at, or 0 at the
// end of the text.
func (l *Lexer) space() byte {
	if l.pos < len(l.src) && l.src[l.pos] > ' ' { // the usual case, inlined
		return l.src[l.pos]
	}
	for ; l.pos < len(l.src); l.pos++ {
		if c := l.src[l.pos]; c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return c
		}
	}
	return 0
}

// begin moves to the value that comes next and reports whether it is a want.
func (l *Lexer) begin(want Kind, name string) bool {
	switch k := l.Kind(); {
	case k == want:
		l.start = l.pos
		return true
	case k == 0:
		l.outOfTurn()
	default:
		l.unexpected(name)
	}
	return false
}

// finish ends the value that began at start, and returns its source text.
func (l *Lexer) finish() []byte {
	if l.state != failed {
		l.raw = l.src[l.start:l.pos:l.pos]
		l.state = closed
	}
	return l.raw
}

// word reads w, if it or another of what want says comes next.
func (l *Lexer) word(w, want string) bool {
	if !l.begin(Kind(w[0]), want) {
		return false
	}
	for i := range len(w) {
		if l.peek() != w[i] {
			l.unexpected(w)
			return false
		}
		l.pos++
	}
	l.finish()
	return true
}

// peek returns the byte at pos, or 0 at the end of the text.
func (l *Lexer) peek() byte {
	if l.pos == len(l.src) {
		return 0
	}
	return l.src[l.pos]
}

// fail keeps the first error.
func (l *Lexer) fail(at int, msg string) {
	if l.err == nil {
		l.err = &Error{at, msg}
	}
	l.state, l.raw = failed, nil
}

// unexpected fails for what stands at pos.
func (l *Lexer) unexpected(want string) {
	r, n := utf8.DecodeRune(l.src[l.pos:])
	switch {
	case n == 0:
		l.fail(l.pos, "unexpected end of text, expected "+want)
	case r == utf8.RuneError && n == 1:
		l.fail(l.pos, "invalid UTF-8")
	default:
		l.fail(l.pos, "unexpected "+strconv.QuoteRune(r)+", expected "+want)
	}
}

// outOfTurn fails for a call that the grammar has no place for, which is a
// mistake in the reader. After an error it changes nothing.
func (l *Lexer) outOfTurn() { l.fail(l.pos, "read out of turn") }
