package mcp

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/teaagent/teaagent/mcp/internal/jsonrpc"
	"github.com/teaagent/teaagent/mcp/internal/lex"
)

// handle answers one line. It reports whether the caller still has the
// reader's role.
func (c *conn) handle(line []byte) bool {
	m := &c.msg
	fault := m.Parse(line)
	switch {
	case fault != nil && line[0] == '[' && c.startBatch(line):
	case m.IsAnswer() && (fault == nil || fault.Code == jsonrpc.InvalidRequest):
		c.answered(m, fault)
	case fault != nil && fault.Code == jsonrpc.InvalidParams && m.ID == nil:
		// A notification is not answered, not even a bad one.
	case fault != nil:
		c.refuse(m.ID, fault)
	case m.ID == nil:
		c.notified(m)
	case c.inFlight(m.ID):
		c.refuse(m.ID, &jsonrpc.Fault{Code: jsonrpc.InvalidRequest, Text: "a request with this id is in flight"})
	default:
		return c.requested(m, len(line))
	}
	return true
}

// requested answers a request, method by method.
func (c *conn) requested(m *jsonrpc.Message, size int) bool {
	if string(m.Method) == "tools/call" {
		return c.callTool(m, size)
	}
	method := string(m.Method)
	var meta requestMeta
	members(m.Params, func(key []byte, l *lex.Lexer) {
		if string(key) == "_meta" {
			meta.read(l)
			return
		}
		l.Skip()
	})
	p, fault := c.peerOf(&meta)
	if fault != nil {
		c.refuse(m.ID, fault)
		return true
	}
	switch modern := p.revision.Modern(); {
	case method == "ping" && !modern:
		c.reply(m.ID, []byte("{}"))
	case method == "initialize" && c.batch != nil:
		c.refuse(m.ID, &jsonrpc.Fault{Code: jsonrpc.InvalidRequest, Text: "initialize can't be part of a batch"})
	case method == "initialize" && !modern:
		c.initialize(m)
	case method == "server/discover" && modern:
		c.discover(m, p)
	case method == "server/discover":
		c.refuse(m.ID, &jsonrpc.Fault{Code: jsonrpc.InvalidParams, Text: fmt.Sprintf("params have no _meta with %q and %q, which every request of revision %s has", metaVersion, metaCapabilities, Revision20260728)})
	case method == "tools/list":
		return c.listTools(m, p)
	case c.srv.resources != nil && resourceTools[method] != nil:
		return c.callResource(m, p, meta.source, size)
	default:
		text := fmt.Sprintf("there is no method %q", c.srv.secrets.brief(method))
		if modern {
			text += " in revision " + p.revision.String()
		}
		c.refuse(m.ID, &jsonrpc.Fault{Code: jsonrpc.MethodNotFound, Text: text})
	}
	return true
}

// initialize negotiates the revision. It may come again.
func (c *conn) initialize(m *jsonrpc.Message) {
	version, p := "", peer{}
	known := false
	members(m.Params, func(key []byte, l *lex.Lexer) {
		switch {
		case string(key) == "protocolVersion" && l.Kind() == '"':
			version, known = string(l.String()), true
		case string(key) == "capabilities" && l.Kind() == '{':
			p.declare(l.Skip())
		default:
			l.Skip()
		}
	})
	if !known {
		c.refuse(m.ID, &jsonrpc.Fault{Code: jsonrpc.InvalidParams, Text: `"protocolVersion" is not a string`})
		return
	}
	p.revision = legacyRevision(version)
	p.elicitation = p.elicitation && p.revision >= Revision20250618
	c.peer.Store(&p)
	info := &c.srv.info
	var e Encoder
	e.Begin('{')
	e.Key("protocolVersion")
	e.Text(p.revision.String())
	c.srv.encodeCapabilities(&e)
	e.Key("serverInfo")
	info.encodeInfo(&e, p.revision)
	e.field("instructions", info.Instructions)
	e.End('}')
	c.reply(m.ID, e.buf)
}

// listTools answers with all tools: there is one page, so no cursor is ours.
func (c *conn) listTools(m *jsonrpc.Message, p *peer) (still bool) {
	if !firstPage(m.Params) {
		c.refuse(m.ID, &jsonrpc.Fault{Code: jsonrpc.InvalidParams, Text: "this cursor is not from here: the list has one page"})
		return true
	}
	list, err := c.srv.list()
	if err != nil {
		c.srv.log.Error("tools/list", "err", err)
		c.refuse(m.ID, &jsonrpc.Fault{Code: jsonrpc.InternalError, Text: err.Error()})
		return true
	}
	var e Encoder // not the reader's: its role may go while this is written
	e.start(m.ID)
	e.Key("result")
	e.Begin('{')
	var end Encoder
	if p.revision.Modern() {
		e.resultType("complete")
		e.comma()
		end.more = true
		end.source(cacheHour)
		c.srv.encodeMeta(&end)
	}
	end.buf = append(end.buf, "}}"...)
	if c.batch != nil {
		c.batch.add(m.ID, slices.Concat(e.buf, list, end.buf))
		return true
	}
	return c.inTurn(func() { c.out.share(e.buf, list, end.buf) })
}

