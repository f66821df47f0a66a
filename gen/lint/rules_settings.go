package lint

import "github.com/teaagent/teaagent/gen/spec"

// settingRules are about what specs say of rules. They have no check of their
// own: settings finds what breaks them.
var settingRules = []Rule{
	{
		ID:      "lint-unknown",
		Purpose: "What lint: names is a rule or a profile that exists.",
		Kind:    Standard,
		Pass:    `- {name: docker_ping, description: Ping the daemon.}`,
		Fail:    `- {name: docker_ping, description: Ping the daemon., lint: {allow: desc-nouns, because: It has none.}}`,
	},
	{
		ID:       "lint-unused",
		Purpose:  "What lint: allows is needed.",
		Kind:     Standard,
		Severity: spec.Warning,
		Pass:     `- {name: docker_status, description: Show the status., lint: {allow: name-verb, because: It is called so everywhere.}}`,
		Fail:     `- {name: docker_showStatus, description: Show the status., lint: {allow: name-verb, because: It is called so everywhere.}}`,
	},
	{
		ID:      "lint-reason",
		Purpose: "A rule whose findings are errors is turned off, or down to a warning, for a reason.",
		Kind:    Standard,
		Pass:    `- {name: docker_ping, description: Ping the daemon.}`,
		Fail:    `- {name: docker_ping, description: Ping the daemon.}`,
		Server:  `lint: {severity: {desc-length: off}}`,
	},
}
