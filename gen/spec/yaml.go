package spec

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"
)

// maxDepth bounds how deep the values of a spec nest.
const maxDepth = 64

// yamlFile turns one YAML file into nodes. It works from yaml.Node alone:
// decoding would take `yes` for true and let repeated keys through.
type yamlFile struct {
	src *source
	at  *cursor
	*faults
}

// readYAML returns the file's one document, or nil if it has none that can be read.
func readYAML(src *source, faults *faults) *node {
	unreadable := src.unreadable(func(at Pos, message string) { faults.fault(ruleSyntax, at, "%s", message) })
	if unreadable {
		return nil
	}
	y := &yamlFile{src, src.cursor(), faults}
	dec := yaml.NewDecoder(strings.NewReader(src.text))
	doc, err := decode(dec)
	if errors.Is(err, io.EOF) {
		return nil // nothing but blanks and comments
	}
	if err != nil {
		y.syntaxFault(err)
		return nil
	}
	root := y.node(doc.Content[0], 1)
	switch next, err := decode(dec); {
	case errors.Is(err, io.EOF):
	case err != nil:
		y.syntaxFault(err)
	default:
		y.fault(ruleSyntax, y.at.place(next.Line, next.Column, toBlank), "a second document starts here; a spec file holds one")
	}
	return root
}

// decode reads the next document. yaml.v3 panics on some malformed texts; to
// an author that is an error like the others.
func decode(dec *yaml.Decoder) (doc *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("yaml: this cannot be read (%v)", p)
		}
	}()
	doc = new(yaml.Node)
	if err := dec.Decode(doc); err != nil {
		return nil, err
	}
	return doc, nil
}

func (y *yamlFile) node(n *yaml.Node, depth int) *node {
	out := &node{pos: y.place(n)}
	switch {
	case depth > maxDepth:
		y.fault(ruleLimit, out.pos, "nested more than %d deep", maxDepth)
		return out
	case n.Kind == yaml.AliasNode:
		y.fault(ruleSyntax, out.pos, "specs have no aliases; write the value out")
		return out
	case n.Anchor != "":
		y.fault(ruleSyntax, out.pos, "specs have no anchors; remove %q and write the value where it is used", "&"+n.Anchor)
	case n.Style&yaml.TaggedStyle != 0, n.Kind == yaml.ScalarNode && strings.HasPrefix(y.at.rest(out.pos.Line, out.pos.Col), "!"):
		y.fault(ruleSyntax, out.pos, "specs have no tags; write the value alone, in quotes if it is text")
		if n.Kind == yaml.ScalarNode {
			return out
		}
	}
	switch n.Kind {
	case yaml.SequenceNode:
		out.kind = listKind
		for _, c := range n.Content {
			out.items = append(out.items, y.node(c, depth+1))
		}
	case yaml.MappingNode:
		out.kind = mappingKind
		y.pairs(out, n, depth)
	default:
		y.scalar(out, n)
	}
	return out
}

// pairs adds the mapping's pairs, without those whose key is a repeated one or
// none at all: these are reported here.
func (y *yamlFile) pairs(out *node, n *yaml.Node, depth int) {
	lines := make(map[string]int, len(n.Content)/2) // of each key
	for i := 0; i+1 < len(n.Content); i += 2 {
		keyNode := n.Content[i]
		key := y.node(keyNode, depth+1)
		value := y.node(n.Content[i+1], depth+1)
		switch {
		case key.kind == refusedKind:
			continue
		case keyNode.Kind == yaml.ScalarNode && keyNode.ShortTag() == "!!merge":
			y.fault(ruleSyntax, key.pos, "specs have no merge keys; write the keys out")
			continue
		case key.kind == listKind, key.kind == mappingKind:
			y.fault(ruleType, key.pos, "a key is text, not %s", key.kind)
			continue
		case key.kind != textKind:
			y.fault(ruleType, key.pos, "a key is text; write it in quotes: %q", keyNode.Value)
			key.kind, key.text = textKind, keyNode.Value
		}
		if first := lines[key.text]; first > 0 {
			y.fault(ruleRepeatedKey, key.pos, "key %s is repeated, first written in line %d; remove one", quote(key.text), first)
			continue
		}
		lines[key.text] = key.pos.Line
		if value.kind == nullKind && n.Content[i+1].Value == "" {
			value.pos = key.pos // nothing is written there to point at
		}
		out.pairs = append(out.pairs, pair{key, value})
	}
}

// scalar sets kind and text. What YAML 1.1 and 1.2 read differently is either
// an odd number (0777, 1_000, 0x10, 0o7, +1, .5, 1., .inf, .nan), which no key
// takes, or plain text (yes, on, 1:30, 2024-01-01).
func (y *yamlFile) scalar(out *node, n *yaml.Node) {
	out.kind, out.text = textKind, n.Value
	if n.Style&^yaml.TaggedStyle != 0 { // quoted, or a block
		return
	}
	switch n.ShortTag() {
	case "!!null":
		out.kind = nullKind
	case "!!bool":
		out.kind, out.text = boolKind, strings.ToLower(n.Value)
	case "!!int", "!!float":
		out.kind = oddNumberKind
	}
	if isJSONNumber(n.Value) {
		out.kind = numberKind
	}
}

