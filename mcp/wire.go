package mcp

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/teaagent/teaagent/mcp/internal/lex"
)

// AppendWire appends a tool as tools/list has it. It is the one projection of
// a spec to its wire form: manifests, docs and tests compare through it too.
// input and output are the tool's JSON schemas; output may be nil.
func (s *Spec) AppendWire(b, input, output []byte) []byte {
	e := Encoder{buf: b}
	e.Begin('{')
	e.Key("name")
	e.Text(s.Name)
	e.field("title", s.Title)
	e.Key("description")
	e.Text(s.WireDescription())
	e.Key("inputSchema")
	e.raw(input)
	if output != nil {
		e.Key("outputSchema")
		e.raw(output)
	}
	e.Key("annotations")
	e.Begin('{')
	e.field("title", s.Title)
	e.Key("readOnlyHint")
	e.Bool(s.ReadOnly)
	e.Key("destructiveHint")
	e.Bool(s.Destructive)
	e.Key("idempotentHint")
	e.Bool(s.Idempotent)
	e.Key("openWorldHint")
	e.Bool(s.OpenWorld)
	s.annotations(&e)
	e.End('}')
	// Client libraries strip annotation keys that they do not know, and keep _meta.
	e.Key("_meta")
	e.Begin('{')
	e.Key("dev.teaagent/annotations")
	e.Begin('{')
	s.annotations(&e)
	e.End('}')
	e.End('}')
	e.End('}')
	return e.buf
}

// WireDescription is the description that clients show: the one sentence, and
// the usage behind it.
func (s *Spec) WireDescription() string {
	if s.Usage == "" {
		return s.Description
	}
	return s.Description + "\n\n" + s.Usage
}

// annotations writes the five that the standard names and the protocol does not.
func (s *Spec) annotations(e *Encoder) {
	e.Key("readOnly")
	e.Bool(s.ReadOnly)
	e.Key("destructive")
	e.Bool(s.Destructive)
	e.Key("idempotent")
	e.Bool(s.Idempotent)
	e.Key("stateful")
	e.Bool(s.Stateful)
	e.Key("securityTier")
	e.Text(s.Tier.String())
}

// splitBundle returns the schemas of a category's tools. The bundle has a line
// per tool, in the order of specs; anything else is not our generator's.
func splitBundle(bundle string, specs []Spec) (inputs, outputs [][]byte, err error) {
	lines := bytes.Split(bytes.TrimSpace([]byte(bundle)), []byte("\n"))
	if len(lines) != len(specs)+2 {
		return nil, nil, fmt.Errorf("a schema bundle has %d lines for %d tools: run go generate", len(lines), len(specs))
	}
	for i := range specs {
		line := bytes.TrimSuffix(bytes.TrimSpace(lines[i+1]), []byte(","))
		name := fmt.Sprintf("%q:", specs[i].Name)
		entry, ok := bytes.CutPrefix(line, []byte(name))
		if !ok {
			return nil, nil, fmt.Errorf("line %d of a schema bundle is not about %s: run go generate", i+2, specs[i].Name)
		}
		input, output, err := splitEntry(bytes.TrimSpace(entry))
		if err != nil {
			return nil, nil, fmt.Errorf("schemas of %s: %w: run go generate", specs[i].Name, err)
		}
		inputs = append(inputs, input)
		outputs = append(outputs, output)
	}
	return inputs, outputs, nil
}

// splitEntry reads {"input": …, "output": …}.
func splitEntry(entry []byte) (input, output []byte, err error) {
	var l lex.Lexer
	l.Reset(entry)
	if l.Kind() != '{' {
		return nil, nil, errors.New("not an object")
	}
	for l.Enter(); l.More(); {
		switch string(l.Key()) {
		case "input":
			input = l.Skip()
		case "output":
			output = l.Skip()
		default:
			l.Skip()
		}
	}
	if err := l.End(); err != nil {
		return nil, nil, err
	}
	if input == nil {
		return nil, nil, errors.New("no input schema")
	}
	return input, output, nil
}
