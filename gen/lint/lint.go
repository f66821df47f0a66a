// Package lint judges specs, and the tools that servers list, by rules that
// are rows of one table.
package lint

import (
	"fmt"
	"slices"
	"sync"

	"github.com/teaagent/teaagent/gen/spec"
)

// Rule is one thing that specs keep to.
type Rule struct {
	ID       string
	Purpose  string // what every spec does, as a sentence
	Kind     Kind
	Severity spec.Severity // of its findings, unless server.yaml says otherwise
	Check    func(*Context)

	// Of kind Clients: whose limit it is, where that was learned, and whether a
	// server that was not generated here can be judged by it too. The facts are
	// as of FactsAsOf.
	Profiles []string
	Source   string
	Listed   bool // judges what tools/list shows, wherever the server is from

	// Pass and Fail are without and with a finding of this rule: lists of tools
	// as under `tools:`, or, where they start with a bracket, as in tools/list.
	// Server is what server.yaml says besides. They are the rule's test and its
	// explanation.
	Pass, Fail string
	Server     string
}

// FactsAsOf is the day on which the limits of clients were looked up.
const FactsAsOf = "2026-11-30"

// Kind says what a rule is for.
type Kind string

const (
	Standard Kind = "standard" // the house style of names, descriptions and flags
	Clients  Kind = "clients"  // what clients cut, refuse or choke on
	Safety   Kind = "safety"   // what misleads a model or a person
	Cost     Kind = "cost"     // what a list of tools costs its reader
)

// Rules returns the table, in the order it is documented in.
func Rules() []Rule { return slices.Clone(rules) }

// Options say how to judge. The zero value does as server.yaml says.
type Options struct {
	Profiles []string // the clients whose limits count, in place of server.yaml's; All and None are some too
}

// Run returns what the rules find in a set, sorted. It judges what Load could
// read, and says nothing about values that Load has reported. The tools are
// those of the set as clients get them; without them, what they show is not
// judged.
func Run(set *spec.Set, tools []*Tool, o Options) []spec.Finding {
	return run(set, tools, o, func(*Rule) bool { return true })
}

func run(set *spec.Set, tools []*Tool, o Options, applies func(*Rule) bool) []spec.Finding {
	s := settle(set, o)
	var asked []*Rule
	for i := range rules {
		if r := &rules[i]; applies(r) && s.runs(r) && r.Check != nil {
			asked = append(asked, r)
		}
	}
	contexts := make([]*Context, len(asked))
	var wg sync.WaitGroup
	for i, r := range asked {
		contexts[i] = &Context{Set: set, Tools: tools, settings: s, rule: r}
		wg.Go(func() { r.Check(contexts[i]) })
	}
	wg.Wait()
	var findings []spec.Finding
	for _, c := range contexts {
		findings = append(findings, c.findings...)
	}
	return spec.Sort(s.apply(findings))
}

// Context is what a rule's check sees, and where it reports.
type Context struct {
	Set      *spec.Set
	Tools    []*Tool // as clients get them
	settings *settings
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
		walkNamed(inside(s), visit)
	}
}

// inside returns the properties of a schema, of its elements, of the values of
// its map and of its variants.
func inside(s *spec.Schema) []*spec.Schema {
	named := s.Properties
	for _, more := range append([]*spec.Schema{s.Items, s.Extra}, s.OneOf...) {
		if more != nil {
			named = append(named[:len(named):len(named)], inside(more)...)
		}
	}
	return named
}

// at returns the place of a value, or that of what should hold it.
func at[T any](v spec.Value[T], parent spec.Pos) spec.Pos {
	if v.Set() {
		return v.Pos
	}
	return parent
}
