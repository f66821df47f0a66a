package spec

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonFile turns one JSON file into nodes. It reads what RFC 8259 allows and
// nothing beside it; what is wrong with a value but not with the syntax is
// reported, and reading goes on behind it.
type jsonFile struct {
	src *source
	*faults
	off    int
	broken bool // a syntax fault was reported: nothing behind it is read

	// The last place that was asked for. Those to come lie behind it, so that
	// one very long line costs no more than many short ones.
	line, col, at int
}

// readJSON returns the file's one value, or nil if it has none that can be read.
func readJSON(src *source, faults *faults) *node {
	j := &jsonFile{src: src, faults: faults, line: 1, col: 1}
	if j.notUTF8() {
		return nil
	}
	j.line, j.col, j.at = 1, 1, 0
	if j.space(); j.off == len(src.text) {
		return nil // nothing but blanks
	}
	root := j.value(1)
	if j.space(); !j.broken && j.off < len(src.text) {
		j.fail("the value has ended; remove what follows it")
	}
	if j.broken {
		return nil
	}
	return root
}

// notUTF8 reports every byte that is not.
func (j *jsonFile) notUTF8() bool {
	if utf8.ValidString(j.src.text) {
		return false
	}
	for i := 0; i < len(j.src.text) && !j.full(); {
		r, size := utf8.DecodeRuneInString(j.src.text[i:])
		if r == utf8.RuneError && size == 1 {
			j.fault(ruleSyntax, j.pos(i, i+1), "byte 0x%02X is not UTF-8; save the file as UTF-8", j.src.text[i])
		}
		i += size
	}
	return true
}

// pos is the place of text[from:to]; of its first line if it has several. Places
// are asked for in order.
func (j *jsonFile) pos(from, to int) Pos {
	for j.line < len(j.src.lines) && j.src.lines[j.line] <= from {
		j.line, j.col, j.at = j.line+1, 1, j.src.lines[j.line]
	}
	j.col += utf8.RuneCountInString(j.src.text[j.at:from])
	j.at = from
	text, _, _ := strings.Cut(j.src.text[from:to], "\n")
	return Pos{j.src.name, j.line, j.col, max(1, utf8.RuneCountInString(text))}
}

// fail reports a syntax fault at the offset. It is the last one.
func (j *jsonFile) fail(format string, args ...any) *node {
	if !j.broken {
		j.broken = true
		from := j.off
		for from > 0 && from == len(j.src.text) && strings.ContainsRune(" \t\r\n", rune(j.src.text[from-1])) {
			from-- // the end of a file is at the end of what it says
		}
		from = max(from, j.at)
		j.fault(ruleSyntax, j.pos(from, min(from+1, len(j.src.text))), format, args...)
	}
	return &node{}
}

func (j *jsonFile) space() {
	for j.off < len(j.src.text) && strings.IndexByte(" \t\r\n", j.src.text[j.off]) >= 0 {
		j.off++
	}
}

// next returns the byte at the offset, and 0 at the end.
func (j *jsonFile) next() byte {
	if j.off < len(j.src.text) {
		return j.src.text[j.off]
	}
	return 0
}

func (j *jsonFile) value(depth int) *node {
	switch c := j.next(); {
	case c == '{' || c == '[':
		return j.container(depth)
	case c == '"':
		return j.text()
	case c == '-' || '0' <= c && c <= '9':
		return j.number()
	case 'a' <= c && c <= 'z':
		return j.word()
	case j.off == len(j.src.text):
		return j.fail("the file ends where a value is due")
	case c == '\'':
		return j.fail("text stands in double quotes")
	case c == '/':
		return j.fail("JSON has no comments; remove it")
	case c == '}' || c == ']' || c == ',':
		return j.fail("a value is due before %q", string(rune(c)))
	}
	return j.fail("no value starts with %s", quote(j.rune()))
}

func (j *jsonFile) rune() string {
	r, _ := utf8.DecodeRuneInString(j.src.text[j.off:])
	return string(r)
}

func (j *jsonFile) word() *node {
	start := j.off
	for c := j.next(); 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'; c = j.next() {
		j.off++
	}
	word := j.src.text[start:j.off]
	out := &node{kind: boolKind, text: word}
	switch word {
	case "true", "false":
	case "null":
		out.kind = nullKind
	default:
		j.off = start
		return j.fail("%s is no JSON value; text stands in double quotes", quote(word))
	}
	out.pos = j.pos(start, j.off)
	return out
}

func (j *jsonFile) number() *node {
	start := j.off
	for c := j.next(); c != 0 && strings.IndexByte("+-.0123456789eE", c) >= 0; c = j.next() {
		j.off++
	}
	text := j.src.text[start:j.off]
	if !isJSONNumber(text) {
		j.off = start
		return j.fail("%s is not how JSON writes a number", quote(text))
	}
	return &node{kind: numberKind, text: text, pos: j.pos(start, j.off)}
}

