package policy

import (
	"strings"
	"testing"
)

// Examples of commands as an operator would think of them.
func TestCommands(t *testing.T) {
	for _, test := range []struct {
		grant, command []string
		admitted       bool
	}{
		{[]string{"pytest"}, []string{"pytest"}, true},
		{[]string{"pytest"}, []string{"pytest", "-q", "tests"}, true},
		{[]string{"pytest"}, []string{"pytest", ";", "rm"}, true}, // words reach the program, no shell sees them
		{[]string{"pytest"}, []string{"pytest ; rm"}, false},
		{[]string{"pytest"}, []string{"pytest;rm"}, false},
		{[]string{"pytest"}, []string{"pytest -q"}, false},
		{[]string{"pytest"}, []string{"pytestx"}, false},
		{[]string{"pytest"}, []string{"./pytest"}, false},
		{[]string{"pytest"}, []string{"/tmp/pytest"}, false},
		{[]string{"pytest"}, []string{"Pytest"}, false},
		{[]string{"pytest"}, []string{"sh", "-c", "pytest"}, false},
		{[]string{"pytest"}, []string{"env", "pytest"}, false},
		{[]string{"pytest"}, []string{"pytest\n"}, false},
		{[]string{"pytest"}, []string{""}, false},
		{[]string{"pytest"}, []string{}, false},
		{[]string{"git", "log"}, []string{"git", "log", "-1"}, true},
		{[]string{"git", "log"}, []string{"git"}, false},
		{[]string{"git", "log"}, []string{"git", "push"}, false},
		{[]string{"git", "log"}, []string{"git", "logx"}, false},
		{[]string{"git", "log"}, []string{"git log"}, false},
		{[]string{"git", "log"}, []string{"git", "-c", "log"}, false},
	} {
		grant := Grant{Effect: Allows, Tool: "t", Commands: [][]string{test.grant}}
		got := Judge(Prompt, Tool{Name: "t", Tier: 3}, Call{Commands: [][]string{test.command}}, []Grant{grant}, now).Verdict == Allowed
		if got != test.admitted {
			t.Errorf("a grant for %q admits %q: %v", test.grant, test.command, got)
		}
		// What a deny covers it covers beside other commands too.
		grant.Effect = Denies
		_, denied := Deny(Tool{Name: "t"}, Call{Commands: [][]string{{"true"}, test.command}}, []Grant{grant}, now)
		if denied != test.admitted {
			t.Errorf("a deny of %q covers %q: %v", test.grant, test.command, denied)
		}
	}
}

// Examples of paths: what a glob matches, an allowing grant admits and a
// denying one forbids, but for what leads out or nowhere.
func TestPaths(t *testing.T) {
	for _, test := range []struct {
		glob     string
		yes, no  string // paths, by spaces
		onlyDeny string // nothing that allows covers these
	}{
		{glob: "src/*", yes: "src/a src/.env", no: "src src/a/b srcx/a Src/a a/src/b ."},
		{glob: "src/**", yes: "src src/a src/a/b src/.git/x", no: "srcx src.go a/src ."},
		{glob: "*", yes: "a .env", no: "a/b"},
		{glob: "**", yes: ". a a/b .git/config", onlyDeny: ".. ../x ../../x /etc/passwd /"},
		{glob: "**/*.go", yes: "a.go a/b/c.go .go", no: "a.gox a/b"},
		{glob: "a?c", yes: "abc", no: "a/c ac abbc"},
		{glob: "{src,docs}/*.md", yes: "src/a.md docs/b.md", no: "lib/a.md src/a/b.md"},
		{glob: `\*`, yes: "*", no: "a"},
		{glob: "..*", yes: "..a", onlyDeny: "..", no: "../x"},
		{glob: `\[id\]/*`, yes: "[id]/a", no: "i/a"},
		{glob: "..*/**", yes: "..a/b", onlyDeny: "../x"},
		{glob: "*/passwd", yes: "etc/passwd", no: "a/etc/passwd /etc/passwd", onlyDeny: "../passwd /passwd"},
		{glob: "src/**", onlyDeny: "src//a src/../x src/./a src/"},
	} {
		for kind, want := range map[string][2]bool{test.yes: {true, true}, test.no: {}, test.onlyDeny: {false, true}} {
			for path := range strings.FieldsSeq(kind) {
				g := Grant{ID: "g", Effect: Allows, Tool: "t", Paths: []string{test.glob}}
				call := Call{Paths: []Path{{path, path}}}
				if got := Judge(Prompt, Tool{Name: "t", Tier: 3}, call, []Grant{g}, now).Verdict == Allowed; got != want[0] {
					t.Errorf("a grant for %q admits %q: %v", test.glob, path, got)
				}
				g.Effect = Denies
				if _, got := Deny(Tool{Name: "t"}, call, []Grant{g}, now); got != want[1] {
					t.Errorf("a deny of %q covers %q: %v", test.glob, path, got)
				}
			}
		}
	}
}

