package spec

// deprecated reads what is to be used in place of a tool.
func (r *reader) deprecated(f *fields) *Deprecated {
	n := f.get("deprecated")
	if n == nil {
		return nil
	}
	f = r.fields(n, "deprecated")
	if f == nil {
		return nil
	}
	d := &Deprecated{Pos: n.pos}
	d.ReplacedBy = f.text("replacedBy")
	d.Since = f.text("since")
	f.need("since", `add the version that says so: since: "1.2.0"`)
	d.RemoveIn = f.text("removeIn")
	f.close()
	for _, v := range []Value[string]{d.ReplacedBy, d.Since, d.RemoveIn} {
		if v.Set() && v.V == "" && !r.set.Misread(v.Pos) {
			r.misread(ruleValue, v.Pos, "an empty text; write one that says something")
		}
	}
	return d
}

// deprecations finds the tools that are replaced by none of the specs.
func (r *reader) deprecations() {
	byName := make(map[string]*Tool, len(r.set.Tools))
	var names []string
	for _, t := range r.set.Tools {
		byName[t.Name.V] = t
		names = append(names, t.Name.V)
	}
	for _, t := range r.set.Tools {
		d := t.Deprecated
		if d == nil || d.ReplacedBy.V == "" || r.set.Misread(d.ReplacedBy.Pos) {
			continue
		}
		r.faults = r.filed[d.Pos.File]
		switch by := byName[d.ReplacedBy.V]; {
		case by == t:
			r.fault(ruleDeprecated, d.ReplacedBy.Pos, "a tool can't replace itself; name another")
		case by == nil:
			advice := "name a tool of the specs"
			if near := Nearest(d.ReplacedBy.V, names); near != "" {
				advice = "write " + near
			}
			r.fault(ruleDeprecated, d.ReplacedBy.Pos, "there is no tool %s; %s", quote(d.ReplacedBy.V), advice)
		case by.Deprecated != nil:
			r.fault(ruleDeprecated, d.ReplacedBy.Pos, "%s is deprecated too; name the tool to use in the end", quote(d.ReplacedBy.V))
		}
	}
}
