package mcp

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/teaagent/teaagent/mcp/internal/lex"
	"github.com/teaagent/teaagent/mcp/internal/ticket"
)

// A modern server sends no requests (revision 2026-07-28, basic/patterns/mrtr). A
// call that needs its user ends with a question, and comes back, as a new
// request, with the answer and with what the server wants to remember:
//
//	tools/call ▶ … ▶ a question ▶ input_required, with a ticket as requestState
//	tools/call + inputResponses + requestState ▶ … ▶ redeem the ticket ▶ …
//
// The ticket is good for that call alone: its tool, arguments, workspace and
// whether it is a dry run. It is good once and not for long, and lets nothing pass
// by itself: the call goes through every stage again.

// input is what a call knows of its user.
type input struct {
	responses []byte  // the request's inputResponses, or nil
	ticket    *string // its requestState
	late      bool    // the ticket was good, and has expired

	memo     memo
	approval []byte    // the user's answer whether the call may run
	question *question // that is asked in place of a result
}

// asking returns the call's input. Once the body runs it wants mu.
func (c *Call) asking() *input {
	if c.input == nil {
		c.input = new(input)
	}
	return c.input
}

// question is what a modern call ends with in place of a result.
type question struct {
	key    string
	params []byte // of elicitation/create
	life   time.Duration
}

// approvalKey is the key of the question whether a call may run.
const approvalKey = "approval"

// askLife is how long the user may take for a question that a body asks.
const askLife = 10 * time.Minute

// memo is what a call is to know when it comes back.
type memo struct {
	Asked    string                     `json:"asked"`              // the question's key
	Admitted string                     `json:"admitted,omitempty"` // what let the body run that asks
	Answers  map[string]json.RawMessage `json:"answers,omitempty"`  // to what it has asked before
}

// readResponses takes inputResponses, which come next. It is false if they are
// no object of objects.
func (c *Call) readResponses(l *lex.Lexer) (ok bool) {
	ok = l.Kind() == '{'
	responses := l.Skip()
	if !ok {
		return false
	}
	members(responses, func(_ []byte, l *lex.Lexer) {
		ok = ok && l.Kind() == '{'
		l.Skip()
	})
	c.asking().responses = responses
	return ok
}

// purpose is what a ticket of this call is good for.
func (c *Call) purpose() []byte {
	p := "tools/call\x00" + c.digest() + "\x00" // the digest covers tool and arguments
	if c.dryRun {
		p += "dry run"
	}
	p += "\x00"
	if c.srv.root != nil {
		p += c.srv.root.Dir()
	}
	return []byte(p)
}

// redeem takes the ticket of a call that comes back, and the answer with it. A
// client may answer a body's question before it is asked, without a ticket: the
// protocol has questions that need none, and it could give any answer anyway. An
// approval wants the ticket of the very question.
func (c *Call) redeem() *failure {
	in := c.input
	if in == nil {
		return nil
	}
	if in.ticket == nil {
		members(in.responses, func(key []byte, l *lex.Lexer) {
			if answer := l.Skip(); string(key) != approvalKey {
				in.keep(string(key), answer)
			}
		})
		return nil
	}
	payload, err := c.srv.tickets.Redeem(c.purpose(), *in.ticket)
	late := errors.Is(err, ticket.ErrExpired)
	if err != nil && !late {
		return badTicket(err)
	}
	var m memo
	if err := json.Unmarshal(payload, &m); err != nil {
		return badTicket(ticket.ErrForged)
	}
	if late {
		if m.Asked != approvalKey {
			return badTicket(err)
		}
		in.late = true
		return nil
	}
	in.memo = m
	members(in.responses, func(key []byte, l *lex.Lexer) {
		switch answer := l.Skip(); {
		case string(key) != m.Asked: // nobody asked
		case m.Asked == approvalKey:
			in.approval = answer
		default:
			in.keep(m.Asked, answer)
		}
	})
	return nil
}

func badTicket(err error) *failure {
	return &failure{situation: badState, text: "requestState is not taken: " + err.Error() + ". Send the call again without it to be asked anew."}
}

// keep remembers what the user answered to a question of the body.
func (in *input) keep(key string, answer []byte) {
	if in.memo.Answers == nil {
		in.memo.Answers = map[string]json.RawMessage{}
	}
	in.memo.Answers[key] = answer
}

// admittedBefore returns what let the body run that then asked; "" if it has not.
func (c *Call) admittedBefore() string {
	if c.input == nil {
		return ""
	}
	return c.input.memo.Admitted
}

// put ends the call with a question. The first that is put counts.
func (c *Call) put(q question) (put bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.settled.Load() || c.err != nil {
		return false
	}
	if in := c.asking(); in.question == nil {
		in.question = &q
	}
	return true
}

// inputNeeded is how a call ends whose question is put. It is no failure, but
// like one it ends the way of the call.
func inputNeeded(q *question) *failure {
	return &failure{situation: inputRequired, text: "the user is asked: " + q.key}
}

// encodeQuestion writes the InputRequiredResult.
func (c *Call) encodeQuestion(e *Encoder) {
	q, m := c.input.question, c.input.memo
	m.Asked = q.key
	if c.ran && m.Admitted == "" {
		switch {
		case c.approval != "":
			m.Admitted = c.approval
		case c.decision.Grant != nil:
			m.Admitted = "grant:" + c.decision.Grant.ID
		}
	}
	payload, err := json.Marshal(m)
	if err != nil {
		e.err = err
		return
	}
	state, err := c.srv.tickets.Issue(c.purpose(), payload, q.life)
	if err != nil {
		e.err = err
		return
	}
	e.start(c.id)
	e.Key("result")
	e.Begin('{')
	e.resultType("input_required")
	e.Key("inputRequests")
	e.Begin('{')
	e.Key(q.key)
	e.Begin('{')
	e.source(`"method":"elicitation/create"`)
	e.Key("params")
	e.raw(q.params)
	e.End('}')
	e.End('}')
	e.Key("requestState")
	e.Text(state)
	c.encodeMeta(e, nil)
	e.End('}')
	e.End('}')
}
