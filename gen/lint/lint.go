// Package lint judges specs by rules that are rows of one table.
package lint

import (
	"fmt"
	"slices"

	"github.com/teaagent/teaagent/gen/spec"
)

// Rule is one thing that specs keep to.
type Rule struct {
	ID       string
	Purpose  string        // what every spec does, as a sentence
	Severity spec.Severity // of its findings
	Check    func(*Context)

	// Pass and Fail are lists of tools, as under `tools:`, without and with a
	// finding of this rule. They are the rule's test and its explanation.
	Pass, Fail string
}

// Rules returns the table, in the order it is documented in.
func Rules() []Rule { return slices.Clone(rules) }

// Run returns what the rules find in a set, sorted. It judges what Load could
// read, and says nothing about values that Load has reported.
func Run(set *spec.Set) []spec.Finding {
	var findings []spec.Finding
	for i := range rules {
		c := &Context{Set: set, rule: &rules[i]}
		c.rule.Check(c)
		findings = append(findings, c.findings...)
	}
	return spec.Sort(findings)
}

// Context is what a rule's check sees, and where it reports.
type Context struct {
	Set      *spec.Set
	rule     *Rule
	findings []spec.Finding
}

// Report adds a finding, unless Load found fault with the very place.
func (c *Context) Report(at spec.Pos, format string, args ...any) {
	if !c.Set.Misread(at) {
		c.add(at, fmt.Sprintf(format, args...))
	}
}

// ReportPart adds a finding about a part of a text, at that part where it can
// be pointed at.
func (c *Context) ReportPart(text spec.Value[string], part, format string, args ...any) {
	if c.Set.Misread(text.Pos) {
		return
	}
	at, ok := c.Set.Within(text.Pos, part)
	if !ok {
		at = text.Pos
	}
	c.add(at, fmt.Sprintf(format, args...))
}

func (c *Context) add(at spec.Pos, message string) {
	c.findings = append(c.findings, spec.Finding{Pos: at, Rule: c.rule.ID, Severity: c.rule.Severity, Message: message})
}

// eachTool makes a check of a set from one of a tool.
func eachTool(check func(*Context, *spec.Tool)) func(*Context) {
	return func(c *Context) {
		for _, t := range c.Set.Tools {
			check(c, t)
		}
	}
}

// eachArg makes a check of a set from one of an argument or of a property at
// any depth of one.
func eachArg(check func(*Context, *spec.Tool, *spec.Schema)) func(*Context) {
	return eachTool(func(c *Context, t *spec.Tool) {
		walkNamed(t.Args, func(s *spec.Schema) { check(c, t, s) })
	})
}

// walkNamed calls visit with the schemas and with their properties at any depth.
func walkNamed(schemas []*spec.Schema, visit func(*spec.Schema)) {
	for _, s := range schemas {
		visit(s)
		for s.Items != nil {
			s = s.Items
		}
		walkNamed(s.Properties, visit)
	}
}

// at returns the place of a value, or that of what should hold it.
func at[T any](v spec.Value[T], parent spec.Pos) spec.Pos {
	if v.Set() {
		return v.Pos
	}
	return parent
}
