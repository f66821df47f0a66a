package spec

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A pattern is written in ECMA-262's syntax with the u flag, as JSON Schema
// asks, and runs as Go's RE2. What both take means the same only in part, so a
// spec may use these constructs, and no other:
//
//	abc  .  ^  $  a|b  (a)  (?:a)          groups capture nothing that anybody reads
//	[abc]  [^a-z]  with the escapes below
//	*  +  ?  {2}  {2,}  {2,5}  lazy or not   counts of at most 1000
//	\d \D \w \W \s \S \b \B
//	\t \n \v \f \r \0 \x41 \u0041 \u{1F600} and \ before ^ $ \ . * + ? ( ) [ ] { } | / -
//
// Not: look-around, back-references, named groups, \p{…}, \c, flags. A test
// holds each construct to node's RegExp.

// goPattern translates a pattern into Go's syntax, or says why it can't.
func goPattern(pattern string) (re string, err error) {
	p := &patternReader{rest: pattern}
	p.alternatives(0)
	if p.err == nil && p.rest != "" {
		p.fail("has a %q that closes nothing", p.rest[:1])
	}
	if p.err != nil {
		return "", p.err
	}
	if _, err := regexp.Compile(p.out.String()); err != nil {
		return "", fmt.Errorf("is too large: %w", err)
	}
	return p.out.String(), nil
}

type patternReader struct {
	rest string
	out  strings.Builder
	err  error
}

const (
	maxRepeat = 1000 // RE2's own limit
	maxGroups = 50   // open at once
)

