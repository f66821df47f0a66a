package mcp

import (
	"context"
	"errors"
	"strconv"
	"time"
)

// The audit log's events:
//
//	call      a call that changes nothing has ended
//	admitted  one that may change something is about to run: on disk before it does
//	done      that one has ended
//	preview   a dry run has ended
//	refused   a call did not run
//	overdue   a body runs on after its timeout
const (
	maxRecorded  = 1 << 10 // bytes of arguments
	maxErrorText = 256
)

// recordAdmitted is the last stage before a body that may change something. If
// it can't be recorded, it does not happen.
func (c *Call) recordAdmitted() *failure {
	if c.srv.state.log == nil || c.tool.spec.ReadOnly {
		return nil
	}
	c.number = c.srv.calls.Add(1)
	var e Encoder
	e.Key("event")
	e.Text("admitted")
	c.encodeRecord(&e)
	e.Key("digest")
	e.Text(c.digest())
	e.Key("rule")
	e.Text(c.decision.Rule)
	e.field("approval", c.approval)
	if err := c.srv.state.log.Add(e.buf, true); err != nil {
		c.srv.log.Error("write the audit log", "err", err)
		return &failure{situation: failed, label: "AUDIT_FAILED", text: "the call can't be recorded in the audit log, so it was not run: " + err.Error()}
	}
	return nil
}

// record notes how a call has ended.
func (c *Call) record(e *Encoder) {
	log := c.srv.state.log
	if log == nil {
		return
	}
	*e = Encoder{buf: e.buf[:0]}
	switch {
	case c.number > 0:
		e.source(`"event":"done"`)
	case c.dryRun && c.preview != nil:
		e.source(`"event":"preview"`)
	case c.ran || c.tool.method:
		e.source(`"event":"call"`)
	default:
		e.source(`"event":"refused"`)
	}
	if c.number > 0 {
		e.Key("call")
		e.Int(c.number, 0, maxInt)
		e.Key("tool")
		e.Text(c.tool.spec.Name)
	} else {
		c.encodeRecord(e)
	}
	c.encodeOutcome(e)
	us := time.Since(c.began).Microseconds()
	e.source(`"ms":`)
	e.buf = append(strconv.AppendInt(e.buf, us/1000, 10), '.', '0'+byte(us/100%10), '0'+byte(us/10%10), '0'+byte(us%10))
	if err := log.Add(e.buf, false); err != nil {
		c.srv.log.Error("write the audit log", "err", err)
	}
}

// recordOverdue notes that the client was told of a timeout while the body runs on.
func (c *Call) recordOverdue() {
	if c.srv.state.log == nil {
		return
	}
	var e Encoder
	e.Key("event")
	e.Text("overdue")
	e.Key("call")
	e.Int(c.number, 0, maxInt)
	e.Key("tool")
	e.Text(c.tool.spec.Name)
	if err := c.srv.state.log.Add(e.buf, false); err != nil {
		c.srv.log.Error("write the audit log", "err", err)
	}
}

// encodeRecord writes what a call is. Arguments that broke their schema are
// left out: which of their values are secret is not known.
func (c *Call) encodeRecord(e *Encoder) {
	if c.number > 0 {
		e.Key("call")
		e.Int(c.number, 0, maxInt)
	}
	e.Key("tool")
	e.Text(c.tool.spec.Name)
	if c.decoded || c.tool.method {
		e.Key("arguments")
		e.Text(c.shownArguments(maxRecorded))
	}
}

func (c *Call) encodeOutcome(e *Encoder) {
	switch f := c.fail; {
	case errors.Is(c.ended(), context.Canceled):
		e.source(`"outcome":"cancelled"`)
	case f == nil:
		e.source(`"outcome":"ok"`)
	default:
		e.Key("outcome")
		e.Text(failures[f.situation].reason)
		if f.situation == failed {
			e.field("code", f.label)
		}
		if f.situation == denied {
			e.field("rule", c.decision.Rule)
		}
		e.Key("error")
		e.Text(c.srv.secrets.head(f.text, maxErrorText))
	}
}
