package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os/exec"
	"strconv"
	"sync"
	"time"
)

// child is one process of the server. Clients number their requests as they like,
// so that each gets a number of the child's own for as long as it is open.
type child struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	gone  chan struct{} // closed when it says nothing any more
	write sync.Mutex

	mu   sync.Mutex
	last int64
	open []*post // oldest first
}

// post is a request that came in a POST, and waits for its response.
type post struct {
	id, asked json.RawMessage // the child's and the client's id
	token     json.RawMessage // for progress, as the client gave it
	frames    chan *message   // what the child says of it, the response last
	left      chan struct{}   // closed when the client is gone
}

func startChild(cmd *exec.Cmd) (*child, error) {
	c := &child{cmd: cmd, gone: make(chan struct{})}
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	c.in = in
	go c.read(out)
	return c, nil
}

// read hands what the child says to the requests it is about.
func (c *child) read(out io.Reader) {
	defer close(c.gone)
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		m, err := parse(line)
		if err != nil {
			log.Printf("the server wrote what is no message (%v): %.200q", err, line)
			continue
		}
		p := c.addressee(m)
		if p == nil {
			log.Printf("nobody waits for %.200s", m.raw)
			continue
		}
		select {
		case p.frames <- m:
		case <-p.left:
		}
	}
}

// addressee finds the request that a message is about: the one it answers, the
// one whose token it has, or else the latest, since a message over stdio says
// nothing more.
func (c *child) addressee(m *message) *post {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, p := range c.open {
		switch {
		case m.Method == "" && bytes.Equal(p.id, m.ID):
			c.open = append(c.open[:i:i], c.open[i+1:]...)
			m.raw = m.withID(p.asked)
			return p
		case m.Method == "notifications/progress" && bytes.Equal(p.token, m.Params.ProgressToken):
			return p
		}
	}
	if m.Method == "" || m.Method == "notifications/progress" || len(c.open) == 0 {
		return nil
	}
	return c.open[len(c.open)-1]
}

// ask sends a request.
func (c *child) ask(m *message) (*post, error) {
	c.mu.Lock()
	c.last++
	p := &post{
		id:     json.RawMessage(strconv.FormatInt(c.last, 10)),
		asked:  m.ID,
		token:  m.Params.Meta["progressToken"],
		frames: make(chan *message, 64),
		left:   make(chan struct{}),
	}
	c.open = append(c.open, p)
	c.mu.Unlock()
	return p, c.send(m.withID(p.id))
}

// tell sends a notification or an answer. The request that a cancellation speaks
// of has another id here.
func (c *child) tell(m *message) error {
	line := m.raw
	if m.Params.RequestID != nil {
		c.mu.Lock()
		for _, p := range c.open {
			if bytes.Equal(p.asked, m.Params.RequestID) {
				line = m.withRequestID(p.id)
			}
		}
		c.mu.Unlock()
	}
	return c.send(line)
}

// forget is for a client that waits no longer. Whether it thereby cancels its
// request, of which the server is told then, depends on the revision.
func (c *child) forget(p *post, cancel bool) {
	close(p.left)
	c.mu.Lock()
	waiting := false
	for i := range c.open {
		if c.open[i] == p {
			c.open = append(c.open[:i:i], c.open[i+1:]...)
			waiting = true
			break
		}
	}
	c.mu.Unlock()
	if waiting && cancel {
		c.send(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s,"reason":"the client closed its stream"}}`, p.id))
	}
}

func (c *child) send(line []byte) error {
	c.write.Lock()
	defer c.write.Unlock()
	_, err := c.in.Write(append(line[:len(line):len(line)], '\n'))
	return err
}

// end closes the child's input, upon which it has to leave.
func (c *child) end() {
	c.in.Close()
	late := time.AfterFunc(5*time.Second, func() {
		log.Print("the server did not leave after the end of its input")
		c.cmd.Process.Kill()
	})
	<-c.gone
	c.cmd.Wait()
	late.Stop()
}
