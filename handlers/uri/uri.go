// Package uri turns workspace paths into resource URIs and back.
package uri

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// Prefix is what the URI of every resource begins with.
const Prefix = "teaagent://workspace/"

// Template is the URI template (RFC 6570) of all resources.
const Template = Prefix + "{+path}"

// plain are the bytes that stand for themselves in a path: RFC 3986's pchar,
// less what has a meaning in templates, and the slash.
var plain = func() (set [256]bool) {
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/") {
		set[c] = true
	}
	return set
}()

const digits = "0123456789ABCDEF"

// Of returns the URI of a clean path that is relative to the workspace.
func Of(path string) string {
	b := append(make([]byte, 0, len(Prefix)+len(path)+8), Prefix...)
	for _, c := range []byte(path) {
		if plain[c] {
			b = append(b, c)
		} else {
			b = append(b, '%', digits[c>>4], digits[c&15])
		}
	}
	return string(b)
}

// Path returns the path that a URI names. It is decoded exactly once, and only
// then looked at, segment by segment: what is left is a clean path that leads
// to nowhere above the workspace by its spelling.
func Path(uri string) (string, error) {
	rest, ok := strings.CutPrefix(uri, Prefix)
	if !ok {
		return "", errors.New("it does not begin with " + Prefix)
	}
	b := make([]byte, 0, len(rest))
	for i := 0; i < len(rest); i++ {
		c := rest[i]
		switch {
		case c == '%':
			if i+2 >= len(rest) || unhex(rest[i+1]) < 0 || unhex(rest[i+2]) < 0 {
				return "", errors.New("a % is not followed by two hexadecimal digits")
			}
			b = append(b, byte(unhex(rest[i+1])<<4|unhex(rest[i+2])))
			i += 2
		case plain[c]:
			b = append(b, c)
		case c == '?' || c == '#':
			return "", errors.New("it has a query or a fragment; write ? and # in a name as %3F and %23")
		default:
			return "", errors.New("it has a character that URIs have to escape by %")
		}
	}
	path := string(b)
	switch {
	case !utf8.ValidString(path):
		return "", errors.New("its path is not UTF-8")
	case strings.IndexByte(path, 0) >= 0:
		return "", errors.New("its path has a NUL byte")
	}
	for segment := range strings.SplitSeq(path, "/") {
		switch segment {
		case "":
			return "", errors.New("its path has an empty segment")
		case ".", "..":
			return "", errors.New("its path has a segment of dots")
		}
	}
	return path, nil
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
