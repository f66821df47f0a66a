package gen

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/teaagent/teaagent/gen/internal/emit"
	"github.com/teaagent/teaagent/gen/internal/plan"
	"github.com/teaagent/teaagent/gen/spec"
)

// FuzzAccepted: a spec that is accepted gives Go that compiles, and a manifest
// that is accepted too and gives the same Go.
func FuzzAccepted(f *testing.F) {
	const head = "category: c\ntools:\n  - name: co_takeThing\n    description: Take a thing.\n"
	for _, name := range []string{"sound", "faulty"} {
		archive, err := txtar.ParseFile("../testdata/corpus/" + name + ".txtar")
		if err != nil {
			f.Fatal(err)
		}
		for _, entry := range archive.Files {
			if name == "sound" {
				f.Add("category: c\n" + withoutCalls(string(entry.Data)))
			} else {
				body, _ := faultyEntry(string(entry.Data))
				f.Add(head + strings.ReplaceAll(body, "| ", ""))
			}
		}
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "source", nil)
	// All that mcp imports is read with it, for seconds; and go takes an input
	// that runs for ten for one that hangs.
	for _, path := range []string{"context", "maps", "math", "slices", "time", "github.com/teaagent/teaagent/mcp"} {
		if _, err := imports.Import(path); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		server := "server: s\nprefix: co\nversion: \"1\"\ncategories: {c: {description: Things.}}\n"
		set, findings := spec.LoadFiles(map[string][]byte{"specs/server.yaml": []byte(server), "specs/c.yaml": []byte(text)})
		first, ok := emitted(t, set, findings)
		if !ok {
			return
		}
		var files []*ast.File
		for _, name := range slices.Sorted(maps.Keys(first)) {
			if !strings.HasSuffix(name, ".go") {
				continue
			}
			file, err := parser.ParseFile(fset, name, first[name], parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		config := types.Config{Importer: imports, Error: func(err error) { t.Error(err) }}
		config.Check("generated", fset, files, nil)
		if t.Failed() {
			for _, name := range slices.Sorted(maps.Keys(first)) {
				t.Logf("%s\n%s", name, first[name])
			}
			return
		}
		set, findings = spec.LoadFiles(map[string][]byte{"specs/mcp-tools.json": first[plan.Manifest]})
		second, ok := emitted(t, set, findings)
		if !ok {
			t.Fatalf("the manifest is refused: %v\n%s", findings, first[plan.Manifest])
		}
		for _, name := range slices.Sorted(maps.Keys(first)) {
			if string(first[name]) != string(second[name]) {
				t.Errorf("%s, from the manifest:\n%s", name, textDiff(t, string(first[name]), string(second[name])))
			}
		}
	})
}

// emitted returns what is generated from specs that nothing is wrong with.
func emitted(t *testing.T, set *spec.Set, findings []spec.Finding) (map[string][]byte, bool) {
	t.Helper()
	srv, planned := plan.From(set)
	for _, finding := range append(findings, planned...) {
		if finding.Severity == spec.Error {
			return nil, false
		}
	}
	files, err := emit.Files(srv)
	if err != nil {
		t.Fatal(err)
	}
	return files, true
}

func withoutCalls(text string) (specs string) {
	for line := range strings.Lines(text) {
		verb, _, _ := strings.Cut(line, " ")
		if !slices.Contains([]string{"call", "gets", "fails", "sends", "returns"}, verb) {
			specs += line
		}
	}
	return specs
}
