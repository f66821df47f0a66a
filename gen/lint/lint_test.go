package lint

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/teaagent/teaagent/gen/spec"
)

// server is what the examples of rules are read beside.
const server = `server: docker
prefix: docker
version: "1"
env: {DOCKER_HOST: {description: Where the daemon listens.}}
categories: {containers: {description: What runs.}}
`

// shortened says that the examples of rules have no examples of their own.
const shortened = "lint: {severity: {example-missing: off}, because: They are short.}\n"

// load reads a list of tools in the category containers.
func load(t *testing.T, tools string) *spec.Set { return loadBeside(t, server+shortened, tools) }

// loadBeside does so beside a server.yaml.
func loadBeside(t *testing.T, server, tools string) *spec.Set {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"server.yaml":     server,
		"containers.yaml": "category: containers\ntools:\n" + tools + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	set, findings, err := spec.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		t.Errorf("load: %v", f)
	}
	return set
}

// example judges an example of a rule.
func example(t *testing.T, r Rule, text, more string) []spec.Finding {
	t.Helper()
	if strings.HasPrefix(text, "[") {
		_, findings, err := Foreign("tools.json", []byte(text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		return slices.DeleteFunc(findings, func(f spec.Finding) bool { // short, too
			return f.Rule == "wire-hints" && r.ID != f.Rule
		})
	}
	beside := ""
	for line := range strings.Lines(server) {
		if key, _, _ := strings.Cut(line, ":"); !strings.HasPrefix(more, key+":") {
			beside += line // what is not said otherwise
		}
	}
	if beside += more + "\n"; !strings.Contains(more, "lint:") && r.ID != "example-missing" {
		beside += shortened
	}
	findings := Run(loadBeside(t, beside, text), nil, Options{})
	return slices.DeleteFunc(findings, func(f spec.Finding) bool {
		return f.Rule == "example-missing" && r.ID != f.Rule
	})
}

// found lists the rules and messages of findings.
func found(findings []spec.Finding) (rules, messages []string) {
	for _, f := range findings {
		rules = append(rules, f.Rule)
		messages = append(messages, f.Error())
	}
	return rules, messages
}

func TestTable(t *testing.T) {
	id := regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`)
	purpose := regexp.MustCompile(`^[A-Z].*[a-z0-9"]\.?"?\.$`)
	seen := make(map[string]bool)
	for _, r := range spec.Rules() {
		if seen[r.ID] || !id.MatchString(r.ID) || !purpose.MatchString(r.Purpose) {
			t.Errorf("%s: the ID is taken or odd, or %q is not a sentence", r.ID, r.Purpose)
		}
		seen[r.ID] = true
	}
	for _, r := range Rules() {
		t.Run(r.ID, func(t *testing.T) {
			if seen[r.ID] || !id.MatchString(r.ID) {
				t.Error("the ID is taken, or not two words in lower case")
			}
			seen[r.ID] = true
			if !slices.Contains([]Kind{Standard, Clients, Safety, Cost}, r.Kind) || (r.Kind == Clients) != (r.Source != "" && len(r.Profiles) > 0) {
				t.Errorf("of kind %q, with source %q", r.Kind, r.Source)
			}
			if !purpose.MatchString(r.Purpose) {
				t.Errorf("the purpose is not a sentence with a full stop: %q", r.Purpose)
			}
			if _, messages := found(example(t, r, r.Pass, "")); len(messages) > 0 {
				t.Errorf("the passing example fails:\n%s", strings.Join(messages, "\n"))
			}
			findings := example(t, r, r.Fail, r.Server)
			if len(findings) != 1 || findings[0].Rule != r.ID || findings[0].Severity != r.Severity {
				_, messages := found(findings)
				t.Errorf("the failing example gives not the one finding of this rule:\n%s", strings.Join(messages, "\n"))
			}
		})
	}
}

// TestDescriptions holds the rules about wording to sentences of all sorts.
func TestDescriptions(t *testing.T) {
	for _, test := range []struct {
		description string
		want        string // rule and a part of the message; "" for none
	}{
		{"List the containers.", ""},
		{"Create/update a file.", ""},
		{"Re-run the last job.", ""},
		{"Dispose of a file.", ""},
		{"Renew a Let's Encrypt certificate.", ""},
		{"Read registry.json of version 4.4 (e.g. for i.e. Debian vs. Ubuntu, etc. in the U.S. only).", ""},
		{"Delete a file. Requires confirm=true.", ""},
		{`Find lines that say "Stop. Now" or end.`, "desc-one-sentence: goes on"},
		{"Lists the containers.", `desc-imperative: starts with "Lists"; write "List"`},
		{"Copies a file.", `desc-imperative: write "Copy"`},
		{"Stopping a container.", `desc-imperative: write "Stop"`},
		{"Removing a container.", `desc-imperative: write "Remove"`},
		{"Created a container.", `desc-imperative: write "Create"`},
		{"list the containers.", `desc-imperative: starts with "list"; write "List"`},
		{"LIST the containers.", `desc-imperative: write "List"`},
		{"READ-ONLY: shows containers.", `desc-imperative: starts with "READ-ONLY"; write "Show"`},
		{"This tool lists containers.", `desc-imperative: starts with "This"; write "List"`},
		{"List of containers.", `desc-imperative: starts with "List"`},
		{"Container list.", `desc-imperative: starts with "Container"; write "List"`},
		{"A container.", `desc-imperative: starts with "A", which is no verb`},
		{"Useful for containers.", `desc-imperative: starts with "Useful"`},
		{"[Beta] List containers.", `desc-imperative: write "List"`},
		{"List containers", "desc-one-sentence: full stop"},
		{"List containers!", "desc-one-sentence: full stop"},
		{"List containers. Then stop.", "desc-one-sentence: goes on"},
		{"List containers. then stop.", "desc-one-sentence: goes on"},
		{"Do you list? Requires confirm=true.", "desc-imperative: "},
		{"Delete a file. Requires confirm=true. Really.", "desc-one-sentence: goes on"},
		{"List containers.\nStop them.", "desc-one-sentence: line break"},
		{"List " + strings.Repeat("é", 193) + ".", ""},
		{"List " + strings.Repeat("é", 194) + ".", "desc-length: 200 characters"},
		{"List Robust containers.", `desc-marketing: "Robust"`},
		{"List the robustness of containers.", ""},
		{"   ", "desc-present: no description"},
	} {
		quoted := strings.NewReplacer(`"`, `\"`, "\n", `\n`).Replace(test.description)
		set := load(t, `- {name: docker_listContainers, description: "`+quoted+`"}`)
		rule, part, _ := strings.Cut(test.want, ": ")
		matched := test.want == ""
		for _, f := range Run(set, nil, Options{}) {
			switch {
			case f.Rule == rule && strings.Contains(f.Message, part):
				matched = true
			case f.Rule == "desc-stem": // not what this is about
			case f.Rule != rule && !(test.want != "" && strings.HasPrefix(test.description, "Do ")):
				t.Errorf("%q: %v", test.description, f)
			}
		}
		if !matched {
			t.Errorf("%q gives not %q", test.description, test.want)
		}
	}
}

func TestNames(t *testing.T) {
	for _, test := range []struct{ name, want string }{
		{"docker_listContainers", ""},
		{"docker_get2", ""},
		{"docker_list-running_containers", `write "docker_listRunningContainers"`},
		{"docker_ListContainers", `write "docker_listContainers"`},
		{"docker_", "such as"},
		{"docker_9lives", "such as"},
		{"listContainers", `write "docker_listContainers"`},
		{"Docker_listContainers", `write "docker_listContainers"`},
		{"docker_piStatus", "does not start with a verb; put one first"},
		{"docker_lïst", "write"},
	} {
		set := load(t, `- {name: "`+test.name+`", description: List the containers.}`)
		_, messages := found(Run(set, nil, Options{}))
		if test.want == "" && len(messages) > 0 || test.want != "" && !strings.Contains(strings.Join(messages, "\n"), test.want) {
			t.Errorf("%s gives %q, not %q", test.name, messages, test.want)
		}
	}
}

// TestNothingRepeated: what Load has reported, and what no server.yaml could
// say, is not reported by lint again.
func TestNothingRepeated(t *testing.T) {
	dir := t.TempDir()
	text := `category: c
tools:
  - name: [a]
    description: 12
    requiresConfirm: no
    destructive: true
    tier: low
    auth: [NAME]
`
	if err := os.WriteFile(filepath.Join(dir, "c.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	set, _, err := spec.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, messages := found(Run(set, nil, Options{})); len(messages) > 0 {
		t.Errorf("lint repeats what loading said:\n%s", strings.Join(messages, "\n"))
	}
}

// TestHidden: hidden characters are found in the files as they stand, at their
// place, and where an escape would carry them to clients.
func TestHidden(t *testing.T) {
	set := load(t, "  # a comment with \u200b\u200c in it\n"+`  - name: docker_readThing
    description: "Read a thin`+"\u202e"+`g."
    args:
      a: {type: string, description: A., enum: ["a\u0007", "b\\u0007"], examples: ["b\\u0007"]}
      b: {type: array, description: B., items: {type: string}, default: ["\U000e0041"]}
    result:
      c: {type: string, description: "soft\u00adhyphen"}
    examples:
      - does: reads what has one
        files: {x: "\u202e"}
        args: {a: "a\u0007", b: ["\u202e"]}
`)
	var got []string
	for _, f := range Run(set, nil, Options{}) {
		got = append(got, f.Error()[strings.Index(f.Error(), "containers.yaml"):])
	}
	want := `containers.yaml:3:20: hidden characters (U+200B and 1 more); remove them [text-hidden]
containers.yaml:5:30: hidden characters (U+202E and 0 more); remove them [text-hidden]
containers.yaml:7:49: the text has a hidden character, U+0007, by an escape; remove it [text-hidden]
containers.yaml:8:73: the text has a hidden character, U+E0041, by an escape; remove it [text-hidden]
containers.yaml:10:38: the text has a hidden character, U+00AD, by an escape; remove it [text-hidden]`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

// TestDepths: rules about args look at properties of any depth, those of
// elements included; those about names at results, and that about variables
// at what examples need.
func TestDepths(t *testing.T) {
	set := load(t, `
  - name: docker_readThing
    description: Read a thing.
    args:
      a:
        type: array
        description: A.
        items: {type: array, items: {type: object, properties: {b-c: {type: string}}}}
    result:
      d-e: {type: string}
    examples:
      - {does: reads, needs: [NONE]}
`)
	var got []string
	for _, f := range Run(set, nil, Options{}) {
		got = append(got, f.Rule)
	}
	if want := "arg-description arg-key arg-key auth-declared"; strings.Join(got, " ") != want {
		t.Errorf("got %q, not %s", got, want)
	}
}

// TestSecrets: a secret that is there for nobody is found where it is declared;
// one that the server or a tool needs, or an example, and a mere setting is not.
func TestSecrets(t *testing.T) {
	set := loadBeside(t, `server: docker
prefix: docker
version: "1"
`+shortened+`env:
  ALL: {secret: true, required: true}
  TOOL: {secret: true}
  EXAMPLE: {secret: true}
  SETTING: {}
  FORGOTTEN: {secret: true}
categories: {containers: {description: What runs.}}
`, `
  - name: docker_readThing
    description: Read a thing.
    auth: [TOOL]
    examples:
      - {does: reads, needs: [EXAMPLE]}
`)
	_, messages := found(Run(set, nil, Options{}))
	const want = "server.yaml:10:3: warning: no tool names the secret FORGOTTEN; add it to auth: of the tools that fail without it, add required: true if all do, or remove it [auth-secret]"
	if len(messages) != 1 || !strings.HasSuffix(messages[0], want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(messages, "\n"), want)
	}
}

// FuzzRun lints whatever a file of tools may hold.
func FuzzRun(f *testing.F) {
	for _, r := range rules {
		f.Add("category: containers\ntools:\n" + r.Fail)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(filepath.Join(dir, "containers.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "server.yaml"), []byte(server), 0o600); err != nil {
			t.Fatal(err)
		}
		set, _, err := spec.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range Run(set, nil, Options{}) {
			if f.Pos.Line < 1 || f.Pos.Line > 1+strings.Count(text, "\n") || f.Pos.Col < 1 {
				t.Errorf("outside the file: %+v", f)
			}
		}
	})
}
