package measure

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/teaagent/teaagent/bench/proc"
	"github.com/teaagent/teaagent/bench/report"
	"github.com/teaagent/teaagent/bench/shape"
	"github.com/teaagent/teaagent/bench/subject"
)

var argNames = []string{"path", "note", "count", "all", "order", "tags"}

// round is one subject's turn.
type round struct {
	ctx  context.Context
	s    *subject.Subject
	p    Plan
	took map[string]float64
}

// Round measures everything of one subject once.
func Round(ctx context.Context, s *subject.Subject, p Plan) (map[string]float64, error) {
	r := &round{ctx, s, p, map[string]float64{}}
	for _, tools := range p.Sizes {
		if err := r.starts(tools); err != nil {
			return nil, fmt.Errorf("%s, starts with %d tools: %w", s.Name, tools, err)
		}
		if err := r.serve(tools, func(server *proc.Server) error { return r.lists(server, tools) }); err != nil {
			return nil, fmt.Errorf("%s, lists of %d tools: %w", s.Name, tools, err)
		}
	}
	if err := r.serve(callTools, r.calls); err != nil {
		return nil, fmt.Errorf("%s, calls: %w", s.Name, err)
	}
	return r.took, nil
}

// serve starts a server, opens the session, runs f and stops the server.
func (r *round) serve(tools int, f func(*proc.Server) error) error {
	server, err := r.s.Start(r.ctx, tools)
	if err != nil {
		return err
	}
	err = server.Within(patience, func() error {
		if err := server.Initialize(); err != nil {
			return err
		}
		return server.Initialized()
	})
	if err == nil {
		err = f(server)
	}
	if err != nil {
		server.Kill()
		return err
	}
	return server.Stop()
}

// starts measures from the making of the process to the answer to initialize,
// and the first tools/list after it.
func (r *round) starts(tools int) error {
	var starts, lists []time.Duration
	names := toolNames(tools)
	for range r.p.Starts {
		server, err := r.s.Start(r.ctx, tools)
		if err != nil {
			return err
		}
		err = server.Within(patience, func() error {
			if err := server.Initialize(); err != nil {
				return err
			}
			starts = append(starts, time.Since(server.Started))
			if err := server.Initialized(); err != nil {
				return err
			}
			list, err := server.List(names, argNames)
			lists = append(lists, list)
			return err
		})
		if err != nil {
			server.Kill()
			return err
		}
		if err := server.Stop(); err != nil {
			return err
		}
	}
	r.took[report.StartKey(tools)] = millis(quantile(starts, 0.5))
	r.took[report.ListKey(tools)] = millis(quantile(lists, 0.5))
	return nil
}

// lists measures tools/list when it was asked for before.
func (r *round) lists(server *proc.Server, tools int) error {
	if tools == 10 {
		now, _, err := server.Memory()
		if err != nil {
			return err
		}
		r.took[report.MemStart] = mebi(now)
	}
	names := toolNames(tools)
	var took []time.Duration
	err := server.Within(patience, func() error {
		for range r.p.Lists + 1 {
			list, err := server.List(names, argNames)
			if err != nil {
				return err
			}
			took = append(took, list)
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.took[report.AgainKey(tools)] = millis(quantile(took[1:], 0.5))
	if tools == 1000 {
		_, peak, err := server.Memory()
		if err != nil {
			return err
		}
		r.took[report.MemPeakAll] = mebi(peak)
	}
	return nil
}

func toolNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = shape.Name(i + 1)
	}
	return names
}

// quantile returns the q-th quantile of took, of which there must be one.
func quantile(took []time.Duration, q float64) time.Duration {
	sorted := slices.Sorted(slices.Values(took))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
func mebi(bytes int64) float64       { return float64(bytes) / (1 << 20) }
