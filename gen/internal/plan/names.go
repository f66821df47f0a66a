package plan

import (
	"fmt"
	"strings"
	"unicode"
)

// initialisms are the words that Go writes in capitals. The list is closed: a
// word added to it would rename what people have written handlers for.
var initialisms = func() map[string]string {
	m := map[string]string{}
	for _, w := range strings.Fields("API CPU CSS CSV DNS HTML HTTP HTTPS ID IP JSON OS RAM SHA SQL SSH TCP TLS TTL UDP UI URI URL UTF8 UUID XML YAML") {
		m[strings.ToLower(w)] = w
	}
	for _, w := range []string{"API", "ID", "IP", "URI", "URL", "UUID"} {
		m[strings.ToLower(w)+"s"] = w + "s"
	}
	return m
}()

// spoken are the characters that tell names apart which are otherwise equal:
// c, c++ and c#, or < and <=.
var spoken = map[rune]string{
	'+': "Plus", '#': "Sharp", '*': "Star", '<': "Less", '>': "Greater", '=': "Equal", '!': "Not",
	'%': "Percent", '&': "And", '|': "Or", '~': "Tilde", '^': "Caret", '@': "At", '$': "Dollar", '?': "Question",
}

// separators are spoken only where a name has nothing else.
var separators = map[rune]string{
	'-': "Minus", '_': "Underscore", '.': "Dot", '/': "Slash", ' ': "Space", ',': "Comma", ':': "Colon", ';': "Semicolon",
}

// words splits a name where it is not alphanumeric and where its case says so.
func words(s string) []string {
	var ws []string
	rs := []rune(s)
	for i := 0; i < len(rs); {
		r := rs[i]
		switch {
		case isAlnum(r):
			j := i + 1
			for j < len(rs) && isAlnum(rs[j]) && !startsWord(rs, j) {
				j++
			}
			ws = append(ws, string(rs[i:j]))
			i = j
			continue
		case spoken[r] != "":
			ws = append(ws, spoken[r])
		case r == '-' && i == 0 && len(rs) > 1 && unicode.IsDigit(rs[1]):
			ws = append(ws, "Minus")
		}
		i++
	}
	if ws != nil {
		return ws
	}
	for _, r := range rs {
		if w := separators[r]; w != "" {
			ws = append(ws, w)
		} else {
			ws = append(ws, fmt.Sprintf("U%04X", r))
		}
	}
	return ws
}

func isAlnum(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// startsWord reports whether a word starts at rs[i] > 0, inside a run of letters
// and digits: at the O of readOnly, and at the S of HTTPServer, but not at the
// D of IDs.
func startsWord(rs []rune, i int) bool {
	if !unicode.IsUpper(rs[i]) {
		return false
	}
	if !unicode.IsUpper(rs[i-1]) {
		return true
	}
	if i+1 == len(rs) || !unicode.IsLower(rs[i+1]) {
		return false
	}
	plural := rs[i+1] == 's' && (i+2 == len(rs) || !unicode.IsLower(rs[i+2]))
	return !plural
}

// camel joins the words of a name, each with a capital: read_file is ReadFile,
// container-id is ContainerID, IN_PROGRESS is InProgress, 1.0 is 1_0.
func camel(s string) string {
	shouts := strings.ToUpper(s) == s
	var b strings.Builder
	digit := false
	for _, w := range words(s) {
		rs := []rune(w)
		if digit && unicode.IsDigit(rs[0]) {
			b.WriteByte('_')
		}
		digit = unicode.IsDigit(rs[len(rs)-1])
		if known := initialisms[strings.ToLower(w)]; known != "" {
			b.WriteString(known)
			continue
		}
		b.WriteRune(unicode.ToUpper(rs[0]))
		if rest := string(rs[1:]); shouts {
			b.WriteString(strings.ToLower(rest))
		} else {
			b.WriteString(rest)
		}
	}
	return b.String()
}

// exported is camel made an exported identifier: 2fa is X2fa.
func exported(s string) string {
	name := camel(s)
	if r := []rune(name); len(r) == 0 || !unicode.IsUpper(r[0]) {
		return "X" + name
	}
	return name
}

// unexported turns an exported Go name into the start of an unexported one.
func unexported(name string) string {
	first := words(name)[0]
	return strings.ToLower(first) + name[len(first):]
}

// snake turns a name into the start of a file's name.
func snake(name string) string {
	return strings.ToLower(strings.Join(words(name), "_"))
}

// singular names an element after its array: entries is entry, matches is match.
func singular(s string) string {
	lower := strings.ToLower(s)
	ends := func(suffixes ...string) bool {
		for _, x := range suffixes {
			if strings.HasSuffix(lower, x) && len(lower) > len(x) {
				return true
			}
		}
		return false
	}
	switch {
	case lower == "series" || lower == "species" || lower == "news" || ends("ss", "us", "is"):
		return s
	case ends("ies") && len(lower) > 4:
		return s[:len(s)-3] + "y"
	case ends("sses", "shes", "ches", "xes", "zzes", "tuses"):
		return s[:len(s)-2]
	case ends("s"):
		return s[:len(s)-1]
	}
	return s
}
