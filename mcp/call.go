package mcp

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/teaagent/teaagent/mcp/internal/ratelimit"
	"github.com/teaagent/teaagent/mcp/policy"
)

// Call is one call of a tool on its way through the server. Generated code
// takes the arguments from it, asks it for admission, and gives it what the
// body returned; handlers see it only as their context.
type Call struct {
	srv   *server
	conn  *conn
	tool  *tool
	peer  *peer
	id    []byte // as it came; nil before it is known
	args  []byte // source text of the arguments
	meta  []byte // source text of the request's _meta, or nil
	batch *batch // that it came in, or nil

	dec     *Decoder // of the reader until the call is handed over; in use until it is admitted
	guard   guard    // this and the next two are what Admit found in the arguments
	confirm bool
	dryRun  bool
	fail    *failure
	result  Result
	preview *Preview

	checkOnly  bool // only the arguments are looked at: see Check
	foreseeing bool // only the preview is wanted: see foresee

	fresh    bool            // the grants are to be looked at again
	grants   []policy.Grant  // that were looked at
	decision policy.Decision // of the policy about the call
	approval string          // "once" or "session" if a person let it run
	slot     ratelimit.Slot  // of the tool's rate limit
	sum      string          // see digest
	decoded  bool            // the arguments keep to their schema
	ran      bool            // Admit returned true
	number   int64           // in the audit log, if it may change something
	began    time.Time

	settled atomic.Bool // the answer is out, or nobody waits for it any more: see settle
	size    int         // bytes of the request, while in flight

	mu     sync.Mutex // over what follows
	done   chan struct{}
	err    error
	timer  *time.Timer
	until  time.Time
	held   bool // a person is being asked: the tool's time does not run
	handed bool // the timer was to be started meanwhile

	input      *input // what its user was asked, or is to be; nil for most
	resultMeta []metaMember
	progress   float64 // last reported
	progressed bool
}

// Args returns the decoder of the call's arguments.
func (c *Call) Args() *Decoder {
	g := guardNone
	if c.tool.spec.Destructive {
		g = guardPreview
	} else if c.tool.spec.RequiresConfirm {
		g = guardConfirm
	}
	c.guard = g
	c.dec.reset(c.args, g, c.srv.secrets)
	return c.dec
}

// DryRun reports whether the call asks only for a preview.
func (c *Call) DryRun() bool { return c.dryRun }

// Return takes what the body returned.
func (c *Call) Return(r Result, err error) {
	if err != nil {
		c.failWith(err)
		return
	}
	c.result = r
}

// Preview takes what the preview returned.
func (c *Call) Preview(p Preview, err error) {
	if err != nil {
		c.failWith(err)
		return
	}
	c.preview = &p
}

func (c *Call) failWith(err error) {
	e := asError(err)
	c.fail = &failure{situation: failed, label: e.Code, text: e.Message}
	var missing *missingCapability
	if errors.As(err, &missing) {
		c.fail.situation = noCapability
		c.fail.extra = missing.encode
	}
}

// Context returns the call's context: done when the client cancels the call,
// when its time is up, or when the server ends.
func (c *Call) Context() context.Context { return (*callContext)(c) }

// callContext is a Call as its handlers see it. It makes the channel and the
// timer only when they are needed: most calls end before.
type callContext Call

type callKey struct{}

// callFrom returns the call that a handler's context belongs to, or nil.
func callFrom(ctx context.Context) *Call {
	c, _ := ctx.Value(callKey{}).(*Call)
	return c
}

func (x *callContext) Value(key any) any {
	if key == (callKey{}) {
		return (*Call)(x)
	}
	return nil
}

func (x *callContext) Deadline() (time.Time, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.until.IsZero() {
		x.until = time.Now().Add(x.tool.timeout())
	}
	return x.until, true
}

func (x *callContext) Done() <-chan struct{} {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.done == nil {
		x.done = make(chan struct{})
		if x.err != nil {
			close(x.done)
		}
	}
	return x.done
}

func (x *callContext) Err() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.err
}

// settle makes sure that nothing more is sent for the call but the caller's
// answer, if it reports true: the call was not settled before.
func (c *Call) settle() bool {
	c.mu.Lock() // waits for a Progress that is adding its frame
	defer c.mu.Unlock()
	return c.settled.CompareAndSwap(false, true)
}

// end makes the call's context done, once.
func (c *Call) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.err = err
	if c.done != nil {
		close(c.done)
	}
	if c.timer != nil {
		c.timer.Stop()
	}
}

// Peer is what a handler may know of the client that calls.
type Peer struct {
	Revision    Revision
	Elicitation bool // the client can ask its user: see Ask
}

// PeerFrom returns the client of the call that a handler's context belongs to.
func PeerFrom(ctx context.Context) Peer {
	if c := callFrom(ctx); c != nil {
		return Peer{Revision: c.peer.revision, Elicitation: c.peer.elicitation}
	}
	return Peer{}
}

// Progress tells the client how far the call is, if it asked for that. done
// must grow from one to the next, else it is left out; total is 0 where it is
// not known. So is what a client that does not read has no room for.
func Progress(ctx context.Context, done, total float64, message string) {
	c := callFrom(ctx)
	if c != nil && c.meta != nil && c.report(done, total, message) {
		c.conn.out.flush() // not under the lock: it blocks while the client does not read
	}
}

// report adds a progress notification to what is to be sent.
func (c *Call) report(done, total float64, message string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.settled.Load() || c.err != nil || c.progressed && done <= c.progress {
		return false
	}
	token := progressToken(c.meta)
	if token == nil {
		return false
	}
	e := Encoder{buf: []byte(`{"jsonrpc":"2.0","method":"notifications/progress","params":`), mask: c.srv.secrets.maskValues()}
	e.Begin('{')
	e.Key("progressToken")
	e.raw(token)
	e.Key("progress")
	e.Number(done)
	if total > 0 {
		e.Key("total")
		e.Number(total)
	}
	if c.peer.revision >= Revision20250326 {
		e.field("message", message)
	}
	e.End('}')
	e.End('}')
	if e.err != nil || len(e.buf) > maxFrame || !c.conn.out.offer(e.buf) {
		return false
	}
	c.progress, c.progressed = done, true
	return true
}
