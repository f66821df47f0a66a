package emit

import "github.com/teaagent/teaagent/gen/spec"

// lint writes what a tool or the server says of the rules, so that they judge
// a manifest as they judge its specs.
func (w *writer) lint(l *spec.Lint) {
	if l == nil {
		return
	}
	w.key("lint")
	w.open('{')
	if len(l.Severities) > 0 {
		w.key("severity")
		w.open('{')
		for _, s := range l.Severities {
			w.text(s.Rule.V, s.Severity)
		}
		w.close('}')
	}
	if len(l.Profiles) > 0 {
		w.key("profile")
		w.texts(l.Profiles)
	}
	w.size("ceiling", l.Ceiling)
	if len(l.Allow) > 0 {
		w.key("allow")
		w.texts(l.Allow)
	}
	w.text("because", l.Because)
	w.close('}')
}
