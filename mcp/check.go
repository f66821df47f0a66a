package mcp

import "fmt"

// Check decodes arguments as a call of the tool would, and returns how they
// break its schema. No handler runs. The error says that there is no such tool,
// or that arguments is no JSON.
func Check[H any](s *Server[H], name string, arguments []byte) ([]Violation, error) {
	for i := range s.Categories {
		category := &s.Categories[i]
		for j := range category.Specs {
			if category.Specs[j].Name != name {
				continue
			}
			c := &Call{srv: new(server), tool: &tool{spec: &category.Specs[j]}, args: arguments, dec: new(Decoder), checkOnly: true}
			var none H
			category.Call(c, none, j)
			if err := c.dec.lex.End(); err != nil {
				return nil, err
			}
			return c.dec.violations, nil
		}
	}
	return nil, fmt.Errorf("there is no tool %q", name)
}

// Schemas returns a tool's JSON schemas as tools/list has them; output is nil
// for a tool without a declared result.
func Schemas[H any](s *Server[H], name string) (input, output []byte, err error) {
	for i := range s.Categories {
		category := &s.Categories[i]
		inputs, outputs, err := splitBundle(*category.Schemas, category.Specs)
		if err != nil {
			return nil, nil, err
		}
		for j := range category.Specs {
			if category.Specs[j].Name == name {
				if outputs[j] != "" {
					output = []byte(outputs[j])
				}
				return []byte(inputs[j]), output, nil
			}
		}
	}
	return nil, nil, fmt.Errorf("there is no tool %q", name)
}
