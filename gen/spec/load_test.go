package spec

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the findings that the test cases want")

// TestFaults reads each case's spec files and compares what is printed. The
// first comment lines of a case say what it is about.
func TestFaults(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases (%v)", err)
	}
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var files []file
			var want *txtar.File
			for i, f := range ar.Files {
				if f.Name == "findings" {
					want = &ar.Files[i]
				} else {
					files = append(files, file{f.Name, f.Data})
				}
			}
			if want == nil {
				t.Fatal("the case has no file named findings")
			}
			set, findings := read(files)
			var got bytes.Buffer
			if err := set.Format(&got, Sort(findings)); err != nil {
				t.Fatal(err)
			}
			if *update {
				want.Data = got.Bytes()
				if err := os.WriteFile(name, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got.String() != string(want.Data) {
				t.Errorf("got\n%s\nwant\n%s", got.String(), want.Data)
			}
		})
	}
}
