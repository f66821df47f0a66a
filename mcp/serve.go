package mcp

import (
	"context"
	"io"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/teaagent/teaagent/mcp/internal/approval"
	"github.com/teaagent/teaagent/mcp/internal/jsonrpc"
	"github.com/teaagent/teaagent/mcp/policy"
)

// Options is how a server is run. The zero value serves without a workspace,
// in mode prompt.
type Options struct {
	In      io.Reader // frames come in; os.Stdin if nil
	Out     io.Writer // frames go out; os.Stdout if nil
	Root    *Workspace
	Mode    policy.Mode
	Profile Profile
	Select  Selection           // which tools are served
	MaxLine int                 // of an incoming frame, in bytes; DefaultMaxLine if 0
	Getenv  func(string) string // os.Getenv if nil
	Log     *slog.Logger        // to standard error if nil
	Secrets *Secrets            // what is masked; read from Getenv if nil

	// Home is the user's folder of approvals, locks and audit logs. Without one
	// there are no approvals but those that a person gives in the session, no
	// lock is taken and nothing is recorded.
	Home            string
	Preapproved     []Preapproval // calls that the command line approves, once each
	ApprovalTimeout time.Duration // how long a person has to answer; DefaultApprovalTimeout if 0
}

// Preapproval is a call that is approved beforehand: a tool, and the digest of
// the call's canonical JSON.
type Preapproval = approval.Preapproval

// DefaultMaxLine is the longest frame that is read.
const DefaultMaxLine = 16 << 20

const (
	graceAtEOF    = time.Second            // for calls that are running when the input ends
	graceAtEnd    = 500 * time.Millisecond // for bodies to notice that their context is done
	maxFlying     = 256                    // calls handed over and not yet returned
	maxFlyingSize = 64 << 20               // bytes of their requests
)

// Serve answers the frames of o.In until it ends or ctx is done. Calls that
// are running then get up to a second, or are cancelled at once.
func Serve[H any](ctx context.Context, s *Server[H], h H, o Options) error {
	if o.In == nil {
		o.In = os.Stdin
	}
	if o.Out == nil {
		o.Out = os.Stdout
	}
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	if o.MaxLine <= 0 {
		o.MaxLine = DefaultMaxLine
	}
	if o.Secrets == nil {
		o.Secrets, _ = NewSecrets(s.Env, o.Getenv)
	}
	if o.ApprovalTimeout <= 0 {
		o.ApprovalTimeout = DefaultApprovalTimeout
	}
	srv, err := newServer(s, h, o)
	if err != nil {
		return err
	}
	c := newConn(srv, o)
	over := make(chan struct{})
	defer close(over)
	go c.turns.watch(over)
	go c.read()
	err = c.wait(ctx)
	if e := srv.state.close(); err == nil {
		err = e
	}
	return err
}

// conn is a client's connection. Frames are read by one goroutine at a time,
// which runs each body itself; most are done in microseconds. A body that takes
// longer keeps its goroutine, and the reader's role goes to a new one:
//
//	read ▶ parse ▶ run the body ▶ add the answer ▶ read …
//	               │ after 200 µs, by watch:
//	               └▶ the call is in flight; a new goroutine reads on
//
// Measured against a goroutine per call and a pool: see DESIGN 7.
type conn struct {
	srv  *server
	out  *writer
	peer atomic.Pointer[peer]

	turns *turns

	// The reader's role. Whoever holds it owns these.
	in      *jsonrpc.Reader
	maxLine int
	msg     jsonrpc.Message
	enc     Encoder
	current *Call       // what is run in this turn; nil while answers are flushed
	dec     *Decoder    // of the call that is run
	rec     Encoder     // of the audit log's events
	stale   bool        // more was read since the grants were looked at
	idle    func() bool // see beforeRead
	modern  *peer       // of the last modern request: the next is likely to be the same
	batch   *batch      // that is being read; nil if none is
	pending [][]byte    // messages of it that are still to be handled

	mu      sync.Mutex
	calls   map[string]*Call // in flight, by id
	size    int              // bytes of their requests
	asked   map[string]chan jsonrpc.Message
	askedID int
	flying  atomic.Int32 // bodies running off the reader, also cancelled ones

	eof   chan struct{} // closed when the input ended
	quiet chan struct{} // holds a token when flying fell to zero
}