// container reads an object or an array.
func (j *jsonFile) container(depth int) *node {
	out := &node{kind: listKind, pos: j.pos(j.off, j.off+1)}
	closer := byte(']')
	if j.next() == '{' {
		out.kind, closer = mappingKind, '}'
	}
	if depth > maxDepth {
		j.fault(ruleLimit, out.pos, "nested more than %d deep", maxDepth)
		j.broken = true // what nests a million deep would overflow us
		return &node{pos: out.pos}
	}
	j.off++
	lines := make(map[string]int) // of each key
	for first := true; ; first = false {
		j.space()
		switch c := j.next(); {
		case c == closer:
			if !first {
				break // a comma before it, or else the value would have ended
			}
			j.off++
			return out
		case j.off == len(j.src.text):
			return j.fail("the file ends before the %q of the %q in line %d", string(closer), string(closer-2), out.pos.Line)
		}
		if j.next() == closer {
			return j.fail("a comma with nothing behind it; remove it, or add a value")
		}
		if out.kind == listKind {
			out.items = append(out.items, j.value(depth+1))
		} else {
			j.member(out, lines, depth)
		}
		if j.broken {
			return out
		}
		j.space()
		switch c := j.next(); {
		case c == ',':
			j.off++
		case c == closer:
			j.off++
			return out
		case j.off == len(j.src.text):
			return j.fail("the file ends before the %q of the %q in line %d", string(closer), string(closer-2), out.pos.Line)
		default:
			return j.fail("a comma or %q is due before %s", string(closer), quote(j.rune()))
		}
	}
}

// member reads a key and its value. Of a repeated key the first one counts.
func (j *jsonFile) member(out *node, lines map[string]int, depth int) {
	if j.next() != '"' {
		j.fail("a key in double quotes is due before %s", quote(j.rune()))
		return
	}
	key := j.text()
	if j.space(); j.next() != ':' {
		j.fail("a colon and a value are due behind key %s", quote(key.text))
		return
	}
	j.off++
	j.space()
	value := j.value(depth + 1)
	if key.kind == refusedKind {
		return
	}
	if first := lines[key.text]; first > 0 {
		j.fault(ruleRepeatedKey, key.pos, "key %s is repeated, first written in line %d; remove one", quote(key.text), first)
		return
	}
	lines[key.text] = key.pos.Line
	out.pairs = append(out.pairs, pair{key, value})
}

// text reads a string. One with a fault inside is refused as a whole.
func (j *jsonFile) text() *node {
	out := &node{kind: textKind}
	start, plain := j.off, j.off+1
	var b strings.Builder
	type slip struct {
		from, to int
		message  string
	}
	var slips []slip
	for j.off++; ; {
		switch c := j.next(); {
		case j.off == len(j.src.text):
			j.off = start
			return j.fail("the text that starts here is not closed")
		case c == '"':
			b.WriteString(j.src.text[plain:j.off])
			j.off++
			out.text, out.pos = b.String(), j.pos(start, j.off)
			for _, s := range slips {
				out.kind = refusedKind
				j.fault(ruleSyntax, j.pos(s.from, s.to), "%s", s.message)
			}
			return out
		case c == '\n' && len(slips) == 0:
			j.off = start
			return j.fail("the text that starts here is not closed in its line; write a line break as \\n")
		case c == '\\':
			b.WriteString(j.src.text[plain:j.off])
			r, size, wrong := escape(j.src.text[j.off:])
			if wrong != "" {
				slips = append(slips, slip{j.off, j.off + size, wrong})
			}
			b.WriteRune(r)
			j.off += size
			plain = j.off
		case c < ' ':
			slips = append(slips, slip{j.off, j.off + 1, "a control character stands escaped; write \\u" + hex4(c)})
			j.off++
		default:
			j.off++
		}
	}
}

func hex4(c byte) string { return "00" + strconv.FormatUint(uint64(c)|0x100, 16)[1:] }

// escape reads what a backslash begins: the character, how many bytes it took,
// and what is wrong with it.
func escape(text string) (r rune, size int, wrong string) {
	if len(text) < 2 {
		return utf8.RuneError, len(text), "an escape without its letter"
	}
	if i := strings.IndexByte(`"\/bfnrt`, text[1]); i >= 0 {
		return rune("\"\\/\b\f\n\r\t"[i]), 2, ""
	}
	if text[1] != 'u' {
		_, n := utf8.DecodeRuneInString(text[1:])
		return utf8.RuneError, 1 + n, "JSON has no escape " + quote(text[:1+n]) + "; a backslash itself is written twice"
	}
	first, ok := hexRune(text)
	if !ok {
		return utf8.RuneError, 2, "\\u wants four hexadecimal digits"
	}
	if !utf16.IsSurrogate(first) {
		return first, 6, ""
	}
	if second, ok := hexRune(text[6:]); ok {
		if r := utf16.DecodeRune(first, second); r != utf8.RuneError {
			return r, 12, ""
		}
	}
	return utf8.RuneError, 6, "half of a surrogate pair; write both halves, or the character itself"
}

// hexRune reads \uXXXX.
func hexRune(text string) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' || text[2] == '+' || text[2] == '-' {
		return 0, false
	}
	n, err := strconv.ParseUint(text[2:6], 16, 16)
	return rune(n), err == nil
}
