// Package client is a small MCP client for servers that are started as a
// command and speak over their standard streams. It is tolerant: lines that are
// no messages, answers to nothing, notifications and requests of the server
// never break a session. It is bounded: in time, in the bytes of a line and of
// a list, in pages, in lines that lead nowhere.
package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"github.com/teaagent/teaagent/mcp/internal/jsonrpc"
)

// Revision is the revision of the protocol that the client asks for. It takes
// any that the server answers with: what it calls is the same in all.
const Revision = "2025-11-25"

// Options bound a client. The zero value has sensible bounds.
type Options struct {
	Dir    string    // the command's working folder; default: this one
	Env    []string  // the command's environment; default: this one
	Stderr io.Writer // takes the command's standard error; default: nobody

	Timeout  time.Duration // of each request; default 30 s
	MaxLine  int           // bytes of one message; default 16 MiB
	MaxBytes int           // bytes of all answers to one method, a list's pages together; default 64 MiB
	MaxPages int           // of a list; default 100
	MaxJunk  int           // lines that answer nothing, while one answer is awaited; default 100,000
	Grace    time.Duration // between the end of its input and the command's death; default 2 s
}

func (o Options) withDefaults() Options {
	o.Timeout = orElse(o.Timeout, 30*time.Second)
	o.MaxLine = orElse(o.MaxLine, 16<<20)
	o.MaxBytes = orElse(o.MaxBytes, 64<<20)
	o.MaxPages = orElse(o.MaxPages, 100)
	o.MaxJunk = orElse(o.MaxJunk, 100_000)
	o.Grace = orElse(o.Grace, 2*time.Second)
	return o
}

func orElse[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

// ServerInfo is what a server says of itself in its answer to initialize.
type ServerInfo struct {
	Name         string
	Title        string
	Version      string
	Revision     string // of the protocol
	Instructions string
}

// Client is a session with a server. Its methods are for one goroutine at a
// time. Close it.
type Client struct {
	Info ServerInfo

	o     Options
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   io.ReadCloser
	lines chan line
	ids   int

	closing chan struct{} // closed when nobody reads lines any more
	once    sync.Once
	exited  chan struct{}

	broken error // half of a line may have been written
}

// line is one line that the server wrote, or the end of its output.
type line struct {
	text []byte
	err  error
}

// Start starts a command and opens a session with it. When the context ends,
// so does the request under way, not the session.
func Start(ctx context.Context, command []string, o Options) (*Client, error) {
	if len(command) == 0 {
		return nil, errors.New("no command to start")
	}
	c := &Client{
		o:       o.withDefaults(),
		cmd:     exec.Command(command[0], command[1:]...),
		lines:   make(chan line, 16),
		closing: make(chan struct{}),
		exited:  make(chan struct{}),
	}
	c.cmd.Dir, c.cmd.Env, c.cmd.Stderr = o.Dir, o.Env, o.Stderr
	// Whoever inherited standard error and outlives the command must not keep
	// Close waiting.
	c.cmd.WaitDelay = time.Second
	ownGroup(c.cmd)
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.in, c.out = in, out
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	go c.read(out)
	if err := c.initialize(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// read passes on the server's lines until its output ends or nobody wants them.
func (c *Client) read(out io.Reader) {
	defer func() {
		c.cmd.Wait() // not before: it closes out
		close(c.exited)
	}()
	r := jsonrpc.NewReader(out, c.o.MaxLine)
	for {
		text, err := r.Next(func() bool { return true })
		l := line{append([]byte(nil), text...), err}
		select {
		case c.lines <- l:
		case <-c.closing:
			return
		}
		if err != nil && err != jsonrpc.ErrTooLong {
			return
		}
	}
}

// Close ends the session: the server's input ends, and what is left of it and
// of the processes it started is killed after a grace. It never waits for long.
func (c *Client) Close() error {
	c.once.Do(func() {
		close(c.closing)
		c.in.Close() // also frees a write that the server does not take
		timer := time.NewTimer(c.o.Grace)
		defer timer.Stop()
		select {
		case <-c.exited:
		case <-timer.C:
		}
		killGroup(c.cmd) // the rest of the group too, if the server itself is gone
		c.out.Close()    // a process that left the group may hold its other end
		<-c.exited
	})
	return nil
}

func (c *Client) initialize(ctx context.Context) error {
	result, err := c.request(ctx, "initialize", map[string]any{
		"protocolVersion": Revision,
		"capabilities":    map[string]any{},
		"clientInfo":      map[string]any{"name": "teaagent", "version": "1"},
	})
	if err != nil {
		return err
	}
	var answer struct {
		ProtocolVersion string
		ServerInfo      struct{ Name, Title, Version string }
		Instructions    string
	}
	if err := json.Unmarshal(result, &answer); err != nil {
		return fmt.Errorf("the answer to initialize: %w", err)
	}
	c.Info = ServerInfo{answer.ServerInfo.Name, answer.ServerInfo.Title, answer.ServerInfo.Version, answer.ProtocolVersion, answer.Instructions}
	return c.send(ctx, map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
}

// Tools lists all tools, each as the server wrote it.
func (c *Client) Tools(ctx context.Context) ([]json.RawMessage, error) {
	var tools []json.RawMessage
	params := map[string]any{}
	seen := map[string]bool{}
	size := 0
	for page := 1; ; page++ {
		result, err := c.request(ctx, "tools/list", params)
		if err != nil {
			return nil, err
		}
		if size += len(result); size > c.o.MaxBytes {
			return nil, fmt.Errorf("the list of tools is longer than %d bytes", c.o.MaxBytes)
		}
		var list struct {
			Tools      []json.RawMessage
			NextCursor *string
		}
		if err := json.Unmarshal(result, &list); err != nil {
			return nil, fmt.Errorf("the answer to tools/list: %w", err)
		}
		tools = append(tools, list.Tools...)
		switch {
		case list.NextCursor == nil || *list.NextCursor == "":
			return tools, nil
		case seen[*list.NextCursor]:
			return nil, fmt.Errorf("the list of tools has no end: its cursor %.40q comes again", *list.NextCursor)
		case page == c.o.MaxPages:
			return nil, fmt.Errorf("the list of tools has more than %d pages", c.o.MaxPages)
		}
		seen[*list.NextCursor] = true
		params["cursor"] = *list.NextCursor
	}
}

// Call calls a tool with arguments, a JSON object, and returns the result as
// the server wrote it, be it an error of the tool or not.
func (c *Client) Call(ctx context.Context, tool string, arguments json.RawMessage) (json.RawMessage, error) {
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	return c.request(ctx, "tools/call", map[string]any{"name": tool, "arguments": arguments})
}

// nextID returns an id that no other request of the session has.
func (c *Client) nextID() string {
	c.ids++
	return strconv.Itoa(c.ids)
}
