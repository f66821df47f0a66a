package mcp

import (
	"errors"
	"fmt"
	"strings"
)

// AppendWire appends a tool as tools/list has it. It is the one projection of
// a spec to its wire form: manifests, docs and tests compare through it too.
// input and output are the tool's JSON schemas; output may be empty.
func (s *Spec) AppendWire(b []byte, input, output string) []byte {
	e := Encoder{buf: b}
	e.Begin('{')
	e.Key("name")
	e.Text(s.Name)
	e.field("title", s.Title)
	e.Key("description")
	e.Text(s.WireDescription())
	e.Key("inputSchema")
	e.source(input)
	if output != "" {
		e.Key("outputSchema")
		e.source(output)
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

// splitBundle returns the schemas of a category's tools. The generator writes a
// line for each, in the order of specs, so that nothing need be parsed at a
// server's first tools/list:
//
//	{
//	"t_a":{"input":{…}},
//	"t_b":{"input":{…},
//	"output":{…}}
//	}
func splitBundle(bundle string, specs []Spec) (inputs, outputs []string, err error) {
	inputs, outputs = make([]string, len(specs)), make([]string, len(specs))
	lines := strings.Split(strings.TrimSuffix(strings.TrimPrefix(bundle, "{\n"), "\n}\n"), "\n")
	for i := range specs {
		if len(lines) == 0 {
			return nil, nil, fmt.Errorf("a schema bundle ends before %s: run go generate", specs[i].Name)
		}
		entry, ok := strings.CutPrefix(lines[0], `"`+specs[i].Name+`":{"input":`)
		if !ok {
			return nil, nil, fmt.Errorf("a schema bundle has another tool where %s is due: run go generate", specs[i].Name)
		}
		lines = lines[1:]
		if len(lines) > 0 {
			if output, ok := strings.CutPrefix(lines[0], `"output":`); ok {
				inputs[i] = strings.TrimSuffix(entry, ",")
				outputs[i] = endEntry(output)
				lines = lines[1:]
				continue
			}
		}
		inputs[i] = endEntry(entry)
	}
	if len(lines) > 0 {
		return nil, nil, errors.New("a schema bundle goes on after its last tool: run go generate")
	}
	return inputs, outputs, nil
}

// endEntry takes off the brace of a tool's entry and the comma behind it.
func endEntry(line string) string {
	return strings.TrimSuffix(strings.TrimSuffix(line, ","), "}")
}
