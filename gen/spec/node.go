package spec

import (
	"bytes"
	"encoding/json"
	"strings"
)

// node is a value of a spec file, whatever syntax it was written in. A front
// end makes nodes, with unique keys at every depth; the reader walks them.
type node struct {
	kind  kind
	text  string // of a scalar: the text, or the number or boolean as JSON writes it
	pos   Pos
	items []*node // of a list
	pairs []pair  // of a mapping, in order
}

type pair struct {
	key   *node // always text
	value *node
}

type kind uint8

const (
	refusedKind kind = iota // reported already, and not judged again
	nullKind
	boolKind
	numberKind
	oddNumberKind // a number that JSON would not write so: 0x10, 1_000, .inf
	textKind
	listKind
	mappingKind
)

// String names the kind for "wants a list, not …".
func (k kind) String() string {
	return [...]string{"nothing", "nothing", "true or false", "a number", "a number", "text", "a list", "a mapping"}[k]
}

// isJSONNumber reports whether text is a number as JSON writes it.
func isJSONNumber(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || digits[0] < '0' || digits[0] > '9' {
		return false // JSON also has words, quotes and brackets
	}
	return json.Valid([]byte(text)) && strings.TrimSpace(text) == text
}

// literal returns the node as compact JSON, numbers in their source text.
func (n *node) literal() Literal {
	var b bytes.Buffer
	n.writeJSON(&b)
	return Literal(b.String())
}

// shown is how a message shows a literal: cut if long.
func (l Literal) shown() string { return cut(string(l)) }

func (n *node) writeJSON(b *bytes.Buffer) {
	switch n.kind {
	case refusedKind, nullKind:
		b.WriteString("null")
	case boolKind, numberKind:
		b.WriteString(n.text)
	case textKind, oddNumberKind: // the latter was refused; its text keeps the JSON valid
		writeJSONText(b, n.text)
	case listKind:
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.writeJSON(b)
		}
		b.WriteByte(']')
	case mappingKind:
		b.WriteByte('{')
		for i, p := range n.pairs {
			if i > 0 {
				b.WriteByte(',')
			}
			writeJSONText(b, p.key.text)
			b.WriteByte(':')
			p.value.writeJSON(b)
		}
		b.WriteByte('}')
	}
}

func writeJSONText(b *bytes.Buffer, text string) {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	enc.Encode(text)        // text always encodes
	b.Truncate(b.Len() - 1) // Encode ends a line
}
