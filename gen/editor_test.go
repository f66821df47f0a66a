package gen

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/tools/txtar"
	"gopkg.in/yaml.v3"

	"github.com/teaagent/teaagent/gen/editor"
	"github.com/teaagent/teaagent/gen/spec"
)

// TestEditorSchema keeps docs/spec.schema.json what package editor says.
func TestEditorSchema(t *testing.T) {
	want, err := editor.Schema()
	if err != nil {
		t.Fatal(err)
	}
	const name = "../docs/spec.schema.json"
	if *update {
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/spec.schema.json is not what gen/editor says (%v); if that is meant: go test ./gen -run EditorSchema -update", err)
	}
}

func editorSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := editor.Schema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("spec.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("spec.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// takes validates a spec file as an editor would.
func takes(t *testing.T, s *jsonschema.Schema, text []byte) error {
	t.Helper()
	var v any
	if err := yaml.Unmarshal(text, &v); err != nil {
		return err
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return err // a key that is no text
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

// TestEditorAccepts: what generates is what editors take.
func TestEditorAccepts(t *testing.T) {
	s := editorSchema(t)
	var files []string
	for _, pattern := range []string{"../specs/*.yaml", "../testdata/fixture/specs/*.yaml"} {
		found, _ := filepath.Glob(pattern)
		files = append(files, found...)
	}
	if len(files) < 5 {
		t.Fatalf("only %q", files)
	}
	for _, name := range files {
		if err := takes(t, s, []byte(read(t, name))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	cases, _ := filepath.Glob("testdata/*.txtar")
	for _, name := range cases {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		faulty := slices.ContainsFunc(archive.Files, func(f txtar.File) bool { return f.Name == "errors" })
		for _, f := range archive.Files {
			if strings.HasPrefix(f.Name, "specs/") && !faulty {
				if err := takes(t, s, f.Data); err != nil {
					t.Errorf("%s: %s: %v", name, f.Name, err)
				}
			}
		}
	}
}

// structural are the rules about what files are made of. A schema cannot see
// how a number was written, nor what another value says.
var structural = []string{"spec-unknown-key", "spec-type", "spec-missing"}

var beyondSchemas = regexp.MustCompile(`whole number in plain digits|not how JSON writes|names? .* twice|has no category`)

// TestEditorRefuses: what loading finds in the structure of a file, editors find.
func TestEditorRefuses(t *testing.T) {
	s := editorSchema(t)
	archive, err := txtar.ParseFile("../testdata/corpus/faulty.txtar")
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	cases, _ := filepath.Glob("spec/testdata/*.txtar")
	for _, name := range cases {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		findings := string(archive.Files[len(archive.Files)-1].Data)
		for _, f := range archive.Files[:len(archive.Files)-1] {
			for line := range strings.Lines(findings) {
				rule := strings.TrimSuffix(line[strings.LastIndex(line, "[")+1:], "]\n")
				if !strings.HasPrefix(line, f.Name+":") || !slices.Contains(structural, rule) || beyondSchemas.MatchString(line) {
					continue
				}
				refused++
				if takes(t, s, f.Data) == nil {
					t.Errorf("%s: editors take %s: %s", name, f.Name, line)
				}
				break
			}
		}
	}
	t.Chdir(t.TempDir())
	for _, entry := range archive.Files {
		body, _ := faultyEntry(string(entry.Data))
		writeFaulty(t, body)
		_, findings, err := spec.Load("specs")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range findings {
			if !slices.Contains(structural, f.Rule) || beyondSchemas.MatchString(f.Message) {
				continue
			}
			text, err := os.ReadFile(f.Pos.File)
			if err != nil {
				continue // server.yaml is missing
			}
			refused++
			if takes(t, s, text) == nil {
				t.Errorf("%s: editors take it: %v", entry.Name, f)
			}
			break
		}
	}
	if refused < 30 {
		t.Errorf("only %d files have structural faults", refused)
	}
}

// TestEditorKeys: the keys that the schema offers are those that are read, at
// every place. Loading lists what it knows where it finds what it doesn't.
func TestEditorKeys(t *testing.T) {
	text, err := editor.Schema()
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Defs map[string]struct {
			Properties map[string]struct {
				Description string
			}
		} `json:"$defs"`
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	writeFile(t, "specs/server.yaml", `zzzzzzzzz1: 1
env: {A: {zzzzzzzzz2: 1}}
categories: {a: {zzzzzzzzz3: 1}}
lint: {zzzzzzzzz4: 1}
resources: {zzzzzzzzzc: 1, templates: [{zzzzzzzzzd: 1}]}
`)
	writeFile(t, "specs/c.yaml", `zzzzzzzzz5: 1
tools:
  - zzzzzzzzz6: 1
    rateLimit: {zzzzzzzzz7: 1}
    examples: [{zzzzzzzzz8: 1}]
    deprecated: {zzzzzzzzz9: 1}
    lint: {zzzzzzzzza: 1}
    args: {a: {type: string, zzzzzzzzzb: 1}}
`)
	_, findings, err := spec.Load("specs")
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]string{"1": "server", "2": "variable", "3": "category", "4": "serverLint", "5": "tools", "6": "tool", "7": "rateLimit", "8": "example", "9": "deprecated", "a": "toolLint", "b": "arg", "c": "resources", "d": "template"}
	known := regexp.MustCompile(`has no key "zzzzzzzzz(.)"; it has (.*)$`)
	seen := 0
	for _, f := range findings {
		m := known.FindStringSubmatch(f.Message)
		if m == nil {
			continue
		}
		seen++
		keys := strings.Split(m[2], ", ")
		slices.Sort(keys)
		var offered []string
		for key, p := range schema.Defs[at[m[1]]].Properties {
			offered = append(offered, key)
			if p.Description == "" {
				t.Errorf("%s.%s has no description", at[m[1]], key)
			}
		}
		slices.Sort(offered)
		if keys = slices.Compact(keys); !slices.Equal(keys, offered) {
			t.Errorf("%s: loading knows\n%q, editors\n%q", at[m[1]], keys, offered)
		}
	}
	if seen != len(at) {
		t.Errorf("%d places of %d:\n%s", seen, len(at), messages(findings))
	}
}
