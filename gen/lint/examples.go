package lint

import "github.com/teaagent/teaagent/gen/spec"

func exampleMissing(c *Context, t *spec.Tool) {
	if len(t.Examples) == 0 {
		c.Report(at(t.Name, t.Pos), "the tool has no example; add one under examples; it becomes a test")
	}
}

func authStated(c *Context, t *spec.Tool) {
	if t.Destructive.V && t.AuthPos.Line == 0 {
		c.Report(at(t.Destructive, t.Pos), "a destructive tool states what it authenticates with; add auth: with a list of variables, or auth: none")
	}
}
