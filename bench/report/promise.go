package report

import (
	"fmt"
	"io"

	"github.com/teaagent/teaagent/bench/subject"
)

// Verdict is whether a run keeps a promise of the project.
type Verdict struct {
	Promise  string `json:"promise"`
	Measured string `json:"measured"` // empty if the run did not measure it
	Met      bool   `json:"met"`
}

// promise checks one bound; what it was checked on is empty if that was not measured.
type promise struct {
	says  string
	check func(r *Report) (measured string, met bool)
}

var promises = []promise{
	faster("64 in flight: at least 25 times the calls of go-sdk", InFlight, subject.GoSDK, 25),
	faster("64 in flight: at least 12 times the calls of mcp-go", InFlight, subject.MCPGo, 12),
	faster("64 in flight: at least 6 times the calls of the TypeScript SDK", InFlight, subject.TypeScript, 6),
	faster("one at a time: p50 at most a tenth of go-sdk's", CallP50, subject.GoSDK, 10),
	faster("start with 1000 tools: at most a fiftieth of go-sdk's", StartKey(1000), subject.GoSDK, 50),
	{"start with 1000 tools: at most 3 ms over 10 tools", startGrowth},
	faster("tools/list of 1000: at most a fiftieth of go-sdk's", ListKey(1000), subject.GoSDK, 50),
	faster("100 kB argument: at most a tenth of go-sdk's", BigP50, subject.GoSDK, 10),
	faster("memory peak: below go-sdk's", MemPeak, subject.GoSDK, 1),
	faster("memory peak: below mcp-go's", MemPeak, subject.MCPGo, 1),
	faster("memory peak: below the TypeScript SDK's", MemPeak, subject.TypeScript, 1),
	generator("generate 1000 tools from empty: under 1 s", GenEmpty, "ms", 1000),
	generator("generate 1000 tools, nothing changed: under 0.5 s", GenSame, "ms", 500),
	generator("generated lines: at most 60 a tool", GenLines, "lines", 60),
	generator("go build of 1000 tools: under 8 s", GenBuild, "ms", 8000),
}

// faster promises that ours is better than the peer's by a factor.
func faster(says, key, peer string, factor float64) promise {
	higher := false
	for _, m := range ServerMetrics() {
		if m.Key == key {
			higher = m.HigherIsBetter
		}
	}
	return promise{says, func(r *Report) (string, bool) {
		ours, haveOurs := r.median(subject.Ours, key)
		theirs, haveTheirs := r.median(peer, key)
		if !haveOurs || !haveTheirs {
			return "", false
		}
		times := theirs / ours
		if higher {
			times = ours / theirs
		}
		return fmt.Sprintf("%s against %s, a factor of %s", number(ours), number(theirs), number(times)), times >= factor
	}}
}

func startGrowth(r *Report) (string, bool) {
	few, haveFew := r.median(subject.Ours, StartKey(10))
	many, haveMany := r.median(subject.Ours, StartKey(1000))
	if !haveFew || !haveMany {
		return "", false
	}
	return fmt.Sprintf("%s ms over %s ms", number(many-few), number(few)), many-few <= 3
}

func generator(says, key, unit string, most float64) promise {
	return promise{says, func(r *Report) (string, bool) {
		s := r.Generator[key]
		if s == nil {
			return "", false
		}
		return number(s.Median) + " " + unit, s.Median <= most
	}}
}

// Judge fills in the verdicts and reports whether every promise was measured and met.
func (r *Report) Judge() bool {
	r.Promises = nil
	all := true
	for _, p := range promises {
		measured, met := p.check(r)
		r.Promises = append(r.Promises, Verdict{p.says, measured, met})
		all = all && met
	}
	return all
}

// Verdicts writes each promise with what became of it.
func (r *Report) Verdicts(out io.Writer) {
	for _, v := range r.Promises {
		switch {
		case v.Measured == "":
			fmt.Fprintf(out, "not measured  %s\n", v.Promise)
		case v.Met:
			fmt.Fprintf(out, "met           %s (%s)\n", v.Promise, v.Measured)
		default:
			fmt.Fprintf(out, "NOT met       %s (%s)\n", v.Promise, v.Measured)
		}
	}
}
