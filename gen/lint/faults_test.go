package lint

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/teaagent/teaagent/gen/spec"
)

var update = flag.Bool("update", false, "rewrite testdata/twenty-faults/findings.txt")

// TestTwentyFaults: one run over a folder full of faults prints every one of
// them, at its place, and nothing else.
func TestTwentyFaults(t *testing.T) {
	t.Chdir("../../testdata/twenty-faults")
	set, findings, err := spec.Load("specs")
	if err != nil {
		t.Fatal(err)
	}
	findings = spec.Sort(append(findings, Run(set, nil, Options{})...))
	kinds, files := make(map[string]bool), make(map[string]bool)
	for _, f := range findings {
		kinds[f.Rule], files[f.Pos.File] = true, true
	}
	if len(kinds) < 20 || len(files) < 2 {
		t.Errorf("only %d kinds of faults in %d files", len(kinds), len(files))
	}
	var got bytes.Buffer
	if err := set.Format(&got, findings); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("findings.txt", got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("findings.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}