func newConn(srv *server, o Options) *conn {
	c := &conn{
		srv:     srv,
		out:     newWriter(o.Out),
		in:      jsonrpc.NewReader(o.In, o.MaxLine),
		maxLine: o.MaxLine,
		calls:   map[string]*Call{},
		asked:   map[string]chan jsonrpc.Message{},
		eof:     make(chan struct{}),
		quiet:   make(chan struct{}, 1),
	}
	c.peer.Store(&peer{})
	c.idle = c.beforeRead
	c.turns = newTurns(c.handOver)
	c.dec = new(Decoder)
	return c
}

// read holds the reader's role until the input ends or the role is handed over.
func (c *conn) read() {
	for {
		line, err := c.next()
		switch {
		case err == nil:
			if !c.handle(line) {
				return
			}
		case err == jsonrpc.ErrTooLong:
			c.refuseLine(line)
		case err == jsonrpc.ErrLeft:
			return
		default:
			close(c.eof)
			return
		}
		if c.out.full() && !c.flushTurn() {
			return
		}
	}
}

// handOver takes the reader's role from a goroutine that has been busy for too
// long, and gives it to a new one.
func (c *conn) handOver(turn uint64) {
	c.mu.Lock()
	if !c.turns.end(turn) {
		c.mu.Unlock()
		return
	}
	if call := c.current; call != nil {
		c.calls[string(call.id)] = call
		c.size += call.size
		c.flying.Add(1)
		call.startTimer()
	}
	c.in = c.in.Fork()
	c.dec = new(Decoder) // the call in flight keeps its own
	c.mu.Unlock()
	go c.read()
	go c.out.flush() // what is finished does not wait for a slow body
}

// flushTurn writes the answers before the reader blocks, and when there are
// many. A client that does not read holds up this goroutine, not the reading.
func (c *conn) flushTurn() bool { return c.inTurn(c.out.flush) }

// beforeRead is called before the reader blocks. What comes next may have been
// sent after a grant was given or taken back.
func (c *conn) beforeRead() bool {
	c.stale = true
	return c.flushTurn()
}

// inTurn does something that may block. It reports whether the caller still has
// the reader's role.
func (c *conn) inTurn(do func()) (still bool) {
	c.current = nil
	turn := c.turns.begin()
	do()
	return c.turns.end(turn)
}

// run leads a call to its end. It reports whether the caller still has the
// reader's role.
func (c *conn) run(call *Call) (still bool) {
	c.current = call
	turn := c.turns.begin()
	returned := false
	defer func() {
		if returned {
			return
		}
		// runtime.Goexit ends this goroutine; the reader's role must not end with it.
		call.fail = &failure{situation: failed, label: "INTERNAL", text: "the tool's body ended its goroutine"}
		if c.land(call, turn) {
			go c.read()
		}
	}()
	call.invoke()
	returned = true
	return c.land(call, turn)
}

// land answers a call whose body has returned.
func (c *conn) land(call *Call, turn uint64) (still bool) {
	if c.turns.end(turn) {
		call.answer(&c.enc)
		call.record(&c.rec)
		call.end(context.Canceled)
		return true
	}
	c.mu.Lock()
	if c.calls[string(call.id)] == call {
		delete(c.calls, string(call.id))
	}
	c.size -= call.size
	c.mu.Unlock()
	call.answer(new(Encoder))
	call.record(new(Encoder))
	call.end(context.Canceled)
	c.out.flush()
	if c.flying.Add(-1) == 0 {
		select {
		case c.quiet <- struct{}{}:
		default:
		}
	}
	return false
}

// wait returns when the connection is over and its answers are written.
func (c *conn) wait(ctx context.Context) error {
	grace := graceAtEOF
	select {
	case <-c.eof:
	case <-c.out.gone: // nobody reads our answers any more
		grace = 0
	case <-ctx.Done():
		grace = 0
	}
	if !c.awaitBodies(grace) {
		c.mu.Lock()
		for _, call := range c.calls {
			call.end(context.Canceled)
		}
		c.mu.Unlock()
		c.awaitBodies(graceAtEnd)
	}
	c.out.close(ctx, graceAtEnd)
	return nil
}

// awaitBodies waits until no body runs any more, at most for patience.
func (c *conn) awaitBodies(patience time.Duration) bool {
	timeout := time.After(patience)
	for c.flying.Load() > 0 {
		select {
		case <-c.quiet:
		case <-timeout:
			return false
		}
	}
	return true
}
