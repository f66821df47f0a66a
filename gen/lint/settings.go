package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/teaagent/teaagent/gen/spec"
)

// Profiles that stand for many.
const (
	All  = "all"  // the limits of all clients; the default
	None = "none" // those of none
)

// Profiles returns the clients whose limits are known, in order.
func Profiles() []string {
	var all []string
	for _, r := range rules {
		all = append(all, r.Profiles...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// settings are what a set says about the rules themselves.
//
//	findings ─▶ those that a lint: allows are dropped ─▶ severities ─▶
type settings struct {
	set        *spec.Set
	severities map[string]string // of rules, where server.yaml gives one
	profiles   []string
	ran        map[string]bool
	findings   []spec.Finding // about the settings
}

func settle(set *spec.Set, o Options) *settings {
	s := &settings{set: set, severities: map[string]string{}, ran: map[string]bool{}, profiles: o.Profiles}
	l := set.Server.Lint
	if l == nil {
		return s
	}
	for _, v := range l.Severities {
		rule := s.rule(v.Rule)
		if rule == nil {
			continue
		}
		s.severities[rule.ID] = v.Severity.V
		if rule.Severity == spec.Error && v.Severity.V != "error" && strings.TrimSpace(l.Because.V) == "" && !set.Misread(l.Because.Pos) {
			s.find("lint-reason", v.Rule.Pos, "%s is an error unless there is a reason; add because: to lint", v.Rule.V)
		}
	}
	known := append(Profiles(), All, None)
	for _, p := range l.Profiles {
		if slices.Contains(known, p.V) || set.Misread(p.Pos) {
			continue
		}
		s.find("lint-unknown", p.Pos, "there is no profile %q; %s", p.V, advice(p.V, known))
	}
	if len(s.profiles) == 0 {
		for _, p := range l.Profiles {
			s.profiles = append(s.profiles, p.V)
		}
	}
	return s
}

// rule returns the rule that a setting names, or reports that there is none.
func (s *settings) rule(id spec.Value[string]) *Rule {
	var ids []string
	for i := range rules {
		if rules[i].ID == id.V {
			return &rules[i]
		}
		ids = append(ids, rules[i].ID)
	}
	switch {
	case s.set.Misread(id.Pos):
	case slices.ContainsFunc(spec.Rules(), func(r spec.Rule) bool { return r.ID == id.V }):
		s.find("lint-unknown", id.Pos, "%s is no matter of taste: what it finds cannot be read; mend that, and remove this", id.V)
	default:
		s.find("lint-unknown", id.Pos, "there is no rule %q; %s", id.V, advice(id.V, ids))
	}
	return nil
}

func advice(word string, known []string) string {
	if near := spec.Nearest(word, known); near != "" {
		return fmt.Sprintf("write %q", near)
	}
	if len(known) > 20 {
		return "teagen explain lists them"
	}
	return "there is " + strings.Join(known, ", ")
}

func (s *settings) find(rule string, at spec.Pos, format string, args ...any) {
	for _, r := range rules {
		if r.ID == rule {
			s.findings = append(s.findings, spec.Finding{Pos: at, Rule: rule, Severity: r.Severity, Message: fmt.Sprintf(format, args...)})
		}
	}
}

// runs reports whether a rule is asked for, and remembers it.
func (s *settings) runs(r *Rule) bool {
	ok := s.severities[r.ID] != "off"
	if r.Kind == Clients && len(s.profiles) > 0 && !slices.Contains(s.profiles, All) {
		ok = ok && slices.ContainsFunc(r.Profiles, func(p string) bool { return slices.Contains(s.profiles, p) })
	}
	s.ran[r.ID] = ok
	return ok
}

// apply drops what is allowed beside its tool or in server.yaml, gives the
// rest its severity, and adds what is wrong with the settings themselves.
func (s *settings) apply(findings []spec.Finding) []spec.Finding {
	tools := make(map[string][]*spec.Tool) // by file, in order
	for _, t := range s.set.Tools {
		tools[t.Pos.File] = append(tools[t.Pos.File], t)
	}
	used := make(map[spec.Pos]bool)
	findings = slices.DeleteFunc(findings, func(f spec.Finding) bool {
		t := toolAt(tools[f.Pos.File], f.Pos)
		return t != nil && allowed(t.Lint, f.Rule, used) || allowed(s.set.Server.Lint, f.Rule, used)
	})
	for _, t := range s.set.Tools {
		s.unused(t.Lint, used)
	}
	s.unused(s.set.Server.Lint, used)

	findings = append(findings, s.findings...)
	findings = slices.DeleteFunc(findings, func(f spec.Finding) bool { return s.severities[f.Rule] == "off" })
	for i := range findings {
		switch s.severities[findings[i].Rule] {
		case "error":
			findings[i].Severity = spec.Error
		case "warning":
			findings[i].Severity = spec.Warning
		}
	}
	return findings
}

// toolAt returns the tool that a place belongs to: the last that starts before it.
func toolAt(tools []*spec.Tool, at spec.Pos) *spec.Tool {
	i, exact := slices.BinarySearchFunc(tools, at, func(t *spec.Tool, at spec.Pos) int {
		return cmp.Or(cmp.Compare(t.Pos.Line, at.Line), cmp.Compare(t.Pos.Col, at.Col))
	})
	if exact {
		return tools[i]
	}
	if i == 0 {
		return nil
	}
	return tools[i-1]
}

func allowed(l *spec.Lint, rule string, used map[spec.Pos]bool) bool {
	if l == nil {
		return false
	}
	for _, v := range l.Allow {
		if v.V == rule {
			used[v.Pos] = true
			return true
		}
	}
	return false
}

func allows(l *spec.Lint, rule string) bool { return allowed(l, rule, map[spec.Pos]bool{}) }

// unused reports what a lint: allows and nothing needs. Where a rule did not
// run because of a profile, nobody knows.
func (s *settings) unused(l *spec.Lint, used map[spec.Pos]bool) {
	if l == nil {
		return
	}
	for _, v := range l.Allow {
		rule := s.rule(v)
		if rule == nil || used[v.Pos] || !s.ran[rule.ID] && s.severities[rule.ID] != "off" {
			continue
		}
		s.find("lint-unused", v.Pos, "nothing here breaks %s; remove this", v.V)
	}
}
