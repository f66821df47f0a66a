package report

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
)

// Stat is a metric over the rounds of a run.
type Stat struct {
	Median float64   `json:"median"`
	Min    float64   `json:"min"`
	Max    float64   `json:"max"`
	Rounds []float64 `json:"rounds"` // each already a median, where a round took several
}

// Stats are the metrics of one subject, by key.
type Stats map[string]*Stat

// Add adds one round's values.
func (s Stats) Add(round map[string]float64) {
	for key, v := range round {
		if s[key] == nil {
			s[key] = &Stat{}
		}
		s[key].Rounds = append(s[key].Rounds, v)
		s[key].settle()
	}
}

func (s *Stat) settle() {
	s.Median, s.Min, s.Max = Median(s.Rounds), slices.Min(s.Rounds), slices.Max(s.Rounds)
}

// Median returns the median of values, of which there must be one.
func Median(values []float64) float64 {
	v := slices.Sorted(slices.Values(values))
	mid := len(v) / 2
	if len(v)%2 == 1 {
		return v[mid]
	}
	return (v[mid-1] + v[mid]) / 2
}

// Report is a run.
type Report struct {
	Quick     bool             `json:"quick"`
	Go        string           `json:"go"`
	Platform  string           `json:"platform"`
	CPUs      int              `json:"cpus"`
	Subjects  map[string]Stats `json:"subjects"`
	Generator Stats            `json:"generator,omitempty"`
	Promises  []Verdict        `json:"promises"`
}

// New returns a report without measurements.
func New(quick bool) *Report {
	return &Report{
		Quick:     quick,
		Go:        runtime.Version(),
		Platform:  runtime.GOOS + "/" + runtime.GOARCH,
		CPUs:      runtime.NumCPU(),
		Subjects:  map[string]Stats{},
		Generator: Stats{},
	}
}

// Subject returns the stats of a subject, for adding to.
func (r *Report) Subject(name string) Stats {
	if r.Subjects[name] == nil {
		r.Subjects[name] = Stats{}
	}
	return r.Subjects[name]
}

// median returns the median of a subject's metric, if it was measured.
func (r *Report) median(subject, key string) (float64, bool) {
	s := r.Subjects[subject][key]
	if s == nil {
		return 0, false
	}
	return s.Median, true
}

// Save writes the report as JSON.
func (r *Report) Save(name string) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(b, '\n'), 0o644)
}

// Load reads a report that Save wrote.
func Load(name string) (*Report, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var r Report
	if err := json.Unmarshal(b, &r); err != nil {
		return nil, fmt.Errorf("%s is not a report of this benchmark: %w", name, err)
	}
	return &r, nil
}
