package gen

import (
	"strings"
	"testing"

	"github.com/teaagent/teaagent/gen/lint"
	"github.com/teaagent/teaagent/gen/spec"
)

// TestOwnWire: what the generator puts on the wire keeps to the rules about
// schemas as clients get them, but for what Gemini does not know; and what
// lint says of it stands at the arg that it comes from.
func TestOwnWire(t *testing.T) {
	for _, dir := range []string{"..", "../testdata/fixture"} {
		r, tools, total, err := Budget(Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if len(tools) != r.Tools || total.Bytes < r.Tools*200 {
			t.Errorf("%s: %d tools of %d, %d bytes", dir, len(tools), r.Tools, total.Bytes)
		}
		sum := len(`{"tools":[]}`) + len(tools) - 1
		for _, c := range tools {
			sum += c.Bytes
		}
		if sum != total.Bytes {
			t.Errorf("%s: the tools have %d bytes, in all %d", dir, sum, total.Bytes)
		}
		for _, f := range r.Findings {
			if strings.HasPrefix(f.Rule, "wire-") {
				t.Errorf("%v", f)
			}
		}
	}
}

func TestWirePlaces(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "go.mod", "module example.com/demo\n")
	writeFile(t, "specs/server.yaml", serverSpec)
	writeFile(t, "specs/files.yaml", `category: files
tools:
  - name: demo_readFile
    description: Read a file.
    args:
      path: {type: string, description: Where it is.}
      filters:
        type: array
        description: Which lines.
        items:
          type: object
          properties:
            least: {type: number, exclusiveMinimum: 0, description: The least.}
`)
	r, err := Lint(Options{})
	if err != nil {
		t.Fatal(err)
	}
	const want = "specs/files.yaml:13:13: warning: Gemini knows no exclusiveMinimum (filters[].least); its hosts drop or refuse it [wire-gemini]"
	if got := messages(r.Findings); got != want {
		t.Errorf("got %s", got)
	}
	for _, o := range []Options{{Profiles: []string{"vscode"}}, {Profiles: []string{lint.None}}} {
		if r, err := Lint(o); err != nil || len(r.Findings) > 0 {
			t.Errorf("%v: %v, %v", o.Profiles, r.Findings, err)
		}
	}
}

// TestRules: no two rules of all stages have one ID.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		if seen[r.ID] || r.Kind == "" || r.Purpose == "" || r.Severity > spec.Warning {
			t.Errorf("%+v", r)
		}
		seen[r.ID] = true
	}
}
