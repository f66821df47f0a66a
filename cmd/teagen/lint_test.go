package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestLintFormats(t *testing.T) {
	repo(t)
	write(t, "specs/files.yaml", strings.Replace(filesSpec, "Read a file", "Reads a file", 1))
	expect(t, 1, `::error file=specs/files.yaml,line=4,col=18,endColumn=23,title=desc-imperative::description starts with "Reads"; write "Read"`+"\n", "", "lint", "--format", "github")
	for _, format := range []string{"json", "sarif"} {
		code, out, errs := teagen("lint", "--format", format)
		if code != 1 || errs != "" || !json.Valid([]byte(out)) || !strings.Contains(out, "desc-imperative") {
			t.Errorf("%s: exit %d\n%s%s", format, code, out, errs)
		}
	}
	expect(t, 2, "", "teagen: there is no format \"xml\"; there is text, json, sarif, github\n", "lint", "--format", "xml")
}

func TestLintFile(t *testing.T) {
	repo(t)
	write(t, "tools.json", `{"tools": [{"name": "read", "description": "Read a file.", "inputSchema": {"type": "object", "properties": {"a": {"type": "array"}}},
  "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}}]}`)
	expect(t, 1, "", `tools.json:1:114: array a has no items; say what its elements are [wire-items]
  1 | {"tools": [{"name": "read", "description": "Read a file.", "inputSchema": {"type": "object", "properties": {"a": {"type": "array"}}},
    |                                                                                                                  ^
1 error
`, "lint", "tools.json")
	expect(t, 0, "lint: 1 tool, no findings\n", "", "lint", "--profile", "cursor", "tools.json")
	expect(t, 2, "", "teagen: read tools: open missing.json: no such file or directory\n", "lint", "missing.json")
	if code, _, errs := teagen("lint", "--profile", "vcode"); code != 2 || !strings.Contains(errs, `there is no profile "vcode"; there is all, none, `) {
		t.Errorf("an unknown profile: exit %d, %s", code, errs)
	}
	teagen("generate")
	expect(t, 0, "lint: 1 category, 1 tool, no findings\n", "", "lint", "mcp-tools.json")
	manifest, err := os.ReadFile("mcp-tools.json")
	if err != nil {
		t.Fatal(err)
	}
	write(t, "mcp-tools.json", strings.Replace(string(manifest), "Read a file", "Reads a file", 1))
	if code, _, errs := teagen("lint", "mcp-tools.json"); code != 1 || !strings.Contains(errs, "[desc-imperative]") {
		t.Errorf("a manifest: exit %d, %s", code, errs)
	}
}

func TestExplain(t *testing.T) {
	code, out, _ := teagen("explain", "desc-imperative")
	for _, want := range []string{"desc-imperative (standard, error)\n\nDescriptions start with an imperative verb.\n", "Wrong:\n\n    - {name: docker_listContainers, description: Lists", "lint: {allow: desc-imperative, because: …}"} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("exit %d, want %q in\n%s", code, want, out)
		}
	}
	if code, out, _ := teagen("explain", "spec-type"); code != 0 || strings.Contains(out, "allow") {
		t.Errorf("a rule without exceptions: exit %d\n%s", code, out)
	}
	if code, out, _ := teagen("explain"); code != 0 || !strings.HasPrefix(out, "standard\n  name-prefix ") || !strings.Contains(out, "\nhandlers\n") {
		t.Errorf("the list: exit %d\n%s", code, out)
	}
	expect(t, 2, "", "teagen: there is no rule \"desc-imperativ\"; did you mean desc-imperative?\n", "explain", "desc-imperativ")
	expect(t, 2, "", "teagen: explain takes one rule, not 2; try --help\n", "explain", "a", "b")
}

func TestBudget(t *testing.T) {
	repo(t)
	code, out, errs := teagen("budget")
	if code != 0 || errs != "" || !strings.Contains(out, "  demo_readFile\n") || !strings.HasSuffix(out, "  in all\n") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	write(t, "specs/server.yaml", strings.Replace(serverSpec, "lint: {", "lint: {ceiling: 300, ", 1))
	if code, _, errs := teagen("lint"); code != 1 || !strings.Contains(errs, "over the ceiling of 300") || !strings.Contains(errs, "[cost-ceiling]") {
		t.Errorf("over the ceiling: exit %d, %s", code, errs)
	}
}
