// Package report prints findings for machines: editors, code hosts, scripts.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/teaagent/teaagent/gen/spec"
)

// Formats lists what Write knows besides text, which a spec.Set prints itself.
var Formats = []string{"json", "sarif", "github"}

// Write prints the findings in a format of Formats. The rules are those that
// findings may be of; SARIF carries their purposes.
func Write(w io.Writer, format string, findings []spec.Finding, rules []spec.Rule) error {
	switch format {
	case "json":
		return writeJSON(w, findings)
	case "sarif":
		return writeSARIF(w, findings, rules)
	case "github":
		return writeGitHub(w, findings)
	}
	return fmt.Errorf("there is no format %q; there is text, %s", format, strings.Join(Formats, ", "))
}

// level is a severity as GitHub and SARIF call it.
func level(s spec.Severity) string {
	if s == spec.Warning {
		return "warning"
	}
	return "error"
}

func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

type jsonFinding struct {
	File     string `json:"file"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Width    int    `json:"width,omitempty"`
	Severity string `json:"severity"`
	Rule     string `json:"rule"`
	Message  string `json:"message"`
}

func writeJSON(w io.Writer, findings []spec.Finding) error {
	out := struct {
		Errors   int           `json:"errors"`
		Warnings int           `json:"warnings"`
		Findings []jsonFinding `json:"findings"`
	}{Findings: []jsonFinding{}}
	for _, f := range findings {
		if f.Severity == spec.Warning {
			out.Warnings++
		} else {
			out.Errors++
		}
		out.Findings = append(out.Findings, jsonFinding{f.Pos.File, f.Pos.Line, f.Pos.Col, f.Pos.Width, level(f.Severity), f.Rule, f.Message})
	}
	return encode(w, out)
}

// writeGitHub prints workflow commands, which GitHub shows beside the lines.
func writeGitHub(w io.Writer, findings []spec.Finding) error {
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	message := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	for _, f := range findings {
		at := "file=" + property.Replace(filepath.ToSlash(f.Pos.File))
		if f.Pos.Line > 0 {
			at += fmt.Sprintf(",line=%d,col=%d,endColumn=%d", f.Pos.Line, f.Pos.Col, f.Pos.Col+max(f.Pos.Width, 1))
		}
		if _, err := fmt.Fprintf(w, "::%s %s,title=%s::%s\n", level(f.Severity), at, property.Replace(f.Rule), message.Replace(f.Message)); err != nil {
			return err
		}
	}
	return nil
}

// used returns the rules that findings are of, in the order of the table.
func used(findings []spec.Finding, rules []spec.Rule) []spec.Rule {
	var of []spec.Rule
	for _, r := range rules {
		if slices.ContainsFunc(findings, func(f spec.Finding) bool { return f.Rule == r.ID }) {
			of = append(of, r)
		}
	}
	return of
}
