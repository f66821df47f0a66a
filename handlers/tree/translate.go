package tree

import (
	"strings"
	"unicode/utf8"
)

// translate writes a pattern of git's for doublestar, a byte of the pattern as
// one rune. The two agree on "*", "?" and "**" between slashes, but git
//
//   - knows no braces
//   - has "**" behind a directory match what is in it, not the directory
//   - takes two stars beside something else for one, more than two for two
//   - has [[:alpha:]] and the like, and a "]" at the start of a class as itself
//
// ok is false for a pattern that matches nothing: a class that is not closed,
// or a backslash at the end.
func translate(pattern string) (glob string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(pattern); {
		switch c := pattern[i]; c {
		case '*':
			end := i
			for end < len(pattern) && pattern[end] == '*' {
				end++
			}
			alone := (i == 0 || pattern[i-1] == '/') && (end == len(pattern) || pattern[end] == '/')
			switch {
			case end-i == 1 || !alone:
				b.WriteString("*")
			case end == len(pattern) && i > 0:
				b.WriteString("**/*")
			default:
				b.WriteString("**")
			}
			i = end
		case '[':
			class, n := translateClass(pattern[i:])
			if n == 0 {
				return "", false
			}
			b.WriteString(class)
			i += n
		case '\\':
			if i+1 == len(pattern) {
				return "", false
			}
			writeByte(&b, pattern[i+1])
			i += 2
		case '?', '/':
			b.WriteByte(c)
			i++
		default:
			writeByte(&b, c)
			i++
		}
	}
	return b.String(), true
}

// translateClass translates the class that s starts with, and returns its
// length in s; 0 if it is not closed.
func translateClass(s string) (class string, length int) {
	var b strings.Builder
	b.WriteByte('[')
	i := 1
	if i < len(s) && (s[i] == '!' || s[i] == '^') {
		b.WriteByte('^')
		i++
	}
	for first := true; ; first = false {
		if i >= len(s) {
			return "", 0
		}
		if s[i] == ']' && !first {
			b.WriteByte(']')
			return b.String(), i + 1
		}
		if strings.HasPrefix(s[i:], "[:") {
			if name, _, found := strings.Cut(s[i+2:], ":]"); found && !strings.Contains(name, "]") {
				ranges, known := posixClasses[name]
				if !known {
					return "", 0
				}
				b.WriteString(ranges)
				i += len("[:") + len(name) + len(":]")
				continue
			}
		}
		low, n := classByte(s[i:])
		i += n
		high := low
		if n > 0 && i+1 < len(s) && s[i] == '-' && s[i+1] != ']' {
			high, n = classByte(s[i+1:])
			i += 1 + n
		}
		if n == 0 {
			return "", 0
		}
		if low <= high { // a range the other way round has nothing in it
			writeByte(&b, low)
			b.WriteByte('-')
			writeByte(&b, high)
		}
	}
}

// classByte returns the byte that s starts with inside a class, and its length
// in s; 0 if there is none.
func classByte(s string) (c byte, length int) {
	switch {
	case s == "" || s == `\`:
		return 0, 0
	case s[0] == '\\':
		return s[1], 2
	}
	return s[0], 1
}

// writeByte writes a byte that stands for itself, as a rune.
func writeByte(b *strings.Builder, c byte) {
	if c < utf8.RuneSelf && !isWord(c) {
		b.WriteByte('\\')
	}
	b.WriteRune(rune(c))
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// posixClasses are the classes of the C locale. The space, which begins
// printable characters, and punctuation are escaped by their ranges.
var posixClasses = map[string]string{
	"alnum":  "a-zA-Z0-9",
	"alpha":  "a-zA-Z",
	"blank":  ` \` + "\t",
	"cntrl":  "\x00-\x1f\x7f",
	"digit":  "0-9",
	"graph":  `\!-\~`,
	"lower":  "a-z",
	"print":  ` -\~`,
	"punct":  `\!-\/\:-\@\[-` + "\\`" + `\{-\~`,
	"space":  " \t-\r",
	"upper":  "A-Z",
	"xdigit": "0-9A-Fa-f",
}
