package mcp

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/teaagent/teaagent/mcp/internal/lock"
	"github.com/teaagent/teaagent/mcp/internal/ratelimit"
)

// Admit leads a call from its decoded arguments to its handler. Generated code
// runs the body, or its preview, if and only if Admit returns true.
//
//	Decode ▶ policy ▶ env ▶ confirm ▶ slot ▶ ticket ▶ grant or ask, then policy again ▶ lock ▶ spend grant ▶ record ▶ handler
//	dry_run: Decode ▶ deny grants ▶ env ▶ slot ▶ ticket ▶ Preview
//
// Each stage returns a failure that ends the way, or nil.
func (c *Call) Admit() bool {
	if c.checkOnly {
		return false
	}
	c.confirm, c.dryRun = c.dec.confirm, c.dec.dryRun
	stages := runStages
	switch {
	case c.foreseeing:
		c.dryRun = true
		stages = foreseeStages
	case c.dryRun:
		stages = previewStages
	}
	for _, stage := range stages {
		if c.fail = stage(c); c.fail != nil {
			c.giveSlotBack()
			return false
		}
	}
	c.ran = true
	return true
}

var runStages = []func(*Call) *failure{
	(*Call).checkArguments,
	(*Call).checkPolicy,
	(*Call).checkEnv,
	(*Call).checkConfirm,
	(*Call).takeSlot,
	(*Call).redeem,
	(*Call).findGrant,
	(*Call).takeLock,
	(*Call).spendGrant,
	(*Call).recordAdmitted,
}

var previewStages = []func(*Call) *failure{
	(*Call).checkArguments,
	(*Call).checkDenied,
	(*Call).checkEnv,
	(*Call).takeSlot,
	(*Call).redeem,
}

// foreseeStages are those of the preview that a person is shown: its call has
// come further than that already.
var foreseeStages = []func(*Call) *failure{(*Call).checkArguments}

// checkArguments fails a call whose arguments broke their schema.
func (c *Call) checkArguments() *failure {
	d := c.dec
	if err := d.lex.End(); err != nil && d.count == 0 {
		d.report(Violation{"", "JSON", err.Error()})
	}
	if d.secrets != nil {
		c.srv.secrets.remember(d.secrets)
	}
	if d.count == 0 {
		c.decoded = true
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

// takeSlot fails a call that is over its tool's rate limit.
func (c *Call) takeSlot() *failure {
	limit := c.tool.spec.RateLimit
	if limit.MaxCalls <= 0 {
		return nil
	}
	slot, wait, ok := c.tool.calls.Take(limit.MaxCalls, limit.Window)
	if ok {
		c.slot = slot
		return nil
	}
	after := (wait + time.Millisecond - 1).Milliseconds()
	return &failure{
		situation: rateLimited,
		text:      fmt.Sprintf("Rate limit exceeded for tool '%s': %d calls per %gs", c.tool.spec.Name, limit.MaxCalls, limit.Window.Seconds()),
		extra: func(e *Encoder) {
			e.Key("retryAfterMs")
			e.Int(after, 0, maxInt)
		},
	}
}

// giveSlotBack frees the slot of a call that was refused further down, or that
// ends with a question.
func (c *Call) giveSlotBack() {
	if c.slot != (ratelimit.Slot{}) {
		c.tool.calls.GiveBack(c.slot)
		c.slot = ratelimit.Slot{}
	}
}

// takeLock takes the workspace from other processes before the first call that
// writes to it: clients start a second copy of a server only to probe it.
func (c *Call) takeLock() *failure {
	if c.tool.spec.Workspace != AccessWrite {
		return nil
	}
	err := c.srv.state.takeLock(c.Context())
	if err == nil {
		return nil
	}
	var held *lock.HeldError
	if !errors.As(err, &held) {
		return &failure{situation: failed, label: "LOCK_FAILED", text: "the workspace can't be locked, so nothing was written: " + err.Error()}
	}
	return &failure{
		situation: locked,
		text:      held.Error() + ". Try again when it has ended; reading still works.",
		extra: func(e *Encoder) {
			e.Key("holder")
			e.Begin('{')
			e.Key("workspace_path")
			e.Text(held.Holder.Path)
			if held.Holder.PID != 0 {
				e.Key("owner_pid")
				e.Int(int64(held.Holder.PID), 0, maxInt)
				e.Key("acquired_at")
				e.Text(held.Holder.Since.UTC().Format(time.RFC3339))
			}
			e.field("server", held.Holder.Server)
			e.End('}')
			e.Key("retryable")
			e.Bool(true)
		},
	}
}
