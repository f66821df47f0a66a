package report

import (
	"strings"
	"testing"

	"github.com/teaagent/teaagent/bench/subject"
)

// measured returns a run in which ours keeps every promise, on a machine that
// is slower than the reference by a factor.
func measured(slower float64) *Report {
	r := New(false)
	for _, name := range subject.All {
		times := map[string]float64{subject.Ours: 2, subject.Loop: 1}[name]
		if times == 0 {
			times = 200
		}
		took := map[string]float64{}
		for _, m := range ServerMetrics() {
			switch {
			case m.Scale == Plain:
				took[m.Key] = times
			case m.HigherIsBetter:
				took[m.Key] = 1e6 / times / slower
			default:
				took[m.Key] = times * slower
			}
		}
		r.Subject(name).Add(took)
	}
	r.Generator.Add(map[string]float64{GenEmpty: 900 * slower, GenSame: 400 * slower, GenLines: 50, GenBuild: 7000 * slower, Yard: 1000 * slower})
	return r
}

func TestSlowerMachineIsNoRegression(t *testing.T) {
	worse, err := measured(3).Against(measured(1))
	if err != nil || len(worse) > 0 {
		t.Errorf("regressions %v, error %v; want none", worse, err)
	}
}

func TestRegressionIsNamed(t *testing.T) {
	for _, m := range append(ServerMetrics(), GeneratorMetrics()...) {
		r := measured(2)
		stats := r.Subject(subject.Ours)
		if stats[m.Key] == nil {
			stats = r.Generator
		}
		factor := 1.2
		if m.HigherIsBetter {
			factor = 1 / 1.2
		}
		stats[m.Key].Median *= factor
		worse, err := r.Against(measured(1))
		if err != nil {
			t.Fatal(err)
		}
		if m.Key == Yard {
			continue // it is what the others are compared by
		}
		if m.Scale == Never {
			if len(worse) > 0 {
				t.Errorf("%s is compared: %v", m.Key, worse)
			}
			continue
		}
		if len(worse) != 1 || !strings.Contains(worse[0].String(), m.Title) || !strings.Contains(worse[0].String(), "20 %") {
			t.Errorf("20 %% more of %s gives %v; want it named alone", m.Key, worse)
		}
	}
}

func TestSmallChangesAndGainsAreNoRegression(t *testing.T) {
	r := measured(1)
	r.Subject(subject.Ours)[CallP50].Median *= 1.09
	r.Subject(subject.Ours)[InFlight].Median *= 5
	r.Subject(subject.Ours)[BigP50].Median /= 5
	if worse, err := r.Against(measured(1)); err != nil || len(worse) > 0 {
		t.Errorf("regressions %v, error %v; want none", worse, err)
	}
}

func TestIncomparableRunsAreRefused(t *testing.T) {
	quick := measured(1)
	quick.Quick = true
	if _, err := measured(1).Against(quick); err == nil {
		t.Error("a full run was compared with a quick one")
	}
	loopless := measured(1)
	delete(loopless.Subjects, subject.Loop)
	if _, err := measured(1).Against(loopless); err == nil || !strings.Contains(err.Error(), "loop") {
		t.Errorf("comparison without a loop gives %v; want it refused", err)
	}
	if _, err := measured(1).Against(New(false)); err == nil {
		t.Error("a run was compared with an empty one")
	}
}

func TestPromises(t *testing.T) {
	if r := measured(1); !r.Judge() {
		t.Errorf("a good run breaks promises: %+v", r.Promises)
	}
	for says, spoil := range map[string]func(*Report){
		"25 times the calls of go-sdk":        func(r *Report) { r.Subjects[subject.GoSDK][InFlight].Median = 1e6 / 2 / 24.9 },
		"12 times the calls of mcp-go":        func(r *Report) { r.Subjects[subject.MCPGo][InFlight].Median = 1e6 / 2 / 11.9 },
		"6 times the calls of the TypeScript": func(r *Report) { r.Subjects[subject.TypeScript][InFlight].Median = 1e6 / 2 / 5.9 },
		"a tenth of go-sdk's":                 func(r *Report) { r.Subjects[subject.GoSDK][CallP50].Median = 19.9 },
		"a fiftieth of go-sdk's":              func(r *Report) { r.Subjects[subject.GoSDK][ListKey(1000)].Median = 99 },
		"3 ms over":                           func(r *Report) { r.Subjects[subject.Ours][StartKey(10)].Median = -1.1 },
		"100 kB argument":                     func(r *Report) { r.Subjects[subject.GoSDK][BigP50].Median = 19 },
		"memory peak: below the TypeScript":   func(r *Report) { r.Subjects[subject.TypeScript][MemPeak].Median = 1.9 },
		"from empty: under 1 s":               func(r *Report) { r.Generator[GenEmpty].Median = 1001 },
		"nothing changed: under 0.5 s":        func(r *Report) { r.Generator[GenSame].Median = 501 },
		"at most 60":                          func(r *Report) { r.Generator[GenLines].Median = 61 },
		"go build of 1000 tools: under 8 s":   func(r *Report) { r.Generator[GenBuild].Median = 8001 },
	} {
		r := measured(1)
		spoil(r)
		if r.Judge() {
			t.Errorf("%s: no promise is broken", says)
		}
		var out strings.Builder
		r.Verdicts(&out)
		var missed []string
		for line := range strings.Lines(out.String()) {
			if strings.HasPrefix(line, "NOT met") {
				missed = append(missed, line)
			}
		}
		if len(missed) != 1 || !strings.Contains(missed[0], says) {
			t.Errorf("%s: missed are %q", says, missed)
		}
	}
}

func TestUnmeasuredPromiseIsNotKept(t *testing.T) {
	r := measured(1)
	delete(r.Subjects, subject.TypeScript)
	if r.Judge() {
		t.Error("a run without a peer keeps what is promised beside it")
	}
	var out strings.Builder
	r.Verdicts(&out)
	if !strings.Contains(out.String(), "not measured  64 in flight: at least 6 times") {
		t.Errorf("verdicts do not say what was not measured:\n%s", &out)
	}
}