// What . and \s match in ECMA-262, which is not what they match in RE2.
const (
	ecmaLineEnds = `\n\r\x{2028}\x{2029}`
	ecmaSpace    = `\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
)

func (p *patternReader) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
	p.rest = ""
}

func (p *patternReader) take(prefix string) bool {
	rest, ok := strings.CutPrefix(p.rest, prefix)
	p.rest = rest
	return ok
}

func (p *patternReader) char() rune {
	r, n := utf8.DecodeRuneInString(p.rest)
	p.rest = p.rest[n:]
	return r
}

// alternatives reads a|b|c up to the end, or to the ) of the group it is in.
func (p *patternReader) alternatives(depth int) {
	if depth > maxGroups {
		p.fail("has groups nested deeper than %d", maxGroups)
	}
	for p.rest != "" && p.rest[0] != ')' {
		if p.take("|") {
			p.out.WriteByte('|')
			continue
		}
		if p.atom(depth) {
			p.quantifier()
		}
	}
}

// atom reads one thing that matches. It is false for what takes no quantifier.
func (p *patternReader) atom(depth int) bool {
	switch c := p.char(); c {
	case '^', '$':
		p.out.WriteRune(c)
		return false
	case '.':
		p.out.WriteString("[^" + ecmaLineEnds + "]")
	case '(':
		if !p.take("?:") && strings.HasPrefix(p.rest, "?") {
			p.fail("has a group that starts with (?; of those only (?: is taken")
			return false
		}
		p.out.WriteString("(?:")
		p.alternatives(depth + 1)
		if p.err == nil && !p.take(")") {
			p.fail("has a ( without its )")
		}
		p.out.WriteByte(')')
	case '[':
		p.class()
	case '\\':
		return p.escape()
	case '*', '+', '?', '{':
		p.fail("has a %q with nothing to repeat before it; write \\%c for the character", string(c), c)
	case ']', '}':
		p.fail("has a bare %q; write \\%c", string(c), c)
	default:
		p.out.WriteString(regexp.QuoteMeta(string(c)))
	}
	return true
}

func (p *patternReader) quantifier() {
	switch {
	case p.take("*"):
		p.out.WriteByte('*')
	case p.take("+"):
		p.out.WriteByte('+')
	case p.take("?"):
		p.out.WriteByte('?')
	case p.take("{"):
		counts, rest, ok := strings.Cut(p.rest, "}")
		low, high, ranged := strings.Cut(counts, ",")
		n, err := strconv.ParseUint(low, 10, 32)
		most := n
		if err == nil && ranged && high != "" {
			most, err = strconv.ParseUint(high, 10, 32)
		}
		switch {
		case !ok || err != nil:
			p.fail("has a { that starts no count such as {2,5}; write \\{ for the character")
			return
		case n > most:
			p.fail("has a count {%s} that ends before it starts", counts)
			return
		case most > maxRepeat:
			p.fail("has a count over %d", maxRepeat)
			return
		}
		p.rest = rest
		p.out.WriteString("{" + strconv.FormatUint(n, 10))
		if ranged {
			p.out.WriteByte(',')
			if high != "" {
				p.out.WriteString(strconv.FormatUint(most, 10))
			}
		}
		p.out.WriteByte('}')
	default:
		return
	}
	if p.take("?") { // lazy: it matches the same texts
		p.out.WriteByte('?')
	}
	if p.rest != "" && strings.IndexByte("*+?{", p.rest[0]) >= 0 {
		p.fail("has a quantifier behind a quantifier")
	}
}

// escape reads what follows a backslash outside of a class.
func (p *patternReader) escape() (repeatable bool) {
	if p.take("b") {
		p.out.WriteString(`\b`)
		return false
	}
	if p.take("B") {
		p.out.WriteString(`\B`)
		return false
	}
	if set, negated := p.set(); set != "" {
		if negated {
			p.out.WriteString("[^" + set + "]")
		} else {
			p.out.WriteString("[" + set + "]")
		}
		return true
	}
	if c, ok := p.escaped(); ok {
		p.out.WriteString(regexp.QuoteMeta(string(c)))
	}
	return true
}

// set reads the letter of a class escape, as the inside of a Go class.
func (p *patternReader) set() (inside string, negated bool) {
	switch {
	case p.take("d"):
		return "0-9", false
	case p.take("D"):
		return "0-9", true
	case p.take("w"):
		return "0-9A-Za-z_", false
	case p.take("W"):
		return "0-9A-Za-z_", true
	case p.take("s"):
		return ecmaSpace, false
	case p.take("S"):
		return ecmaSpace, true
	}
	return "", false
}

// escaped reads the escape of one character, behind its backslash.
func (p *patternReader) escaped() (rune, bool) {
	if p.rest == "" {
		p.fail("ends in a backslash")
		return 0, false
	}
	c := p.char()
	switch c {
	case 't':
		return '\t', true
	case 'n':
		return '\n', true
	case 'v':
		return '\v', true
	case 'f':
		return '\f', true
	case 'r':
		return '\r', true
	case '0':
		if p.rest == "" || p.rest[0] < '0' || p.rest[0] > '9' {
			return 0, true
		}
	case 'x':
		return p.hex(2)
	case 'u':
		return p.unicode()
	}
	if strings.ContainsRune(`^$\.*+?()[]{}|/-`, c) {
		return c, true
	}
	p.fail("has the escape \\%c, which is not taken", c)
	return 0, false
}

func (p *patternReader) unicode() (rune, bool) {
	if !p.take("{") {
		high, ok := p.hex(4)
		if !ok || high < 0xd800 || high > 0xdfff {
			return high, ok
		}
		if high < 0xdc00 && p.take(`\u`) {
			if low, ok := p.hex(4); ok && low >= 0xdc00 && low <= 0xdfff {
				return 0x10000 + (high-0xd800)<<10 + (low - 0xdc00), true
			}
		}
		p.fail("has half of a surrogate pair")
		return 0, false
	}
	digits, rest, ok := strings.Cut(p.rest, "}")
	n, err := strconv.ParseUint(digits, 16, 32)
	if !ok || err != nil || n > utf8.MaxRune || n >= 0xd800 && n <= 0xdfff {
		p.fail("has a \\u{ that names no character")
		return 0, false
	}
	p.rest = rest
	return rune(n), true
}

func (p *patternReader) hex(digits int) (rune, bool) {
	if len(p.rest) >= digits {
		if n, err := strconv.ParseUint(p.rest[:digits], 16, 32); err == nil {
			p.rest = p.rest[digits:]
			return rune(n), true
		}
	}
	p.fail("has an escape without its %d hexadecimal digits", digits)
	return 0, false
}

// class reads […] behind its bracket.
func (p *patternReader) class() {
	p.out.WriteByte('[')
	if p.take("^") {
		p.out.WriteByte('^')
	}
	if strings.HasPrefix(p.rest, "]") {
		p.fail("has an empty class")
	}
	for !p.take("]") {
		if p.rest == "" {
			p.fail("has a [ without its ]")
			return
		}
		low, single := p.member()
		if p.err != nil {
			return
		}
		if !strings.HasPrefix(p.rest, "-") || strings.HasPrefix(p.rest, "-]") {
			continue
		}
		p.take("-")
		p.out.WriteByte('-')
		high, ok := p.member()
		if p.err == nil && (!single || !ok) {
			p.fail("has a range in a class that starts or ends with no character")
		} else if p.err == nil && low > high {
			p.fail("has a range in a class that ends before it starts")
		}
	}
	p.out.WriteByte(']')
}

// member reads one member of a class. It is single if it is one character.
func (p *patternReader) member() (c rune, single bool) {
	if !p.take(`\`) {
		c = p.char()
	} else if p.take("b") {
		c = '\b'
	} else {
		set, negated := p.set()
		switch {
		case negated && set == ecmaSpace:
			p.fail(`has \S in a class, which is not taken`)
			return 0, false
		case negated:
			// RE2 takes these two in a class, where they mean what ECMA means.
			set = map[string]string{"0-9": `\D`, "0-9A-Za-z_": `\W`}[set]
		}
		if set != "" {
			p.out.WriteString(set)
			return 0, false
		}
		var ok bool
		if c, ok = p.escaped(); !ok {
			return 0, false
		}
	}
	fmt.Fprintf(&p.out, `\x{%x}`, c)
	return c, true
}