// place returns where a node is written.
func (y *yamlFile) place(n *yaml.Node) Pos {
	switch {
	case n.Kind == yaml.AliasNode, n.Anchor != "", n.Style&yaml.TaggedStyle != 0:
		return y.at.place(n.Line, n.Column, toBlank)
	case n.Kind == yaml.ScalarNode && strings.HasPrefix(y.at.rest(n.Line, n.Column), "!"):
		return y.at.place(n.Line, n.Column, toBlank)
	case n.Kind == yaml.ScalarNode && n.Value == "" && n.Style == 0:
		// An empty item: point at its dash, which stands right before.
		if strings.HasPrefix(y.at.rest(n.Line, n.Column-1), "-") {
			return y.at.place(n.Line, n.Column-1, func(string) int { return 1 })
		}
	case n.Kind == yaml.ScalarNode:
		return y.at.place(n.Line, n.Column, func(rest string) int { return scalarWidth(rest, n) })
	case n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0:
		return y.at.place(n.Line, n.Column, func(rest string) int { return scalarWidth(rest, n.Content[0]) })
	}
	return y.at.place(n.Line, n.Column, func(string) int { return 1 })
}

// scalarWidth returns how many bytes of the line a scalar that starts it takes.
func scalarWidth(rest string, n *yaml.Node) int {
	switch {
	case strings.HasPrefix(rest, `"`) && n.Style&yaml.DoubleQuotedStyle != 0:
		for i := 1; i < len(rest); i++ {
			switch rest[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
	case strings.HasPrefix(rest, "'") && n.Style&yaml.SingleQuotedStyle != 0:
		for i := 1; i < len(rest); i++ {
			if rest[i] == '\'' {
				if !strings.HasPrefix(rest[i+1:], "'") {
					return i + 1
				}
				i++
			}
		}
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return toBlank(rest)
	case strings.HasPrefix(rest, n.Value):
		return len(n.Value)
	}
	return len(strings.TrimRightFunc(rest, unicode.IsSpace)) // goes on in the next line
}

func toBlank(rest string) int {
	if i := strings.IndexAny(rest, " \t,]}"); i >= 0 {
		return i
	}
	return len(rest)
}

// syntaxFault reports an error of yaml.v3 where an author would look for it.
// The error itself names no column and often the line where an enclosing
// mapping began, so the line is found by reading the text again.
func (y *yamlFile) syntaxFault(err error) {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if after, ok := strings.CutPrefix(message, "line "); ok {
		if number, text, ok := strings.Cut(after, ": "); ok {
			line, _ = strconv.Atoi(number)
			message = text
		}
	}
	if strings.HasPrefix(message, "did not find") {
		line++ // yaml.v3 counts these from 0
	}
	opened := strings.Contains(message, "end of stream") || strings.Contains(message, "expected ','")
	if !opened { // else the line is where the quote or bracket was opened
		line = y.failingLine(message)
	}
	y.fault(ruleSyntax, y.src.wholeLine(line), "%s", advice(message))
}

// failingLine returns the line that yaml.v3 gave up at. Fed byte by byte, it
// has read only a little further than that; the line is then the first one
// that makes the text above it fail.
func (y *yamlFile) failingLine(message string) int {
	feed := &byteReader{text: y.src.text}
	dec := yaml.NewDecoder(feed)
	for {
		if _, err := decode(dec); err != nil {
			break
		}
	}
	line := 1 + strings.Count(strings.TrimRightFunc(y.src.text[:feed.off], unicode.IsSpace), "\n")
	for range 3 {
		if line == 1 || !y.failsAlike(y.src.text[:y.src.lines[line-1]], message) {
			break
		}
		line--
		for line > 1 && strings.TrimSpace(y.src.line(line)) == "" {
			line--
		}
	}
	return line
}

func (y *yamlFile) failsAlike(text, message string) bool {
	dec := yaml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := decode(dec); err != nil {
			return strings.HasSuffix(err.Error(), message)
		}
	}
}

// byteReader hands out one byte at a time and knows how many it gave.
type byteReader struct {
	text string
	off  int
}

func (r *byteReader) Read(p []byte) (int, error) {
	if r.off == len(r.text) {
		return 0, io.EOF
	}
	r.off++
	return copy(p, r.text[r.off-1:r.off]), nil
}

// advice says in the author's terms what yaml.v3 says in a scanner's.
func advice(message string) string {
	for _, a := range [...]struct{ sign, text string }{
		{"mapping values are not allowed", `a ": " where no key can stand; put text that contains it in quotes, or mend the indentation`},
		{"cannot start any token", "a value cannot start with this character; put text in quotes, and indent with spaces, not tabs"},
		{"expected key", "this line does not go on with what is above it; mend its indentation or quotes"},
		{"expected '-' indicator", "this line does not go on with the list above it; mend its indentation"},
		{"could not find expected ':'", `a key without a value; write "key: value"`},
		{"end of stream", "a quote or bracket opened here is not closed"},
		{"expected ',' or ']'", `the list opened here is not closed; separate its items with commas and end it with "]"`},
		{"expected ',' or '}'", `the mapping opened here is not closed; separate its pairs with commas and end it with "}"`},
		{"alphabetic or numeric", "text that starts with & or * stands in quotes"},
		{"unknown anchor", "specs have no aliases; put text that starts with * in quotes"},
		{"exceeded max depth", "this nests too deep"},
	} {
		if strings.Contains(message, a.sign) {
			return a.text
		}
	}
	return "not valid YAML: " + message
}
