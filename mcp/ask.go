package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/teaagent/teaagent/mcp/internal/jsonrpc"
	"github.com/teaagent/teaagent/mcp/internal/lex"
)

// Ask asks the user of the client that calls, and decodes the answer into v, by
// encoding/json. form is a flat JSON schema, as elicitation/create has it: an
// object of strings, numbers, integers, booleans, enums (with titles by oneOf)
// and, from revision 2025-11-25 on, lists of enum members; each may have a
// default. The answer keeps to it.
//
// key names the question within the call: asked under the same key again, Ask
// gives the same answer. A legacy client is asked while the body waits. Of a modern
// one the first Ask fails with INPUT_REQUIRED, whatever the body returns then,
// and the body is run again when the answer is there. So Ask must precede
// effects, and a body returns its error.
//
// It fails with ASK_UNSUPPORTED if the client can't ask its user, ASK_DECLINED
// if the user said no, ASK_FAILED if the answer is none.
func Ask(ctx context.Context, key, message string, form json.RawMessage, v any) error {
	fields, err := parseForm(form)
	if err != nil {
		return Errorf("ASK_FAILED", "the form of the question %q can't be asked: %w", key, err)
	}
	if key == "" || key == approvalKey {
		return Errorf("ASK_FAILED", "a question needs a key, other than %q", approvalKey)
	}
	c := callFrom(ctx)
	if c == nil || c.conn == nil || c.foreseeing || !c.peer.elicitation {
		return &Error{Code: "ASK_UNSUPPORTED", Message: "the client can't ask its user", Err: &missingCapability{[]string{"elicitation"}}}
	}
	var line bytes.Buffer // a form may have line breaks, a frame not
	if err := json.Compact(&line, form); err != nil {
		return Errorf("ASK_FAILED", "the form of the question %q can't be asked: %w", key, err)
	}
	answer, err := c.ask(ctx, key, message, line.Bytes())
	if err != nil {
		return err
	}
	action, content := readAnswer(answer)
	switch action {
	case "accept":
	case "decline", "cancel":
		return Errorf("ASK_DECLINED", "the user did not agree")
	default:
		return Errorf("ASK_FAILED", "the client's answer has no action that is known")
	}
	if content == nil {
		return Errorf("ASK_FAILED", "the client's answer has no content")
	}
	content, err = fields.settle(content)
	if err != nil {
		return Errorf("ASK_FAILED", "the client's answer does not keep to the form: %w", err)
	}
	if err := json.Unmarshal(content, v); err != nil {
		return Errorf("ASK_FAILED", "read the user's answer: %w", err)
	}
	return nil
}

// ask returns the answer to a question of the body: the one that is known, or a
// new one, or that there is none yet.
func (c *Call) ask(ctx context.Context, key, message string, form []byte) ([]byte, error) {
	c.mu.Lock()
	answer, known := c.asking().memo.Answers[key]
	c.mu.Unlock()
	if known {
		return answer, nil
	}
	params := elicitation(c.srv.secrets.Mask(message), form)
	if c.peer.revision.Modern() {
		if !c.put(question{key, params, askLife}) {
			return nil, context.Canceled
		}
		return nil, Errorf("INPUT_REQUIRED", "the call goes on when the user has answered")
	}
	answer, err := c.conn.request(ctx, "elicitation/create", params)
	if err == nil {
		c.mu.Lock()
		c.input.keep(key, answer)
		c.mu.Unlock()
	}
	return answer, err
}

// elicitation returns the params of elicitation/create.
func elicitation(message string, form []byte) []byte {
	var e Encoder
	e.Begin('{')
	e.Key("message")
	e.Text(message)
	e.Key("requestedSchema")
	e.raw(form)
	e.End('}')
	return e.buf
}

// readAnswer takes an answer to elicitation/create apart. Its keys count to the
// letter: what is not quite a yes is none.
func readAnswer(answer []byte) (action string, content []byte) {
	if len(answer) == 0 || answer[0] != '{' {
		return "", nil
	}
	members(answer, func(key []byte, l *lex.Lexer) {
		switch {
		case string(key) == "action" && l.Kind() == '"':
			action = string(l.String())
		case string(key) == "content" && l.Kind() == '{':
			content = l.Skip()
		default:
			l.Skip()
		}
	})
	return action, content
}

// request sends a request to a legacy client and waits for its answer.
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
		answer <- jsonrpc.Message{Result: bytes.Clone(m.Result), Error: bytes.Clone(m.Error)}
	}
}
