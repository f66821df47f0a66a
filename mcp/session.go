package mcp

import (
	"context"
	"errors"
	"fmt"
	"strconv"
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
	switch string(m.Method) {
	case "tools/call":
		return c.callTool(m, size)
	case "ping":
		c.reply(m.ID, []byte("{}"))
	case "initialize":
		c.initialize(m)
	case "tools/list":
		return c.listTools(m)
	case "resources/list", "resources/templates/list", "resources/read":
		if c.srv.resources != nil {
			return c.callResource(m, size)
		}
		fallthrough
	default:
		c.refuse(m.ID, &jsonrpc.Fault{Code: jsonrpc.MethodNotFound, Text: fmt.Sprintf("there is no method %q", c.srv.secrets.brief(string(m.Method)))})
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
			members(l.Skip(), func(key []byte, l *lex.Lexer) {
				if string(key) == "elicitation" && l.Kind() == '{' {
					p.elicitation = elicitsForms(l.Skip())
					return
				}
				l.Skip()
			})
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
	e.Key("capabilities")
	e.Begin('{')
	e.Key("tools")
	e.raw([]byte("{}"))
	if c.srv.resources != nil {
		e.Key("resources")
		e.raw([]byte("{}"))
	}
	e.End('}')
	e.Key("serverInfo")
	e.Begin('{')
	e.Key("name")
	e.Text(info.Name)
	if p.revision >= Revision20250618 {
		e.field("title", info.Title)
	}
	e.Key("version")
	e.Text(info.Version)
	if p.revision >= Revision20251125 {
		e.field("description", info.Description)
	}
	e.End('}')
	e.field("instructions", info.Instructions)
	e.End('}')
	c.reply(m.ID, e.buf)
}

// elicitsForms reads capabilities.elicitation: {} means forms, as does a "form" in it.
func elicitsForms(capability []byte) bool {
	forms, others := false, false
	members(capability, func(key []byte, l *lex.Lexer) {
		forms = forms || string(key) == "form"
		others = true
		l.Skip()
	})
	return forms || !others
}

// listTools answers with all tools: there is one page, so no cursor is ours.
func (c *conn) listTools(m *jsonrpc.Message) (still bool) {
	cursor := false
	members(m.Params, func(key []byte, l *lex.Lexer) {
		cursor = cursor || string(key) == "cursor"
		l.Skip()
	})
	if cursor {
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
	e.buf = append(e.buf, `,"result":{`...)
	return c.inTurn(func() { c.out.share(e.buf, list, []byte("}}")) })
}

// callTool starts a call.
func (c *conn) callTool(m *jsonrpc.Message, size int) bool {
	call := &Call{srv: c.srv, conn: c, peer: c.peer.Load(), id: m.ID, size: size, dec: c.dec, fresh: c.stale, began: time.Now()}
	c.stale = false
	if wrong := call.read(m.Params); wrong != "" {
		c.refuse(m.ID, &jsonrpc.Fault{Code: jsonrpc.InvalidParams, Text: wrong})
		return true
	}
	return c.start(call)
}

// callResource starts a call of a method of resources.
func (c *conn) callResource(m *jsonrpc.Message, size int) bool {
	return c.start(&Call{
		srv: c.srv, conn: c, peer: c.peer.Load(), id: m.ID, size: size, dec: new(Decoder), fresh: true, began: time.Now(),
		tool: resourceTools[string(m.Method)], args: m.Params,
	})
}

// start runs a call, unless it has failed already or there are too many.
func (c *conn) start(call *Call) (still bool) {
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

// read takes the call's tool, arguments and progress token from the params of
// its request, and says what is wrong with them.
func (c *Call) read(params []byte) (wrong string) {
	c.args = noArguments
	if params == nil {
		return `"params" is missing`
	}
	l := &c.dec.lex // free until the arguments are decoded
	l.Reset(params)
	for l.Enter(); l.More(); {
		switch string(l.Key()) {
		case "name":
			if l.Kind() != '"' {
				return `"name" is not a string`
			}
			name := l.String()
			if c.tool = c.srv.byName[string(name)]; c.tool == nil {
				c.tool = &tool{spec: &Spec{Name: c.srv.secrets.brief(string(name))}}
				c.fail = c.srv.unknown(string(name))
			}
		case "arguments":
			c.args = l.Skip()
		case "_meta":
			if l.Kind() == '{' {
				c.token = progressToken(l.Skip())
			} else {
				l.Skip()
			}
		default:
			l.Skip()
		}
	}
	if c.tool == nil {
		return `"name" is missing`
	}
	return ""
}

var noArguments = []byte("{}")

func progressToken(meta []byte) (token []byte) {
	members(meta, func(key []byte, l *lex.Lexer) {
		kind := l.Kind()
		if value := l.Skip(); string(key) == "progressToken" && (kind == '"' || kind == '0') {
			token = append([]byte{}, value...)
		}
	})
	return token
}

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
		call.settle()
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

// request sends a request to the client and waits for its answer.
func (c *conn) request(ctx context.Context, method string, params []byte) (result []byte, err error) {
	answer := make(chan jsonrpc.Message, 1)
	c.mu.Lock()
	c.askedID++
	id := strconv.Quote("teaagent-" + strconv.Itoa(c.askedID))
	c.asked[id] = answer
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.asked, id)
		c.mu.Unlock()
	}()
	e := new(Encoder)
	e.start([]byte(id))
	e.Key("method")
	e.Text(method)
	e.Key("params")
	e.raw(params)
	e.End('}')
	c.send(e)
	c.out.flush()
	select {
	case m := <-answer:
		if m.Error != nil {
			return nil, Errorf("ASK_FAILED", "the client answered %s with the error %s", method, c.srv.secrets.brief(string(m.Error)))
		}
		return m.Result, nil
	case <-ctx.Done():
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return nil, ctx.Err() // for a call that the client cancelled nothing more is sent
		}
		e.buf = append(append(append(e.buf[:0], `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`...), id...), "}}"...)
		if c.out.offer(e.buf) {
			c.out.flush()
		}
		return nil, ctx.Err()
	}
}

// answered gives the client's answer to the request that waits for it, a faulty
// one as an error. One that nobody asked for is ignored, and none is answered:
// two peers that answer each other's answers would never stop.
func (c *conn) answered(m *jsonrpc.Message, fault *jsonrpc.Fault) {
	c.mu.Lock()
	answer := c.asked[string(m.ID)]
	delete(c.asked, string(m.ID))
	c.mu.Unlock()
	switch {
	case answer == nil:
	case fault != nil:
		answer <- jsonrpc.Message{Error: lex.AppendQuote(nil, fault.Text)}
	default:
		answer <- jsonrpc.Message{Result: append([]byte(nil), m.Result...), Error: append([]byte(nil), m.Error...)}
	}
}
