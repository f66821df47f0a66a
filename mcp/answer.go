package mcp

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/teaagent/teaagent/mcp/internal/jsonrpc"
	"github.com/teaagent/teaagent/mcp/internal/lex"
	"github.com/teaagent/teaagent/mcp/policy"
)

// maxFrame is the longest frame that is sent: some clients cut at 10 MiB.
const maxFrame = 8 << 20

// graceAfterTimeout is what a body gets to return after its context is done.
const graceAfterTimeout = time.Second

// invoke runs the generated dispatch: decoding, admission, body.
func (c *Call) invoke() {
	defer func() {
		if p := recover(); p != nil {
			c.srv.log.Error("panic in a tool's body", "tool", c.tool.spec.Name, "panic", p, "stack", string(debug.Stack()))
			c.fail = &failure{situation: failed, label: "INTERNAL", text: "the tool's body panicked; the server's log has the details"}
		}
	}()
	c.tool.call(c, c.tool.index)
}

// startTimer gives a call that was handed over its deadline. Calls that are
// done before need none.
func (c *Call) startTimer() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held {
		c.handed = true
		return
	}
	c.runTimer()
}

func (c *Call) runTimer() {
	if c.until.IsZero() {
		c.until = time.Now().Add(c.tool.timeout())
	}
	c.timer = time.AfterFunc(time.Until(c.until), c.expire)
}

// hold stops the tool's time while a person is asked; release lets it begin.
func (c *Call) hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = true
	if c.timer != nil { // it was handed over already, by a slow stage
		c.timer.Stop()
		c.handed = true
	}
}

func (c *Call) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held, c.until = false, time.Time{}
	if c.handed && c.err == nil {
		c.runTimer()
	}
}

// expire ends a call whose time is up, and answers for a body that does not
// notice.
func (c *Call) expire() {
	c.end(context.DeadlineExceeded)
	time.Sleep(graceAfterTimeout)
	if !c.settle() {
		return
	}
	c.conn.mu.Lock()
	if c.conn.calls[string(c.id)] == c {
		delete(c.conn.calls, string(c.id))
	}
	c.conn.mu.Unlock()
	c.recordOverdue()
	c.srv.log.Warn("a tool's body runs on after its timeout", "tool", c.tool.spec.Name, "timeout", c.tool.timeout(), "running", c.conn.flying.Load())
	c.sendFailure(new(Encoder), &failure{situation: failed, label: "TIMEOUT", text: fmt.Sprintf(
		"timed out after %s, and did not stop when told to: its effect may still go on", c.tool.timeout())})
	c.conn.out.flush()
}

// answer sends what the call came to, unless it was cancelled.
func (c *Call) answer(e *Encoder) {
	if !c.settle() {
		return
	}
	if c.input != nil && c.input.question != nil { // whatever the body has made of that
		c.giveSlotBack()
		c.fail = inputNeeded(c.input.question)
		if c.encodeQuestion(e); e.err == nil && len(e.buf) <= maxFrame {
			c.send(e)
			return
		}
		c.fail = unsendableFailure(e)
	} else if c.fail == nil {
		c.encodeFrame(e)
		if e.err == nil && len(e.buf) <= maxFrame {
			c.send(e)
			return
		}
		c.fail = unsendableFailure(e)
	} else if c.fail.situation == failed && errors.Is(c.ended(), context.DeadlineExceeded) {
		c.fail = &failure{situation: failed, label: "TIMEOUT", text: fmt.Sprintf("timed out after %s: %s", c.tool.timeout(), c.fail.text)}
	}
	c.sendFailure(e, c.fail)
}

// encodeFrame writes the answer with the result. Results are the handlers' own
// values, so writing one may panic as a body may.
func (c *Call) encodeFrame(e *Encoder) {
	defer func() {
		if p := recover(); p != nil {
			c.srv.log.Error("panic while a result was encoded", "tool", c.tool.spec.Name, "panic", p, "stack", string(debug.Stack()))
			e.err = fmt.Errorf("encoding it panicked; the server's log has the details")
		}
	}()
	e.start(c.id)
	e.mask, e.revision = c.srv.secrets.maskValues(), c.peer.revision
	e.Key("result")
	c.encodeResult(e)
	e.End('}')
}

// keepText is what is left of the text of a failure that is over the limit.
const keepText = 64 << 10

// sendFailure sends a failure as the client understands it. One over the limit
// of frames is cut: a handler's error may hold all that a command has printed.
func (c *Call) sendFailure(e *Encoder, f *failure) {
	encode := func(f *failure) {
		e.start(c.id)
		e.mask = c.srv.secrets.Mask
		c.encodeFailure(e, f)
		e.End('}')
	}
	if encode(f); len(e.buf) > maxFrame {
		encode(&failure{situation: f.situation, label: shorten(f.label), text: shortenTo(c.srv.secrets.Mask(f.text), keepText)})
	}
	c.send(e)
}

// shape returns what the failure looks like to this client.
func (c *Call) shape(s situation) shape {
	cell := shapeOf(s, c.srv.profile, c.peer.revision)
	if cell.code == 0 && c.tool.method {
		cell.code = jsonrpc.InternalError
	}
	return cell
}

