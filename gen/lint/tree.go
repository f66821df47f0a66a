package lint

import (
	"encoding/json"
	"errors"
	"fmt"
)

// tree is a JSON value that knows where it stands.
type tree struct {
	kind  byte    // one of {["0tfn
	text  string  // of a text; of a number its source
	keys  []tree  // of an object, in order
	items []*tree // of an array, or the values of an object
	off   int
}

// parse reads one JSON value.
func parse(data []byte) (*tree, error) {
	if !json.Valid(data) {
		var v any
		if err := json.Unmarshal(data, &v); err != nil {
			return nil, err
		}
		return nil, errors.New("not JSON")
	}
	if depth(data) > maxDepth {
		return nil, fmt.Errorf("nested more than %d deep", maxDepth)
	}
	p := parser{data: data}
	t := p.value()
	return &t, nil
}

// maxDepth bounds the work on hostile schemas. Nobody's are a tenth as deep.
const maxDepth = 200

// depth returns how deep valid JSON is nested.
func depth(data []byte) int {
	depth, most, text := 0, 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case text:
		case c == '[' || c == '{':
			depth++
			most = max(most, depth)
		case c == ']' || c == '}':
			depth--
		}
	}
	return most
}

// get returns the value of a key; nil if there is none, or no object.
func (t *tree) get(key string) *tree {
	if t == nil || t.kind != '{' {
		return nil
	}
	for i := range t.keys {
		if t.keys[i].text == key {
			return t.items[i]
		}
	}
	return nil
}

// isText reports whether t is the given text.
func (t *tree) isText(text string) bool { return t != nil && t.kind == '"' && t.text == text }

// parser walks JSON that is known to be valid.
type parser struct {
	data []byte
	i    int
}

func (p *parser) space() {
	for p.i < len(p.data) && (p.data[p.i] == ' ' || p.data[p.i] == '\t' || p.data[p.i] == '\n' || p.data[p.i] == '\r' || p.data[p.i] == ',' || p.data[p.i] == ':') {
		p.i++
	}
}

func (p *parser) value() tree {
	p.space()
	t := tree{kind: p.data[p.i], off: p.i}
	switch t.kind {
	case '"':
		t.text = p.string()
	case '[', '{':
		p.i++
		for p.space(); p.data[p.i] != ']' && p.data[p.i] != '}'; p.space() {
			if t.kind == '{' {
				key := tree{kind: '"', off: p.i}
				key.text = p.string()
				t.keys = append(t.keys, key)
			}
			v := p.value()
			t.items = append(t.items, &v)
		}
		p.i++
	case 't', 'n':
		p.i += 4
	case 'f':
		p.i += 5
	default:
		for p.i < len(p.data) && isNumberByte(p.data[p.i]) {
			p.i++
		}
		t.kind, t.text = '0', string(p.data[t.off:p.i])
	}
	return t
}

func isNumberByte(b byte) bool {
	return '0' <= b && b <= '9' || b == '-' || b == '+' || b == '.' || b == 'e' || b == 'E'
}

func (p *parser) string() string {
	start := p.i
	escaped := false
	for p.i++; p.data[p.i] != '"'; p.i++ {
		if p.data[p.i] == '\\' {
			escaped = true
			p.i++
		}
	}
	p.i++
	source := p.data[start:p.i]
	if !escaped {
		return string(source[1 : len(source)-1])
	}
	var text string
	_ = json.Unmarshal(source, &text) // valid already
	return text
}

// end returns where the value that starts here ends.
func (p *parser) end() int {
	p.value()
	return p.i
}
