package spec

import "strings"

// Lint is what a `lint:` says: the rules that a tool, or the whole server, is
// let off, and why. That of server.yaml also says how rules are applied.
type Lint struct {
	Pos     Pos
	Allow   []Value[string] // IDs of rules
	Because Value[string]

	Severities []RuleSeverity  // the rest is of server.yaml only
	Profiles   []Value[string] // the clients whose limits count; none written: all
	Ceiling    Value[int]      // bytes of tools/list; 0 if absent
}

// RuleSeverity gives a rule another severity.
type RuleSeverity struct {
	Rule     Value[string]
	Severity Value[string] // error | warning | off
}

// lint reads the `lint:` of a tool or of server.yaml; nil if there is none.
func (r *reader) lint(of *fields, server bool) *Lint {
	n := of.get("lint")
	if n == nil {
		return nil
	}
	f := r.fields(n, "lint")
	if f == nil {
		return nil
	}
	l := &Lint{Pos: n.pos}
	l.Allow = f.words("allow", "a rule, or a list of rules, such as [desc-stem]")
	l.Because = f.text("because")
	if f.has("allow") {
		f.need("because", "say why this is right here")
	}
	if l.Because.Set() && strings.TrimSpace(l.Because.V) == "" && !r.set.Misread(l.Because.Pos) {
		r.misread(ruleValue, l.Because.Pos, "because says nothing; say why this is right here")
	}
	if server {
		f.mapping("severity", "a mapping of rules, such as {desc-stem: off}", func(name Value[string], n *node) {
			severity := &fields{r: r, what: "severity", at: n.pos, pairs: []pair{{&node{kind: textKind, text: name.V, pos: name.Pos}, n}}}
			if v := severity.oneOf(name.V, "", "error", "warning", "off"); v.V != "" {
				l.Severities = append(l.Severities, RuleSeverity{name, v})
			}
		})
		l.Profiles = f.words("profile", "a client, or a list of clients, such as [vscode, cursor]")
		l.Ceiling = f.count("ceiling", 1, 0)
	}
	f.close()
	return l
}

// words reads a text, or a list of texts.
func (f *fields) words(key, wanted string) (words []Value[string]) {
	n := f.get(key)
	switch {
	case n == nil:
	case n.kind == textKind:
		words = append(words, Value[string]{n.text, n.pos})
	default:
		f.known = f.known[:len(f.known)-1] // list asks again
		f.list(key, wanted, func(n *node) {
			words = append(words, Value[string]{f.r.text(n, "an item of "+key), n.pos})
		})
	}
	return words
}