// callTool starts a call.
func (c *conn) callTool(m *jsonrpc.Message, size int) bool {
	call := &Call{srv: c.srv, conn: c, batch: c.batch, id: m.ID, size: size, dec: c.dec, fresh: c.stale, began: time.Now()}
	c.stale = false
	var meta requestMeta
	wrong, input := call.read(m.Params, &meta)
	call.meta = meta.source
	var fault *jsonrpc.Fault
	if call.peer, fault = c.peerOf(&meta); fault == nil {
		if !call.peer.revision.Modern() { // a legacy request has no such params
			call.input, input = nil, ""
		}
		if wrong == "" {
			wrong = input
		}
		if wrong != "" {
			fault = &jsonrpc.Fault{Code: jsonrpc.InvalidParams, Text: wrong}
		}
	}
	if fault != nil {
		c.refuse(m.ID, fault)
		return true
	}
	call.fresh = call.fresh || call.input != nil
	return c.start(call)
}

// callResource starts a call of a method of resources.
func (c *conn) callResource(m *jsonrpc.Message, p *peer, meta []byte, size int) bool {
	return c.start(&Call{
		srv: c.srv, conn: c, batch: c.batch, peer: p, id: m.ID, size: size, dec: new(Decoder), fresh: true, began: time.Now(),
		tool: resourceTools[string(m.Method)], args: m.Params, meta: meta,
	})
}

// start runs a call, unless it has failed already or there are too many.
func (c *conn) start(call *Call) (still bool) {
	if call.batch != nil {
		call.batch.expect()
	}
	switch {
	case call.fail != nil: // there is no such tool
	case c.flying.Load() >= maxFlying || c.overSize(call.size):
		call.fail = &failure{situation: overloaded, text: fmt.Sprintf("%d calls are in flight; try again when some have ended", c.flying.Load())}
	default:
		return c.run(call)
	}
	call.answer(&c.enc)
	call.record(&c.rec)
	return true
}

// read takes what a call is from the params of its request, and says what is
// wrong with them; input, with what only a modern request has.
func (c *Call) read(params []byte, meta *requestMeta) (wrong, input string) {
	c.args = noArguments
	if params == nil {
		return `"params" is missing`, ""
	}
	wrong = `"name" is missing`
	l := &c.dec.lex // free until the arguments are decoded
	l.Reset(params)
	for l.Enter(); l.More(); {
		switch string(l.Key()) {
		case "name":
			if l.Kind() != '"' {
				wrong = `"name" is not a string`
				l.Skip()
				continue
			}
			wrong = ""
			name := l.String()
			if c.tool = c.srv.byName[string(name)]; c.tool == nil {
				c.tool = &tool{spec: &Spec{Name: c.srv.secrets.brief(string(name))}}
				c.fail = c.srv.unknown(string(name))
			}
		case "arguments":
			c.args = l.Skip()
		case "_meta":
			meta.read(l)
		case "inputResponses":
			if !c.readResponses(l) {
				input = `"inputResponses" is not an object of objects`
			}
		case "requestState":
			if l.Kind() != '"' {
				input = `"requestState" is not a string`
				l.Skip()
				continue
			}
			ticket := string(l.String())
			c.asking().ticket = &ticket
		default:
			l.Skip()
		}
	}
	return wrong, input
}

var noArguments = []byte("{}")

// unknown says that there is no such tool, and which one may be meant.
func (s *server) unknown(name string) *failure {
	names := make([]string, len(s.tools))
	for i := range s.tools {
		names[i] = s.tools[i].spec.Name
	}
	text := fmt.Sprintf("unknown tool %q", s.secrets.brief(name))
	if near := nearest(name, names); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return &failure{situation: unknownTool, text: text}
}

// notified takes a notification. Unknown ones are ignored, as the protocol asks.
func (c *conn) notified(m *jsonrpc.Message) {
	if string(m.Method) != "notifications/cancelled" {
		return
	}
	members(m.Params, func(key []byte, l *lex.Lexer) {
		if id := l.Skip(); string(key) == "requestId" {
			c.cancel(id)
		}
	})
}

// cancel ends a call in flight: its context is done, no answer will come, and
// its id is free again.
func (c *conn) cancel(id []byte) {
	c.mu.Lock()
	call := c.calls[string(id)]
	if call != nil {
		delete(c.calls, string(id))
	}
	c.mu.Unlock()
	if call != nil {
		if call.settle() && call.batch != nil {
			call.batch.done()
		}
		call.end(context.Canceled)
	}
}

func (c *conn) inFlight(id []byte) bool {
	if c.flying.Load() == 0 {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls[string(id)] != nil
}

func (c *conn) overSize(more int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.size+more > maxFlyingSize
}

// members calls f with each key of a JSON object and the lexer before its
// value, which f consumes. The object was checked with its frame.
func members(object []byte, f func(key []byte, l *lex.Lexer)) {
	if object == nil {
		return
	}
	var l lex.Lexer
	l.Reset(object)
	for l.Enter(); l.More(); {
		f(l.Key(), &l)
	}
}