func unsendableFailure(e *Encoder) *failure {
	text := "the tool has run, but its result can't be sent: "
	if e.err != nil {
		text += e.err.Error()
	} else {
		text += fmt.Sprintf("it has %d bytes, over the limit of %d", len(e.buf), maxFrame)
	}
	return &failure{situation: unsendable, text: text}
}

func (c *Call) ended() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// encodeResult writes a CallToolResult.
func (c *Call) encodeResult(e *Encoder) {
	if whole, ok := c.result.(body); ok {
		whole(e)
		return
	}
	e.Begin('{')
	if c.peer.revision.Modern() {
		e.resultType("complete")
	}
	var meta func(*Encoder)
	e.Key("content")
	switch r := c.result.(type) {
	case nil:
		if c.preview == nil {
			e.refuse("a result", "nothing")
			return
		}
		call := policy.Canonical(c.tool.spec.Name, c.args, true)
		digest := policy.Digest(call)
		e.Begin('[')
		Text(c.preview.text()).encodeItem(e)
		Text("Digest of the call that would do it: " + digest).encodeItem(e)
		e.End(']')
		c.structured(e, func(e *Encoder) {
			e.Begin('{')
			e.Key("preview")
			c.preview.EncodeJSON(e)
			e.End('}')
		})
		meta = func(e *Encoder) {
			e.Key("dev.teaagent/preview")
			e.Begin('{')
			e.Key("digest")
			e.Text(digest)
			e.Key("call")
			e.Text(string(call))
			e.End('}')
		}
	case Text:
		e.Begin('[')
		r.encodeItem(e)
		e.End(']')
	case Content:
		r.EncodeJSON(e)
	default: // a struct generated from the spec's result
		value := Encoder{mask: e.mask}
		r.EncodeJSON(&value)
		if value.err != nil {
			e.err = value.err
			return
		}
		e.Begin('[')
		e.Begin('{')
		e.Key("type")
		e.Text("text")
		e.Key("text")
		e.comma()
		e.buf = lex.AppendQuote(e.buf, value.buf)
		e.more = true
		e.End('}')
		e.End(']')
		c.structured(e, func(e *Encoder) { e.raw(value.buf) })
	}
	c.encodeMeta(e, meta)
	e.End('}')
}

// structured writes structuredContent for the revisions that have it.
func (c *Call) structured(e *Encoder, value func(*Encoder)) {
	if c.peer.revision >= Revision20250618 {
		e.Key("structuredContent")
		value(e)
	}
}

// text is the preview as a model reads it.
func (p *Preview) text() string {
	if p.Diff == "" {
		return p.Text
	}
	return p.Text + "\n\n" + p.Diff
}

// start begins the frame of an answer, or of a request, with its id.
func (e *Encoder) start(id []byte) {
	*e = Encoder{buf: append(append(e.buf[:0], `{"jsonrpc":"2.0","id":`...), id...), more: true}
}

// send adds a finished frame to those that wait to be written.
func (c *conn) send(e *Encoder) {
	c.out.add(e.buf)
	if cap(e.buf) > keepQueue {
		e.buf = nil
	}
}

// send sends the call's answer. Who calls it has settled the call.
func (c *Call) send(e *Encoder) {
	if c.batch == nil {
		c.conn.send(e)
		return
	}
	c.batch.add(c.id, e.buf)
	c.batch.done()
}

// answer sends the answer to a request of the reader's.
func (c *conn) answer(id []byte, e *Encoder) {
	if c.batch == nil {
		c.send(e)
		return
	}
	c.batch.add(id, e.buf)
}

// reply answers a request with a result.
func (c *conn) reply(id, result []byte) {
	c.enc.start(id)
	c.enc.Key("result")
	c.enc.raw(result)
	c.enc.End('}')
	c.answer(id, &c.enc)
}

// refuse answers what can't be taken with a protocol error. Without an id it
// has null, as JSON-RPC says, or none from 2025-11-25 on, as MCP does.
func (c *conn) refuse(id []byte, fault *jsonrpc.Fault) {
	e := &c.enc
	switch {
	case id != nil:
		e.start(id)
	case c.peer.Load().revision >= Revision20251125:
		*e = Encoder{buf: append(e.buf[:0], `{"jsonrpc":"2.0"`...), more: true}
	default:
		e.start([]byte("null"))
	}
	e.mask = c.srv.secrets.Mask
	e.Key("error")
	e.Begin('{')
	e.Key("code")
	e.Int(int64(fault.Code), minInt, maxInt)
	e.Key("message")
	e.Text(fault.Text)
	if fault.Data != nil {
		e.Key("data")
		e.raw(fault.Data)
	}
	e.End('}')
	e.End('}')
	c.answer(id, e)
}

// refuseLine answers a line over the limit, with its id where its beginning shows one.
func (c *conn) refuseLine(beginning []byte) {
	c.msg.Parse(beginning)
	c.refuse(c.msg.ID, &jsonrpc.Fault{Code: jsonrpc.InvalidRequest, Text: fmt.Sprintf("the line is longer than %d bytes", c.maxLine)})
}
