package lex

import (
	"bytes"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// Member is a member of an object in canonical form.
type Member struct {
	Key   string
	Value []byte // canonical
}

// Canonical appends the value that comes next in its canonical form: keys
// sorted by code point at every depth, no spaces, everything but ASCII escaped.
// Numbers are appended by number; as their source text if it is nil.
func (l *Lexer) Canonical(b []byte, number func(b, text []byte) []byte) []byte {
	switch l.Kind() {
	case '{':
		return AppendMembers(b, l.Members(number))
	case '[':
		b = append(b, '[')
		for l.Enter(); l.More(); {
			b = append(l.Canonical(b, number), ',')
		}
		return append(bytes.TrimSuffix(b, []byte{','}), ']')
	case '"':
		return AppendASCII(b, l.String())
	case '0':
		if number != nil {
			return number(b, l.Number())
		}
	}
	return append(b, l.Skip()...)
}

// Members reads the object that comes next.
func (l *Lexer) Members(number func(b, text []byte) []byte) []Member {
	var members []Member
	for l.Enter(); l.More(); {
		key := string(l.Key())
		members = append(members, Member{key, l.Canonical(nil, number)})
	}
	return members
}

// AppendMembers appends an object of the members in the order of their keys.
func AppendMembers(b []byte, members []Member) []byte {
	slices.SortFunc(members, func(a, b Member) int { return bytes.Compare([]byte(a.Key), []byte(b.Key)) })
	b = append(b, '{')
	for i, m := range members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(AppendASCII(b, []byte(m.Key)), ':')
		b = append(b, m.Value...)
	}
	return append(b, '}')
}

// AppendASCII appends a JSON string in which everything but ASCII is escaped:
// lower-case hex, surrogate pairs. s is UTF-8, as the lexer has checked.
func AppendASCII(b, s []byte) []byte {
	start := len(b)
	b = AppendQuote(b, s)
	if !slices.ContainsFunc(b[start:], func(c byte) bool { return c >= utf8.RuneSelf }) {
		return b
	}
	quoted := string(b[start:])
	b = b[:start]
	for _, r := range quoted {
		switch {
		case r < utf8.RuneSelf:
			b = append(b, byte(r))
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			b = appendUnit(appendUnit(b, high), low)
		default:
			b = appendUnit(b, r)
		}
	}
	return b
}

func appendUnit(b []byte, unit rune) []byte {
	const hex = "0123456789abcdef"
	return append(b, '\\', 'u', hex[unit>>12], hex[unit>>8&15], hex[unit>>4&15], hex[unit&15])
}
