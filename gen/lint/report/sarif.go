package report

import (
	"io"
	"net/url"
	"path/filepath"

	"github.com/teaagent/teaagent/gen/spec"
)

// The parts of SARIF 2.1.0 that findings need.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID    string    `json:"id"`
		Short sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndColumn   int `json:"endColumn"`
	}
)

func writeSARIF(w io.Writer, findings []spec.Finding, rules []spec.Rule) error {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "teagen", InformationURI: "https://github.com/teaagent/teaagent", Rules: []sarifRule{}}},
		ColumnKind: "unicodeCodePoints",
		Results:    []sarifResult{},
	}
	for _, r := range used(findings, rules) {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{r.ID, sarifText{r.Purpose}})
	}
	for _, f := range findings {
		at := sarifPhysical{Artifact: sarifArtifact{(&url.URL{Path: filepath.ToSlash(f.Pos.File)}).String()}}
		if f.Pos.Line > 0 {
			at.Region = &sarifRegion{f.Pos.Line, f.Pos.Col, f.Pos.Col + max(f.Pos.Width, 1)}
		}
		run.Results = append(run.Results, sarifResult{f.Rule, level(f.Severity), sarifText{f.Message}, []sarifLocation{{at}}})
	}
	return encode(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}
