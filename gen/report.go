package gen

import (
	"io"

	"github.com/teaagent/teaagent/gen/lint/report"
	"github.com/teaagent/teaagent/gen/spec"
)

// Formats returns the formats that Write knows; Print prints text.
func Formats() []string { return report.Formats }

// Write prints the findings for machines, in a format of Formats.
func (r *Report) Write(w io.Writer, format string) error {
	var rules []spec.Rule
	for _, rule := range Rules() {
		rules = append(rules, spec.Rule{ID: rule.ID, Purpose: rule.Purpose})
	}
	return report.Write(w, format, r.Findings, rules)
}
