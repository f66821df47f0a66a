package lint

import "github.com/teaagent/teaagent/gen/spec"

func exampleMissing(c *Context, t *spec.Tool) {
	if len(t.Examples) == 0 {
		c.Report(at(t.Name, t.Pos), "the tool has no example; add one under examples; it becomes a test")
	}
}

// authSecret leaves variables that are no secrets alone: handlers may read an
// optional setting, and no tool fails without it.
func authSecret(c *Context) {
	named := make(map[string]bool)
	for _, t := range c.Set.Tools {
		if c.Set.Misread(t.AuthPos) {
			return // who knows what it was to name
		}
		for _, v := range t.Auth {
			named[v.V] = true
		}
		for _, e := range t.Examples {
			for _, v := range e.Needs {
				named[v.V] = true
			}
		}
	}
	for _, v := range c.Set.Server.Env {
		if v.Secret.V && !v.Required.V && !named[v.Name.V] {
			c.Report(v.Name.Pos, "no tool names the secret %s; add it to auth: of the tools that fail without it, add required: true if all do, or remove it", v.Name.V)
		}
	}
}

func authStated(c *Context, t *spec.Tool) {
	if t.Destructive.V && t.AuthPos.Line == 0 {
		c.Report(at(t.Destructive, t.Pos), "a destructive tool states what it authenticates with; add auth: with a list of variables, or auth: none")
	}
}
