package gen

import (
	"github.com/teaagent/teaagent/gen/internal/plan"
	"github.com/teaagent/teaagent/gen/lint"
	"github.com/teaagent/teaagent/gen/spec"
)

// wire renders the tools as tools/list has them, in the order of the specs.
func wire(set *spec.Set, srv *plan.Server) ([]*lint.Tool, error) {
	rest := make(map[string][]*plan.Tool, len(srv.Categories))
	for _, c := range srv.Categories {
		rest[c.Name] = c.Tools
	}
	tools := make([]*lint.Tool, 0, len(set.Tools))
	for _, t := range set.Tools {
		planned := rest[t.Category.V]
		if len(planned) == 0 {
			continue
		}
		p := planned[0]
		rest[t.Category.V] = planned[1:]
		var output []byte
		if p.Output != nil {
			output = plan.AppendSchema(nil, p.Output)
		}
		entry, err := lint.NewTool(t, p.Spec.AppendWire(nil, string(plan.AppendSchema(nil, p.Input)), string(output)))
		if err != nil {
			return nil, err // our own JSON: our bug
		}
		tools = append(tools, entry)
	}
	return tools, nil
}
