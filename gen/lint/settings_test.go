package lint

import (
	"strings"
	"testing"

	"github.com/teaagent/teaagent/gen/spec"
)

// judged lists what is found in tools beside a server.yaml, as "3: error rule".
func judged(t *testing.T, more, tools string, o Options) string {
	t.Helper()
	var all []string
	for _, f := range Run(loadBeside(t, server+more+"\n", tools), nil, o) {
		all = append(all, map[spec.Severity]string{spec.Error: "error ", spec.Warning: "warning "}[f.Severity]+f.Rule)
	}
	return strings.Join(all, ", ")
}

func TestSettings(t *testing.T) {
	const short = "severity: {example-missing: off}, because: short"
	const long = `- {name: docker_containerListOfEveryProjectThatThereIsHere, description: List the containers.`
	for what, c := range map[string]struct{ server, tools, want string }{
		"two rules, unlet":       {"lint: {" + short + "}", long + "}", "error name-length, warning name-verb"},
		"allowed beside it":      {"lint: {" + short + "}", long + ", lint: {allow: [name-verb, name-length], because: It is.}}", ""},
		"another tool's allow":   {"lint: {" + short + "}", long + "}\n- {name: docker_ping, description: Ping a host., lint: {allow: name-verb, because: It is.}}", "error name-length, warning name-verb, warning lint-unused"},
		"allowed for all":        {"lint: {allow: [name-verb, name-length], " + short + "}", long + "}", ""},
		"allowed twice":          {"lint: {allow: name-verb, " + short + "}", long + ", lint: {allow: [name-verb, name-length], because: It is.}}", "warning lint-unused"},
		"allowed for nothing":    {"lint: {allow: desc-length, " + short + "}", "- {name: docker_ping, description: Ping a host.}", "warning lint-unused"},
		"allowed, but off":       {"lint: {severity: {example-missing: off, name-verb: off}, because: It is.}", "- {name: docker_status, description: Show a status., lint: {allow: name-verb, because: It is.}}", "warning lint-unused"},
		"raised":                 {"lint: {severity: {name-verb: error, example-missing: off}, because: short}", "- {name: docker_status, description: Show a status.}", "error name-verb"},
		"lowered":                {"lint: {severity: {name-length: warning, example-missing: off}, because: short}", long + "}", "warning name-length, warning name-verb"},
		"off without a reason":   {"lint: {severity: {example-missing: off}}", "- {name: docker_ping, description: Ping a host.}", "error lint-reason"},
		"a warning needs none":   {"lint: {severity: {name-verb: off}}", "- {name: docker_status, description: Show a status.}", "error example-missing"},
		"no such rule":           {"lint: {severity: {example-mising: off}, because: short}", "- {name: docker_ping, description: Ping a host.}", "error example-missing, error lint-unknown"},
		"what cannot be allowed": {"lint: {allow: spec-type, " + short + "}", "- {name: docker_ping, description: Ping a host.}", "error lint-unknown"},
		"no such client":         {"lint: {profile: [vscode, emacs], " + short + "}", "- {name: docker_ping, description: Ping a host.}", "error lint-unknown"},
		"another client":         {"lint: {profile: gemini, " + short + "}", long + "}", "warning name-verb"},
		"its client":             {"lint: {profile: [gemini, vscode], " + short + "}", long + "}", "error name-length, warning name-verb"},
		"no client, unused":      {"lint: {profile: none, " + short + "}", long + ", lint: {allow: [name-verb, name-length], because: It is.}}", ""},
		"unused turned off":      {"lint: {severity: {lint-unused: off, example-missing: off}, because: It is.}", "- {name: docker_ping, description: Ping a host., lint: {allow: name-verb, because: It is.}}", ""},
	} {
		if got := judged(t, c.server, c.tools, Options{}); got != c.want {
			t.Errorf("%s: got %q, not %q", what, got, c.want)
		}
	}
	if got := judged(t, "lint: {profile: none, "+short+"}", long+"}", Options{Profiles: []string{"vscode"}}); got != "error name-length, warning name-verb" {
		t.Errorf("an option does not win over server.yaml: %q", got)
	}
}

// TestCeiling: the ceiling of server.yaml takes the place of the usual size.
func TestCeiling(t *testing.T) {
	large := strings.Repeat("x", maxList)
	for ceiling, want := range map[string]string{"": "cost-list", "ceiling: 10": "cost-ceiling", "ceiling: 90000": ""} {
		set := loadBeside(t, server+"lint: {severity: {example-missing: off}, because: short, "+ceiling+"}\n", "- {name: docker_ping, description: Ping a host.}")
		tool, err := NewTool(set.Tools[0], []byte(`{"name":"docker_ping","description":"`+large+`","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"destructiveHint":true,"idempotentHint":true,"openWorldHint":true}}`))
		if err != nil {
			t.Fatal(err)
		}
		rules, _ := found(Run(set, []*Tool{tool}, Options{}))
		if got := strings.Join(rules, " "); got != want {
			t.Errorf("with %q: got %q, not %q", ceiling, got, want)
		}
	}
}
