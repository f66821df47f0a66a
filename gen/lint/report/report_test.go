package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/teaagent/teaagent/gen/spec"
)

var findings = []spec.Finding{
	{Pos: spec.Pos{File: "specs/a b,c.yaml", Line: 3, Col: 7, Width: 4}, Rule: "desc-length", Message: "100% too long:\nwrite <less>"},
	{Pos: spec.Pos{File: "specs/d.yaml"}, Rule: "spec-missing", Severity: spec.Warning, Message: "nothing there"},
}

var table = []spec.Rule{{ID: "desc-length", Purpose: "Short."}, {ID: "other", Purpose: "Other."}, {ID: "spec-missing", Purpose: "There."}}

func write(t *testing.T, format string, findings []spec.Finding) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, findings, table); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGitHub(t *testing.T) {
	want := `::error file=specs/a b%2Cc.yaml,line=3,col=7,endColumn=11,title=desc-length::100%25 too long:%0Awrite <less>
::warning file=specs/d.yaml,title=spec-missing::nothing there
`
	if got := write(t, "github", findings); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestJSON(t *testing.T) {
	var out struct {
		Errors, Warnings int
		Findings         []map[string]any
	}
	text := write(t, "json", findings)
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	if out.Errors != 1 || out.Warnings != 1 || len(out.Findings) != 2 || out.Findings[0]["column"] != 7.0 || !strings.Contains(text, "<less>") {
		t.Errorf("got %s", text)
	}
	if _, there := out.Findings[1]["line"]; there {
		t.Errorf("a line of a file without place: %s", text)
	}
	if text := write(t, "json", nil); !strings.Contains(text, `"findings": []`) {
		t.Errorf("without findings: %s", text)
	}
}

func TestSARIF(t *testing.T) {
	var log sarifLog
	text := write(t, "sarif", findings)
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if log.Version != "2.1.0" || len(run.Tool.Driver.Rules) != 2 || len(run.Results) != 2 {
		t.Errorf("got %s", text)
	}
	at := run.Results[0].Locations[0].Physical
	if at.Artifact.URI != "specs/a%20b,c.yaml" || *at.Region != (sarifRegion{3, 7, 11}) || run.Results[1].Locations[0].Physical.Region != nil {
		t.Errorf("got %s", text)
	}
	if text := write(t, "sarif", nil); !strings.Contains(text, `"results": []`) || !strings.Contains(text, `"rules": []`) {
		t.Errorf("without findings: %s", text)
	}
}

func TestUnknownFormat(t *testing.T) {
	if err := Write(&bytes.Buffer{}, "xml", nil, nil); err == nil || !strings.Contains(err.Error(), "json, sarif, github") {
		t.Errorf("got %v", err)
	}
}
