// Package wire is the benchmark's client: newline-delimited JSON-RPC over two
// streams, from requests built beforehand, with every answer checked. It must
// cost far less than the servers it measures, so it reads answers by plain
// byte search and parses one only where that leaves a doubt.
package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Conn is the client's end of one server. It is not safe for concurrent use.
type Conn struct {
	in  io.Writer // the server's stdin
	out io.Reader // the server's stdout

	buf        []byte
	start, end int // buf[start:end] was read and not yet taken

	nextID int // ids are never used twice, so a late duplicate is noticed
}

// firstID gives every id the same number of digits.
const firstID = 1_000_000

// NewConn returns a client that writes requests to in and reads answers from out.
func NewConn(in io.Writer, out io.Reader) *Conn {
	return &Conn{in: in, out: out, buf: make([]byte, 4<<20), nextID: firstID}
}

// readLine returns the next line without its newline, valid until the next call.
func (c *Conn) readLine() ([]byte, error) {
	scanned := c.start
	for {
		if at := bytes.IndexByte(c.buf[scanned:c.end], '\n'); at >= 0 {
			line := c.buf[c.start : scanned+at]
			c.start = scanned + at + 1
			return line, nil
		}
		scanned = c.end
		if c.start == c.end {
			c.start, c.end, scanned = 0, 0, 0
		}
		if c.end == len(c.buf) {
			scanned -= c.start
			c.makeRoom()
		}
		n, err := c.out.Read(c.buf[c.end:])
		c.end += n
		if n == 0 && err != nil {
			return nil, err
		}
	}
}

// makeRoom moves what was read to the front, or doubles the buffer.
func (c *Conn) makeRoom() {
	to := c.buf
	if c.start == 0 {
		to = make([]byte, 2*len(c.buf))
	}
	c.end = copy(to, c.buf[c.start:c.end])
	c.buf, c.start = to, 0
}

// lineWaits reports whether a complete line was read and not yet taken.
func (c *Conn) lineWaits() bool {
	return bytes.IndexByte(c.buf[c.start:c.end], '\n') >= 0
}

// Notify sends a notification.
func (c *Conn) Notify(method string) error {
	_, err := fmt.Fprintf(c.in, `{"jsonrpc":"2.0","method":%q}`+"\n", method)
	return err
}

// Request sends one request and returns the result of its answer. It is for
// what needs no clock; NewBatch and its runs are for what does.
func (c *Conn) Request(method string, params any) (json.RawMessage, error) {
	p, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	id, frame := c.frame(method, p)
	line, err := c.exchange(id, frame)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	m, err := parse(line)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	if m.Error != nil {
		return nil, fmt.Errorf("%s was answered with an error: %s", method, excerpt(m.Error))
	}
	return m.Result, nil
}

// frame builds a request with an id of its own.
func (c *Conn) frame(method string, params []byte) (id int, line []byte) {
	id = c.nextID
	c.nextID++
	return id, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params)
}

// exchange sends a request and returns the line that answers it.
func (c *Conn) exchange(id int, frame []byte) ([]byte, error) {
	if _, err := c.in.Write(frame); err != nil {
		return nil, err
	}
	for {
		line, err := c.readLine()
		if err != nil {
			return nil, fmt.Errorf("id %d was not answered: %w", id, err)
		}
		got, isAnswer, err := answerID(line)
		if err != nil {
			return nil, err
		}
		if !isAnswer {
			continue
		}
		if got != id {
			return nil, fmt.Errorf("answer to id %d, which is not waiting for one: %s", got, excerpt(line))
		}
		return line, nil
	}
}

// Drain reads to the end of the server's output, after its input was closed,
// and fails on any further answer.
func (c *Conn) Drain() error {
	for {
		line, err := c.readLine()
		if err == io.EOF && c.start == c.end {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the rest: %w (%d bytes without a newline)", err, c.end-c.start)
		}
		if id, isAnswer, err := answerID(line); err != nil {
			return err
		} else if isAnswer {
			return fmt.Errorf("answer to id %d, which is not waiting for one: %s", id, excerpt(line))
		}
	}
}
