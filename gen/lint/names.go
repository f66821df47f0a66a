package lint

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/teaagent/teaagent/gen/spec"
)

var verbNoun = regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)

// base returns what follows the prefix in a tool's name, whichever it is.
func base(name, prefix string) string {
	if rest, ok := strings.CutPrefix(name, prefix+"_"); ok {
		return rest
	}
	if _, rest, ok := strings.Cut(name, "_"); ok {
		return rest
	}
	return name
}

func namePrefix(c *Context, t *spec.Tool) {
	prefix := c.Set.Server.Prefix.V
	if prefix == "" || !t.Name.Set() || strings.HasPrefix(t.Name.V, prefix+"_") {
		return
	}
	c.Report(t.Name.Pos, "name %q does not start with the server's prefix; write %q", t.Name.V, prefix+"_"+base(t.Name.V, prefix))
}

func nameShape(c *Context, t *spec.Tool) {
	prefix := c.Set.Server.Prefix.V
	name := base(t.Name.V, prefix)
	if !t.Name.Set() || verbNoun.MatchString(name) {
		return
	}
	words := nameWords(name)
	for i, w := range words {
		w = strings.ToLower(w)
		if i > 0 {
			w = strings.ToUpper(w[:1]) + w[1:]
		}
		words[i] = w
	}
	if better := strings.Join(words, ""); verbNoun.MatchString(better) && prefix != "" {
		c.Report(t.Name.Pos, "name %q is not <prefix>_<verbNoun>; write %q", t.Name.V, prefix+"_"+better)
	} else {
		c.Report(t.Name.Pos, "name %q is not <prefix>_<verbNoun>, such as docker_listContainers", t.Name.V)
	}
}

// nameWords splits listRunning_containers into its three words. Characters that
// no name has are left out.
func nameWords(name string) []string {
	var words []string
	start := true
	for _, r := range name {
		switch {
		case r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r):
			start = true
			continue
		case start || unicode.IsUpper(r):
			words = append(words, "")
			start = false
		}
		words[len(words)-1] += string(r)
	}
	return words
}

func nameUnique(c *Context) {
	first := make(map[string]*spec.Tool, len(c.Set.Tools))
	for _, t := range c.Set.Tools {
		if t.Name.V == "" {
			continue
		}
		key := strings.ToLower(t.Name.V)
		if other := first[key]; other != nil {
			c.Report(t.Name.Pos, "name %q is taken by %q at %s:%d; write another", t.Name.V, other.Name.V, other.Name.Pos.File, other.Name.Pos.Line)
			continue
		}
		first[key] = t
	}
}

func nameVerb(c *Context, t *spec.Tool) {
	prefix := c.Set.Server.Prefix.V
	words := nameWords(base(t.Name.V, prefix))
	if len(words) == 0 || verbs[strings.TrimRightFunc(strings.ToLower(words[0]), unicode.IsDigit)] {
		return
	}
	last := strings.ToLower(words[len(words)-1])
	if verbs[last] {
		rest := words[:len(words)-1]
		rest[0] = strings.ToUpper(rest[0][:1]) + rest[0][1:]
		c.Report(t.Name.Pos, "name %q does not start with a verb; write something like %q", t.Name.V, prefix+"_"+last+strings.Join(rest, ""))
		return
	}
	c.Report(t.Name.Pos, "name %q does not start with a verb; put one first, such as get or list", t.Name.V)
}

func categoryDeclared(c *Context) {
	if c.Set.Server.Pos.Line == 0 {
		return // no server.yaml was read
	}
	var names []string
	declared := make(map[string]bool)
	for _, category := range c.Set.Server.Categories {
		names = append(names, category.Name.V)
		declared[category.Name.V] = true
	}
	for _, t := range c.Set.Tools {
		v := t.Category
		if !v.Set() || declared[v.V] {
			continue
		}
		if near := spec.Nearest(v.V, names); near != "" {
			c.Report(v.Pos, "category %q is not declared in server.yaml; write %q, or declare it", v.V, near)
		} else {
			c.Report(v.Pos, "category %q is not declared in server.yaml; add it to categories there", v.V)
		}
	}
}

func authDeclared(c *Context, t *spec.Tool) {
	if c.Set.Server.Pos.Line == 0 {
		return // no server.yaml was read
	}
	check := func(v spec.Value[string]) {
		var names []string
		for _, env := range c.Set.Server.Env {
			if env.Name.V == v.V {
				return
			}
			names = append(names, env.Name.V)
		}
		if near := spec.Nearest(v.V, names); near != "" {
			c.Report(v.Pos, "variable %q is not declared in server.yaml; write %q, or declare it", v.V, near)
		} else {
			c.Report(v.Pos, "variable %q is not declared in server.yaml; add it to env there", v.V)
		}
	}
	for _, v := range t.Auth {
		check(v)
	}
	for _, e := range t.Examples {
		for _, v := range e.Needs {
			check(v)
		}
	}
}
