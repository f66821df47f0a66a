package mcp

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/teaagent/teaagent/mcp/internal/jsonrpc"
	"github.com/teaagent/teaagent/mcp/internal/lex"
)

// Revision 2025-03-26 alone has batches: an array of messages in one line. Its
// messages are handled one after the other like any others, calls side by side,
// and the answers go out as one array when the last is there. A call that is
// cancelled has none.

const (
	maxBatch     = 1000            // messages
	batchReserve = maxBatch * 1400 // for an error each, in place of answers over the limit: an id has up to 1 KiB
)

// batch gathers the answers to a batch.
type batch struct {
	conn *conn

	mu  sync.Mutex
	buf []byte // the answers so far
	due int    // calls without an answer, and one for the reading
}

// startBatch takes a line that is an array. It is false where there are none.
func (c *conn) startBatch(line []byte) bool {
	if c.peer.Load().revision != Revision20250326 || c.batch != nil {
		return false
	}
	var parts [][]byte
	var l lex.Lexer
	l.Reset(line)
	for l.Enter(); l.More(); {
		parts = append(parts, l.Skip())
	}
	if l.End() != nil {
		return false // it has been found already that this is no JSON
	}
	switch {
	case len(parts) == 0:
		c.refuse(nil, &jsonrpc.Fault{Code: jsonrpc.InvalidRequest, Text: "the batch is empty"})
	case len(parts) > maxBatch:
		c.refuse(nil, &jsonrpc.Fault{Code: jsonrpc.InvalidRequest, Text: fmt.Sprintf("the batch has %d messages, over the limit of %d", len(parts), maxBatch)})
	default:
		c.batch, c.pending = &batch{conn: c, due: 1}, parts
	}
	return true
}

// next returns what is to be handled: the next message of a batch that is being
// read, else the next line.
func (c *conn) next() ([]byte, error) {
	if len(c.pending) > 0 {
		// A copy: a call in flight would keep the whole batch.
		line := bytes.Clone(c.pending[0])
		c.pending = c.pending[1:]
		return line, nil
	}
	if c.batch != nil {
		c.batch.done()
		c.batch, c.pending = nil, nil
	}
	return c.in.Next(c.idle)
}

// expect says that a call will have an answer, or will be cancelled.
func (b *batch) expect() {
	b.mu.Lock()
	b.due++
	b.mu.Unlock()
}

// add takes an answer.
func (b *batch) add(id, frame []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.buf)+len(frame) > maxFrame-batchReserve && len(frame) > batchReserve/maxBatch {
		var e Encoder
		e.start(id)
		e.source(fmt.Sprintf(`"error":{"code":%d,"message":"the answers of this batch together are over the limit of %d bytes: send the call by itself"}}`, jsonrpc.InternalError, maxFrame))
		frame = e.buf
	}
	if len(b.buf) > 0 {
		b.buf = append(b.buf, ',')
	}
	b.buf = append(b.buf, frame...)
}

// done says that an answer is there, or will not come. The last one sends them.
func (b *batch) done() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.due--; b.due == 0 && len(b.buf) > 0 {
		b.conn.out.add([]byte("["), b.buf, []byte("]"))
	}
}
