package gen

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// synthetic writes the specs of n tools with six args each, 50 to a category,
// into a new repo, and returns its folder. Every fourth tool is destructive.
func synthetic(t testing.TB, n int) string {
	t.Helper()
	dir := t.TempDir()
	var server strings.Builder
	server.WriteString("server: synthetic\nprefix: syn\nversion: \"1.0.0\"\ndescription: A server of any size.\nlint: {allow: tools-too-many, severity: {example-missing: off, flags-losing: off}, because: They are many.}\ncategories:\n")
	for c := 0; c*50 < n; c++ {
		category := fmt.Sprintf("group%02d", c)
		fmt.Fprintf(&server, "  %s: {description: Tools of group %d.}\n", category, c)
		var tools strings.Builder
		fmt.Fprintf(&tools, "category: %s\ntools:\n", category)
		for i := c * 50; i < min(n, c*50+50); i++ {
			tools.WriteString(syntheticTool(i))
		}
		writeFile(t, filepath.Join(dir, "specs", category+".yaml"), tools.String())
	}
	writeFile(t, filepath.Join(dir, "specs", "server.yaml"), server.String())
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/synthetic\n\ngo 1.26.5\n")
	return dir
}

func syntheticTool(i int) string {
	guard := "readOnly: true\n    workspace: read"
	sentence := "Read one thing of the many that there are."
	if i%4 == 3 {
		guard = "destructive: true\n    workspace: write"
		sentence = "Delete one thing of the many that there are. Requires confirm=true."
	}
	return fmt.Sprintf(`  - name: syn_handleThing%d
    description: %s
    %s
    auth: none
    rateLimit: {maxCalls: 30, windowSeconds: 60}
    args:
      path: {type: string, role: path, required: true, minLength: 1, maxLength: 4096, description: Path relative to the workspace root.}
      query: {type: string, maxLength: 200, description: Text to look for.}
      limit: {type: integer, minimum: 1, maximum: 10000, default: 100, description: Number of things to return.}
      ratio: {type: number, minimum: 0, maximum: 1, description: Share of the things to look at.}
      recursive: {type: boolean, default: false, description: Whether to look below.}
      order: {enum: [name, size], default: name, description: What to sort by.}
`, i, sentence, guard)
}

func writeFile(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkGenerate measures a thousand tools: from nothing, stubs included,
// and again with nothing to change.
func BenchmarkGenerate(b *testing.B) {
	dir := synthetic(b, 1000)
	generate := func(b *testing.B) *Report {
		r, err := Generate(Options{Dir: dir})
		if err != nil {
			b.Fatal(err)
		}
		if r.Failed() {
			r.Print(os.Stderr)
			b.Fatal("findings")
		}
		return r
	}
	b.Run("empty", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			os.RemoveAll(filepath.Join(dir, "generated"))
			os.RemoveAll(filepath.Join(dir, "handlers"))
			os.Remove(filepath.Join(dir, "mcp-tools.json"))
			b.StartTimer()
			generate(b)
		}
	})
	b.Run("unchanged", func(b *testing.B) {
		generate(b)
		for b.Loop() {
			if r := generate(b); len(r.Changes) > 0 {
				b.Fatal("something changed")
			}
		}
	})
}
