package gen

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/teaagent/teaagent/gen/internal/plan"
	"github.com/teaagent/teaagent/gen/lint"
	"github.com/teaagent/teaagent/gen/spec"
)

// Kinds of the rules that are not lint's: nothing can be generated against
// them, so that they have one severity and no exceptions.
const (
	Reading  lint.Kind = "reading"  // what specs are made of
	Naming   lint.Kind = "naming"   // what Go can say
	Handlers lint.Kind = "handlers" // what package handlers lacks
	Files    lint.Kind = "files"    // what stands where a file should be generated
)

// Rules returns every rule that a finding can be of: lint's, in the order of
// its table, and those of the other stages.
func Rules() []lint.Rule {
	rules := lint.Rules()
	add := func(kind lint.Kind, usual spec.Severity, more []spec.Rule) {
		for _, r := range more {
			severity := usual
			if r.ID == "spec-unused" { // keeps nothing from being generated
				severity = spec.Warning
			}
			rules = append(rules, lint.Rule{ID: r.ID, Purpose: r.Purpose, Kind: kind, Severity: severity})
		}
	}
	add(Reading, spec.Error, spec.Rules())
	add(Naming, spec.Error, plan.Rules())
	add(Handlers, spec.Warning, HandlerRules())
	add(Files, spec.Warning, []spec.Rule{{ID: envKept, Purpose: "The list of variables, .env.example, is the one that teagen writes."}})
	return rules
}

const envKept = "env-example"

// keptFile says that a file of somebody's is where teagen would write its own.
func keptFile(o Options, name string) spec.Finding {
	return spec.Finding{
		Pos:      spec.Pos{File: filepath.Join(o.Dir, name), Line: 1, Col: 1, Width: 1},
		Rule:     envKept,
		Severity: spec.Warning,
		Message:  "teagen did not write this file and leaves it as it is; move what it says to the descriptions under env in server.yaml, remove it, then generate again",
	}
}

// LintFile judges a file that holds tools: a manifest of ours as the specs
// that it is, and the answer of any server to tools/list by what it shows.
func LintFile(name string, profiles []string) (*Report, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read tools: %w", err)
	}
	var manifest struct {
		Server json.RawMessage `json:"server"`
		Prefix string          `json:"prefix"`
	}
	if json.Unmarshal(data, &manifest) == nil && manifest.Server != nil && manifest.Prefix != "" {
		r, _, err := inspect(Options{Specs: name, Profiles: profiles}.withDefaults())
		return r, err
	}
	set, findings, err := lint.Foreign(name, data, lint.Options{Profiles: profiles})
	return &Report{Findings: findings, Tools: len(set.Tools), set: set}, err
}
