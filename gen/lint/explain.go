package lint

import (
	"fmt"
	"strings"

	"github.com/teaagent/teaagent/gen/spec"
)

// Explain returns what a person needs to know of a rule whose finding they
// read: what it asks for, for whom, an example of both sorts, and how to be
// let off.
func (r *Rule) Explain() string {
	var b strings.Builder
	severity := "error"
	if r.Severity == spec.Warning {
		severity = "warning"
	}
	fmt.Fprintf(&b, "%s (%s, %s)\n\n%s\n", r.ID, r.Kind, severity, r.Purpose)
	if len(r.Profiles) > 0 {
		fmt.Fprintf(&b, "\nClients: %s.\nSource: %s (as of %s).\n", strings.Join(r.Profiles, ", "), r.Source, FactsAsOf)
	}
	if r.Fail != "" {
		fmt.Fprintf(&b, "\nRight:\n\n%s\nWrong:\n\n%s", indented(r.Pass), indented(r.Fail))
		if r.Server != "" {
			fmt.Fprintf(&b, "\nbeside this in server.yaml:\n\n%s", indented(r.Server))
		}
	}
	if r.Kind == Standard || r.Kind == Clients || r.Kind == Safety || r.Kind == Cost {
		fmt.Fprintf(&b, "\nTo allow it in one place, beside the tool or in server.yaml:\n\n    lint: {allow: %s, because: …}\n", r.ID)
		fmt.Fprintf(&b, "\nTo change what it is for the whole server, in server.yaml:\n\n    lint: {severity: {%s: off}%s}\n", r.ID, map[bool]string{true: ", because: …"}[r.Severity == spec.Error])
	}
	return b.String()
}

// indented returns an example as a block, its long lines cut.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if runes := []rune(line); len(runes) > 240 {
			line = string(runes[:240]) + "…"
		}
		fmt.Fprintf(&b, "    %s\n", line)
	}
	return b.String()
}
