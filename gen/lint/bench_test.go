package lint

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/teaagent/teaagent/gen/spec"
)

// BenchmarkThousandTools loads and lints 1000 tools of six args in ten files.
func BenchmarkThousandTools(b *testing.B) {
	dir := b.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	var categories strings.Builder
	for file := range 10 {
		fmt.Fprintf(&categories, "  things%d: {description: Things.}\n", file)
		var text strings.Builder
		fmt.Fprintf(&text, "category: things%d\ntools:\n", file)
		for tool := range 100 {
			fmt.Fprintf(&text, `
  - name: docker_getThing%dNumber%d
    description: Get one thing of the many there are, by its ID.
    readOnly: true
    rateLimit: {maxCalls: 30, windowSeconds: 60}
    args:
      id: {type: string, required: true, minLength: 1, maxLength: 64, description: ID of the thing.}
      limit: {type: integer, minimum: 1, maximum: 1000, default: 100, description: Number of parts to return.}
      ratio: {type: number, minimum: 0, maximum: 1, description: Share of the parts to look at.}
      all: {type: boolean, default: false, description: Whether to return hidden ones too.}
      order: {type: string, enum: [name, size, age], default: name, description: What to sort by.}
      tags: {type: array, items: {type: string, minLength: 1}, maxItems: 10, description: Only these tags.}
    result:
      name: {type: string, required: true, description: Its name.}
      size: {type: integer, description: Its size.}
    examples:
      - {does: gets a thing, args: {id: a}, returns: {name: a}}
`, file, tool)
		}
		write(fmt.Sprintf("things%d.yaml", file), text.String())
	}
	write("server.yaml", "server: docker\nprefix: docker\nversion: \"1\"\nlint: {allow: tools-too-many, because: It is large.}\ncategories:\n"+categories.String())

	b.ReportAllocs()
	for b.Loop() {
		set, findings, err := spec.Load(dir)
		if err != nil {
			b.Fatal(err)
		}
		if findings = append(findings, Run(set, nil, Options{})...); len(findings) > 0 || len(set.Tools) != 1000 {
			b.Fatalf("%d tools, %d findings: %v", len(set.Tools), len(findings), findings[:min(3, len(findings))])
		}
	}
}
