// Package report turns measurements into a table, a file, a comparison with an
// earlier run, and a verdict on what the project promises.
package report

import "fmt"

// Metric is one thing that is measured.
type Metric struct {
	Key            string
	Title          string
	Unit           string
	HigherIsBetter bool
	Scale          Scale
}

// Scale says what a metric is divided by before two runs are compared, so that
// a slower machine is not taken for a slower server.
type Scale uint8

const (
	ByLoop  Scale = iota // the same metric of the loop, in the same run
	ByBuild              // the build of a fixed package, in the same run
	Plain                // does not depend on the machine's speed
	Never                // too unsteady to be compared, or not ours
)

// Sizes are the numbers of tools that servers are started with; a quick run
// leaves out the one between.
var Sizes = []int{10, 100, 1000}

// Keys of the metrics that several places name.
const (
	CallP50    = "call_p50"
	CallP99    = "call_p99"
	PacedP50   = "paced_p50"
	InFlight   = "in_flight"
	CPUPerCall = "cpu_per_call"
	DriverCPU  = "driver_cpu_per_call"
	BigP50     = "big_p50"
	BadP50     = "bad_p50"
	MemStart   = "memory_start"
	MemPeak    = "memory_peak"
	MemPeakAll = "memory_peak_1000"

	GenEmpty = "generate_from_empty"
	GenSame  = "generate_unchanged"
	GenLines = "generated_lines_per_tool"
	GenBuild = "build_generated"
	Yard     = "build_fixed_package"
)

// StartKey is the key of the start with that many tools.
func StartKey(tools int) string { return fmt.Sprintf("start_%d", tools) }

// ListKey is the key of the first tools/list with that many tools.
func ListKey(tools int) string { return fmt.Sprintf("list_%d", tools) }

// AgainKey is the key of later tools/list with that many tools.
func AgainKey(tools int) string { return fmt.Sprintf("list_again_%d", tools) }

// ServerMetrics lists what is measured of every server, in the table's order.
func ServerMetrics() []Metric {
	var m []Metric
	for _, n := range Sizes {
		m = append(m, Metric{Key: StartKey(n), Title: fmt.Sprintf("start to initialize, %d tools", n), Unit: "ms"})
	}
	for _, n := range Sizes {
		m = append(m, Metric{Key: ListKey(n), Title: fmt.Sprintf("first tools/list, %d tools", n), Unit: "ms"})
	}
	for _, n := range Sizes {
		m = append(m, Metric{Key: AgainKey(n), Title: fmt.Sprintf("later tools/list, %d tools", n), Unit: "ms"})
	}
	return append(m,
		Metric{Key: CallP50, Title: "call, one at a time, p50", Unit: "µs"},
		Metric{Key: CallP99, Title: "call, one at a time, p99", Unit: "µs", Scale: Never},
		Metric{Key: PacedP50, Title: "call, 2 ms apart, p50", Unit: "µs"},
		Metric{Key: InFlight, Title: "calls, 64 in flight", Unit: "/s", HigherIsBetter: true},
		Metric{Key: CPUPerCall, Title: "CPU per call, 64 in flight", Unit: "µs"},
		Metric{Key: DriverCPU, Title: "the driver's CPU per call", Unit: "µs", Scale: Never},
		Metric{Key: BigP50, Title: "100 kB argument echoed, p50", Unit: "µs"},
		Metric{Key: BadP50, Title: "argument out of range, p50", Unit: "µs"},
		Metric{Key: MemStart, Title: "memory at start, 10 tools", Unit: "MiB", Scale: Plain},
		Metric{Key: MemPeak, Title: "memory peak, 10 tools", Unit: "MiB", Scale: Plain},
		Metric{Key: MemPeakAll, Title: "memory peak, 1000 tools listed", Unit: "MiB", Scale: Plain},
	)
}

// GeneratorMetrics lists what is measured of the generator.
func GeneratorMetrics() []Metric {
	return []Metric{
		{Key: GenEmpty, Title: "generate 1000 tools from empty", Unit: "ms", Scale: ByBuild},
		{Key: GenSame, Title: "the same, nothing changed", Unit: "ms", Scale: ByBuild},
		{Key: GenLines, Title: "generated lines per tool", Unit: "", Scale: Plain},
		{Key: GenBuild, Title: "go build of 1000 tools", Unit: "ms", Scale: ByBuild},
		{Key: Yard, Title: "go build of a fixed package", Unit: "ms", Scale: Never},
	}
}
