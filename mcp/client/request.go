package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/teaagent/teaagent/mcp/internal/jsonrpc"
)

// Error is an error that the server answered with.
type Error struct {
	Code    int
	Message string
	Data    json.RawMessage
}

func (e *Error) Error() string {
	return fmt.Sprintf("the server answered with error %d: %.1000s", e.Code, strings.ToValidUTF8(e.Message, "?"))
}

// request sends a request and waits for its answer, and for no longer than
// Options say. Everything else that comes meanwhile is dealt with or dropped.
func (c *Client) request(ctx context.Context, method string, params any) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.o.Timeout, fmt.Errorf("no answer to %s within %s", method, c.o.Timeout))
	defer cancel()
	id := c.nextID()
	err := c.send(ctx, map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(id), "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	for junk := 0; ; junk++ {
		if junk > c.o.MaxJunk {
			return nil, fmt.Errorf("no answer to %s among %d lines", method, junk)
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-c.closing:
			return nil, errors.New("the session is closed")
		case l := <-c.lines:
			switch {
			case l.err == jsonrpc.ErrTooLong:
				// Perhaps the answer: waiting for another would be waiting for nothing.
				if couldAnswer(l.text, id) {
					return nil, fmt.Errorf("the answer to %s is longer than %d bytes", method, c.o.MaxLine)
				}
			case l.err == io.EOF:
				return nil, c.ended(fmt.Errorf("the server ended before it answered %s", method))
			case l.err != nil:
				return nil, c.ended(fmt.Errorf("read the server's answer to %s: %w", method, l.err))
			default:
				if result, err := c.take(ctx, l.text, id); result != nil || err != nil {
					return result, err
				}
			}
		}
	}
}

// ended keeps the end of the stream for the requests to come.
func (c *Client) ended(err error) error {
	select {
	case c.lines <- line{err: io.EOF}:
	default:
	}
	return err
}

// couldAnswer reports whether a line that begins so is perhaps the answer.
func couldAnswer(start []byte, id string) bool {
	_, after, found := bytes.Cut(start, []byte(`"id"`))
	if !found {
		return !bytes.Contains(start, []byte(`"method"`))
	}
	after = bytes.TrimLeft(after, " \t:")
	rest, ok := bytes.CutPrefix(after, []byte(id))
	return ok && len(rest) > 0 && bytes.IndexByte([]byte(" \t,}"), rest[0]) >= 0
}

// take deals with one line. It returns the result or the error if the line is
// the answer with that id.
func (c *Client) take(ctx context.Context, text []byte, id string) (json.RawMessage, error) {
	var m jsonrpc.Message
	fault := m.Parse(text)
	switch {
	case fault != nil && m.Method == nil && string(m.ID) == id:
		return nil, fmt.Errorf("the server's answer is no message: %s", fault.Text)
	case fault != nil && fault.Code != jsonrpc.InvalidParams:
		return nil, nil // junk, such as a log line
	case m.Method != nil && m.ID != nil:
		return nil, c.serve(ctx, m.ID, string(m.Method))
	case m.Method != nil || string(m.ID) != id:
		return nil, nil // a notification, or an answer to nothing
	case m.Result != nil:
		return m.Result, nil
	}
	e := &Error{}
	var wire struct {
		Code    json.Number
		Message string
		Data    json.RawMessage
	}
	if err := json.Unmarshal(m.Error, &wire); err != nil {
		e.Message = string(m.Error)
		return nil, e
	}
	code, _ := wire.Code.Int64()
	e.Code, e.Message, e.Data = int(code), wire.Message, wire.Data
	return nil, e
}

// serve answers a request of the server's: it may see whether we are there,
// and nothing else is offered.
func (c *Client) serve(ctx context.Context, id []byte, method string) error {
	answer := map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(id)}
	if method == "ping" {
		answer["result"] = struct{}{}
	} else {
		answer["error"] = map[string]any{"code": jsonrpc.MethodNotFound, "message": fmt.Sprintf("this client has no method %.100q", method)}
	}
	return c.send(ctx, answer)
}

// send writes one message. A server that does not read does not hold it for
// longer than the context: the session is broken then, since half of a line
// may have been taken.
func (c *Client) send(ctx context.Context, message any) error {
	text, err := json.Marshal(message)
	if err != nil {
		return fmt.Errorf("write a request: %w", err)
	}
	switch {
	case c.broken != nil:
		return c.broken
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	done := make(chan error, 1)
	go func() {
		_, err := c.in.Write(append(text, '\n'))
		done <- err
	}()
	select {
	case err := <-done:
		// A server that has closed its input may have answered nevertheless.
		if err != nil && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return nil
	case <-ctx.Done():
		c.broken = errors.New("the server does not read its input")
		return c.broken
	case <-c.closing:
		return errors.New("the session is closed")
	}
}
