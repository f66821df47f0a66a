package report

import (
	"errors"
	"fmt"

	"github.com/teaagent/teaagent/bench/subject"
)

// tolerance is how much worse than an earlier run a median may be.
const tolerance = 1.10

// ErrOtherKind says that one of two runs is quick and the other is not: their
// servers are not equally warm.
var ErrOtherKind = errors.New("the baseline is of the other kind: compare a -quick run with a -quick run, a full one with a full one")

// Regression is a median of ours that got worse than the tolerance allows.
type Regression struct {
	Metric Metric
	Worse  float64 // a factor over 1
}

func (g Regression) String() string {
	return fmt.Sprintf("%s: %.0f %% worse than the baseline", g.Metric.Title, (g.Worse-1)*100)
}

// Against compares ours with an earlier run. Times are taken in proportion to
// those of the loop in the same run (and of the fixed package's build, for the
// generator), so that the machine's mood cancels; memory and lines as they are.
func (r *Report) Against(before *Report) ([]Regression, error) {
	if r.Quick != before.Quick {
		return nil, ErrOtherKind
	}
	var worse []Regression
	compared := 0
	compare := func(m Metric, value func(*Report, string) (float64, bool), scale func(*Report) (float64, bool)) error {
		now, haveNow := value(r, m.Key)
		then, haveThen := value(before, m.Key)
		if !haveNow || !haveThen || m.Scale == Never {
			return nil
		}
		if m.Scale != Plain {
			nowBy, ok := scale(r)
			thenBy, ok2 := scale(before)
			if !ok || !ok2 {
				return fmt.Errorf("%s: nothing to compare in proportion to; measure the loop in both runs", m.Title)
			}
			now, then = now/nowBy, then/thenBy
		}
		compared++
		factor := now / then
		if m.HigherIsBetter {
			factor = then / now
		}
		if factor > tolerance {
			worse = append(worse, Regression{m, factor})
		}
		return nil
	}
	ours := func(r *Report, key string) (float64, bool) { return r.median(subject.Ours, key) }
	for _, m := range ServerMetrics() {
		if err := compare(m, ours, func(r *Report) (float64, bool) { return r.median(subject.Loop, m.Key) }); err != nil {
			return nil, err
		}
	}
	for _, m := range GeneratorMetrics() {
		if err := compare(m, (*Report).generator, func(r *Report) (float64, bool) { return r.generator(Yard) }); err != nil {
			return nil, err
		}
	}
	if compared == 0 {
		return nil, errors.New("the two runs have no measurement of ours in common")
	}
	return worse, nil
}

// generator returns the median of one of the generator's metrics.
func (r *Report) generator(key string) (float64, bool) {
	s := r.Generator[key]
	if s == nil {
		return 0, false
	}
	return s.Median, true
}
