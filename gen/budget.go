package gen

import "github.com/teaagent/teaagent/gen/lint"

// Cost is what a tool adds to tools/list.
type Cost struct {
	Tool   string
	Bytes  int
	Tokens int // estimated
}

// Budget says what tools/list costs its reader: each tool, in the order of the
// specs, and the whole. The report's findings are those of the specs.
func Budget(o Options) (r *Report, tools []Cost, total Cost, err error) {
	r, _, err = inspect(o.withDefaults())
	if err != nil {
		return r, nil, total, err
	}
	for _, t := range r.wire {
		tools = append(tools, Cost{t.Spec.Name.V, len(t.JSON), lint.Tokens(len(t.JSON))})
	}
	n := lint.Bytes(r.wire)
	return r, tools, Cost{"", n, lint.Tokens(n)}, nil
}
