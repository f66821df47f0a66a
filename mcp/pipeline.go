package mcp

import (
	"fmt"
	"strings"
	"time"

	"github.com/teaagent/teaagent/mcp/policy"
)

// Admit leads a call from its decoded arguments to its handler. Generated code
// runs the body, or its preview, if and only if Admit returns true.
//
//	Decode ▶ policy ▶ env ▶ confirm ▶ slot ▶ grant or ask ▶ policy again ▶ lock ▶ spend grant ▶ handler
//	dry_run: Decode ▶ deny grants ▶ env ▶ slot ▶ Preview
//
// Each stage returns a failure that ends the way, or nil.
func (c *Call) Admit() bool {
	if c.checkOnly {
		return false
	}
	c.confirm, c.dryRun = c.dec.confirm, c.dec.dryRun
	stages := runStages
	if c.dryRun {
		stages = previewStages
	}
	for _, stage := range stages {
		if c.fail = stage(c); c.fail != nil {
			return false
		}
	}
	return true
}

var runStages = []func(*Call) *failure{
	(*Call).checkArguments,
	(*Call).checkPolicy,
	(*Call).checkEnv,
	(*Call).checkConfirm,
	(*Call).takeSlot,
	(*Call).findGrant,
	(*Call).takeLock,
}

var previewStages = []func(*Call) *failure{
	(*Call).checkArguments,
	(*Call).checkEnv,
	(*Call).takeSlot,
}

// checkArguments fails a call whose arguments broke their schema.
func (c *Call) checkArguments() *failure {
	d := c.dec
	if err := d.lex.End(); err != nil && d.count == 0 {
		d.report(Violation{"", "JSON", err.Error()})
	}
	if d.count == 0 {
		return nil
	}
	lines := make([]string, 0, len(d.violations)+1)
	for _, v := range d.violations {
		lines = append(lines, v.String())
	}
	if more := d.count - len(d.violations); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return &failure{
		situation: badArguments,
		text:      fmt.Sprintf("invalid arguments for %s: %s", c.tool.spec.Name, strings.Join(lines, "; ")),
		extra: func(e *Encoder) {
			e.Key("violations")
			e.Begin('[')
			for _, v := range d.violations {
				e.Begin('{')
				e.Key("pointer")
				e.Text(v.Pointer)
				e.Key("want")
				e.Text(v.Want)
				e.field("got", v.Got)
				e.End('}')
			}
			e.End(']')
			e.Key("count")
			e.Int(int64(d.count), 0, maxInt)
		},
	}
}

// checkPolicy fails what the permission mode does not allow.
func (c *Call) checkPolicy() *failure {
	spec := c.tool.spec
	decision := policy.Judge(c.srv.mode, policy.Tool{
		Name: spec.Name, Tier: uint8(spec.Tier), ReadOnly: spec.ReadOnly, Destructive: spec.Destructive,
	}, policy.Call{}, nil, time.Now())
	if decision.Verdict == policy.Allowed {
		return nil
	}
	return &failure{
		situation: denied,
		text:      fmt.Sprintf("%s is not allowed in permission mode %s. Restart the server with another --permission-mode to let it run.", spec.Name, c.srv.mode),
		extra: func(e *Encoder) {
			e.Key("rule")
			e.Text(decision.Rule)
		},
	}
}

// checkEnv fails a call of a tool whose environment variables are not all set.
func (c *Call) checkEnv() *failure {
	for _, name := range c.tool.spec.Auth {
		if c.srv.getenv(name) == "" {
			return c.srv.unset(name)
		}
	}
	return nil
}

func (s *server) unset(name string) *failure {
	text := name + " is not set."
	if s.info.Readme != "" {
		text += " See " + s.info.Readme
	}
	return &failure{situation: authMissing, text: text, extra: func(e *Encoder) {
		e.Key("variable")
		e.Text(name)
	}}
}

// checkConfirm fails a guarded call without confirm: true.
func (c *Call) checkConfirm() *failure {
	if c.guard == guardNone || c.confirm {
		return nil
	}
	text := "call " + c.tool.spec.Name + " again with confirm=true to go ahead"
	if c.guard == guardPreview {
		text += ", or with dry_run=true to see what it would do"
	}
	return &failure{situation: unconfirmed, text: text + "."}
}

// takeSlot is where a rate limit is kept: there is none yet.
func (c *Call) takeSlot() *failure { return nil }

// findGrant is where a grant, or a person, allows what the mode asks about:
// until there are grants, checkPolicy has denied all of that.
func (c *Call) findGrant() *failure { return nil }

// takeLock is where a writing tool takes the workspace from other processes:
// there is no lock yet.
func (c *Call) takeLock() *failure { return nil }