func TestGrantCheck(t *testing.T) {
	for _, test := range []struct {
		name  string
		grant Grant
		want  string // a part of the error; none if empty
	}{
		{"a tool", Grant{Effect: Allows, Tool: "t"}, ""},
		{"scoped", Grant{Effect: Allows, Tool: "t", Paths: []string{"**", "a/{b,c}/*", "."}, Commands: [][]string{{"git", "log"}}, Modes: []string{"prompt"}, Uses: 2}, ""},
		{"a digest", Grant{Effect: Allows, Tool: "t", Digest: wanted, Uses: 1}, ""},
		{"deny all", Grant{Effect: Denies, Tool: "*"}, ""},
		{"no effect", Grant{Tool: "t"}, `effect "" is neither "allow" nor "deny"`},
		{"another effect", Grant{Effect: "Allow", Tool: "t"}, `effect "Allow"`},
		{"no tool", Grant{Effect: Denies}, "names no tool"},
		{"allow all", Grant{Effect: Allows, Tool: "*"}, `every tool ("*")`},
		{"short digest", Grant{Effect: Allows, Tool: "t", Digest: "ab12"}, "64 lower-case hexadecimal digits"},
		{"shouted digest", Grant{Effect: Allows, Tool: "t", Digest: strings.ToUpper(wanted)}, "64 lower-case hexadecimal digits"},
		{"digest of other letters", Grant{Effect: Allows, Tool: "t", Digest: strings.Repeat("g", 64)}, "64 lower-case hexadecimal digits"},
		{"digest with paths", Grant{Effect: Denies, Tool: "t", Digest: wanted, Paths: []string{"**"}}, "covers one call exactly"},
		{"digest with commands", Grant{Effect: Denies, Tool: "t", Digest: wanted, Commands: [][]string{{"x"}}}, "covers one call exactly"},
		{"negative uses", Grant{Effect: Allows, Tool: "t", Uses: -1}, "uses is negative"},
		{"no paths in the list", Grant{Effect: Denies, Tool: "t", Paths: []string{}}, "empty list"},
		{"no commands in the list", Grant{Effect: Allows, Tool: "t", Commands: [][]string{}}, "empty list"},
		{"no modes in the list", Grant{Effect: Allows, Tool: "t", Modes: []string{}}, "empty list"},
		{"broken glob", Grant{Effect: Allows, Tool: "t", Paths: []string{"ok", "src/["}}, `"src/["`},
		{"empty glob", Grant{Effect: Allows, Tool: "t", Paths: []string{""}}, `""`},
		{"absolute glob", Grant{Effect: Allows, Tool: "t", Paths: []string{"/etc/*"}}, `"/etc/*"`},
		{"glob that leads out", Grant{Effect: Allows, Tool: "t", Paths: []string{"../x"}}, "matches nothing"},
		{"glob that leads out, hidden", Grant{Effect: Denies, Tool: "t", Paths: []string{"*/../x"}}, "matches nothing"},
		{"glob with a dot", Grant{Effect: Denies, Tool: "t", Paths: []string{"./secrets/**"}}, "matches nothing"},
		{"glob with a slash at its end", Grant{Effect: Denies, Tool: "t", Paths: []string{"secrets/"}}, "matches nothing"},
		{"class", Grant{Effect: Allows, Tool: "t", Paths: []string{`\[a\]`, "v[!0]x"}}, `"v[!0]x" has a [class]; write {a,b} for one of several, and \[ for`},
		{"class behind a backslash", Grant{Effect: Allows, Tool: "t", Paths: []string{`\\[a]`}}, "class"},
		{"no words", Grant{Effect: Allows, Tool: "t", Commands: [][]string{{}}}, "without words"},
		{"an empty word", Grant{Effect: Allows, Tool: "t", Commands: [][]string{{"git", ""}}}, "without words"},
		{"no such mode", Grant{Effect: Allows, Tool: "t", Modes: []string{"yolo"}}, `no mode "yolo"; choose from prompt, read-only`},
		{"deny in a mode", Grant{Effect: Denies, Tool: "t", Modes: []string{"prompt"}}, "counts in every mode"},
		{"deny a number of times", Grant{Effect: Denies, Tool: "t", Uses: 1}, "counts in every mode"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := test.grant.Check()
			switch {
			case test.want == "" && err != nil:
				t.Error(err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("error is %v; want %q", err, test.want)
			}
		})
	}
}

func TestBelow(t *testing.T) {
	for _, test := range []struct {
		glob, dir string
		want      bool
	}{
		{"secrets/**", "secrets", true},
		{"secrets/*.pem", "secrets", true},
		{"a/secrets/x", "a", true},
		{"a/b/*", "a/b/c", false},
		{"secrets/**", ".", true},
		{"x", ".", true},
		{"secrets2/**", "secrets", false},
		{"secrets", "secrets", false}, // it is the directory, not below it
	} {
		if got := Below(test.glob, test.dir); got != test.want {
			t.Errorf("Below(%q, %q) is %v", test.glob, test.dir, got)
		}
	}
}
