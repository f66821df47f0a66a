package emit

import "github.com/teaagent/teaagent/gen/internal/plan"

// bundle is a category's schemas: a JSON object with a line for every schema, so
// that a diff shows what changed and the runtime finds each without parsing.
func bundle(c *plan.Category) []byte {
	b := []byte("{\n")
	for i, t := range c.Tools {
		if i > 0 {
			b = append(b, ",\n"...)
		}
		b = plan.AppendString(b, t.Spec.Name)
		b = plan.AppendSchema(append(b, `:{"input":`...), t.Input)
		if t.Output != nil {
			b = plan.AppendSchema(append(b, ",\n\"output\":"...), t.Output)
		}
		b = append(b, '}')
	}
	return append(b, "\n}\n"...)
}
