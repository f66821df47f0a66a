package gen

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/teaagent/teaagent/gen/lint"
	"github.com/teaagent/teaagent/gen/spec"
)

const lintDocsHead = `# Rules

What teagen finds in specs, and in the tools of any server. This page is written by a test from the table of rules
(` + "`go test ./gen -run LintDocs -update`" + `); ` + "`teagen explain RULE`" + ` adds examples to it.

An **error** stops generation: nothing is written. A **warning** is printed. ` + "`teagen lint`" + ` prints them all as text, or with
` + "`--format json`, `sarif` or `github`" + ` for other tools; it ends with 1 if there is an error. With a file, as in ` + "`teagen lint tools.json`" + `,
it judges the answer of any server to tools/list; the rules that do so are marked *any server*.

## Exceptions

A rule that is wrong about one tool is allowed beside it, with a reason. The same in server.yaml counts for the whole server:

` + "```yaml" + `
  - name: pi_piStatus
    lint: {allow: name-verb, because: Everybody knows it by this name.}
` + "```" + `

An exception that nothing needs any more is a finding itself. What rules are for a whole server is said in server.yaml:

` + "```yaml" + `
lint:
  severity: {name-verb: error, desc-stem: off, example-missing: warning}
  because: The examples follow with version 2.   # asked for where an error is turned off, or down to a warning
  profile: [vscode, claude-code]                 # whose limits count; all of them without it, and none with none
  ceiling: 40000                                 # bytes that tools/list may have; teagen budget shows them
` + "```" + `

No error goes away silently: turning one off, or down to a warning, takes a reason. Kinds *reading*, *naming*, *handlers* and *files*
can't be turned off: they are no matters of taste.
`

// TestLintDocs keeps docs/lint.md what the table of rules says.
func TestLintDocs(t *testing.T) {
	var b strings.Builder
	b.WriteString(lintDocsHead)
	for _, kind := range []struct {
		kind lint.Kind
		what string
	}{
		{lint.Standard, "The house style of names, descriptions and flags."},
		{lint.Clients, "Limits of clients, as of " + lint.FactsAsOf + ". `teagen lint --profile CLIENT` looks at those of some only."},
		{lint.Safety, "What misleads a model, or the person who lets it act."},
		{lint.Cost, "What tools/list costs in every conversation."},
		{Reading, "What specs are made of."},
		{Naming, "What Go can say."},
		{Handlers, "What package handlers lacks."},
		{Files, "What stands where a file should be generated."},
	} {
		fmt.Fprintf(&b, "\n## %s%s\n\n%s\n\n", strings.ToUpper(string(kind.kind[:1])), kind.kind[1:], kind.what)
		if kind.kind == lint.Clients {
			b.WriteString("| rule | severity | what it asks for | clients | source |\n|---|---|---|---|---|\n")
		} else {
			b.WriteString("| rule | severity | what it asks for |\n|---|---|---|\n")
		}
		for _, r := range Rules() {
			if r.Kind != kind.kind {
				continue
			}
			severity := map[spec.Severity]string{spec.Error: "error", spec.Warning: "warning"}[r.Severity]
			purpose := strings.ReplaceAll(r.Purpose, "|", `\|`)
			if r.Listed {
				purpose += " *any server*"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |", r.ID, severity, purpose)
			if kind.kind == lint.Clients {
				fmt.Fprintf(&b, " %s | %s |", strings.Join(r.Profiles, ", "), r.Source)
			}
			b.WriteByte('\n')
		}
	}
	const name = "../docs/lint.md"
	if *update {
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != b.String() {
		t.Errorf("docs/lint.md is not what the rules say (%v); if that is meant: go test ./gen -run LintDocs -update", err)
	}
}
