package measure

import (
	"context"
	"fmt"

	"github.com/teaagent/teaagent/bench/proc"
	"github.com/teaagent/teaagent/bench/shape"
	"github.com/teaagent/teaagent/bench/subject"
	"github.com/teaagent/teaagent/bench/wire"
)

// Probe checks once, before anything is measured, that a subject decodes,
// defaults and validates what it should.
func Probe(ctx context.Context, s *subject.Subject) error {
	r := &round{ctx, s, Plan{}, nil}
	err := r.serve(callTools, func(server *proc.Server) error {
		if _, err := server.List(toolNames(callTools), argNames); err != nil {
			return err
		}
		b := server.NewBatch()
		if err := r.probes(b); err != nil {
			return err
		}
		_, err := b.Serial(0)
		return err
	})
	if err != nil {
		return fmt.Errorf("%s does not do what is measured: %w", s.Name, err)
	}
	return nil
}

func (r *round) probes(b *wire.Batch) error {
	for i := range 6 {
		args, want := r.good(i)
		if err := b.Add(tool(i), args, want); err != nil {
			return err
		}
	}
	if r.s.Canned {
		return nil
	}
	sparse := shape.Args{Path: "a"}
	if err := b.Add(tool(0), sparse, wire.Text(sparse.Want())); err != nil {
		return err
	}
	for _, bad := range []map[string]any{
		{},
		{"path": ""},
		{"path": 7},
		{"path": "a", "count": 0},
		{"path": "a", "count": shape.BadCount},
		{"path": "a", "count": "many"},
		{"path": "a", "all": "yes"},
		{"path": "a", "order": "colour"},
		{"path": "a", "tags": []any{"x", 1}},
	} {
		if err := b.Add(tool(1), bad, wire.Refusal); err != nil {
			return err
		}
	}
	return nil
}
