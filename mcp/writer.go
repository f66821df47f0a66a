package mcp

import (
	"context"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	writeAt  = 64 << 10 // a buffer this full is not left for later
	maxQueue = 32 << 20 // what may wait for a client that does not read
)

// writer collects frames and writes many at a time. A write that blocks holds
// up only the goroutine in it: others add their frames and go on, until
// maxQueue bytes wait; then they wait too.
type writer struct {
	dst io.Writer

	mu       sync.Mutex
	drained  sync.Cond
	buf      []byte // waits to be written
	spare    []byte
	writing  bool
	portions atomic.Int64  // written so far
	err      error         // of the first write that failed
	gone     chan struct{} // closed then: so is the client
}

func newWriter(dst io.Writer) *writer {
	w := &writer{dst: dst, gone: make(chan struct{})}
	w.drained.L = &w.mu
	return w
}

// add appends a frame, given in parts, with its newline. Who adds also flushes,
// but for the reader: see conn.read.
func (w *writer) add(frame ...[]byte) {
	w.mu.Lock()
	for len(w.buf) > maxQueue && w.err == nil {
		w.drained.Wait()
	}
	if w.err == nil {
		for _, part := range frame {
			w.buf = append(w.buf, part...)
		}
		w.buf = append(w.buf, '\n')
	}
	w.mu.Unlock()
}

// offer is add for a frame that is better lost than waited for: it returns
// false if there is no room for it.
func (w *writer) offer(frame []byte) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.buf) > maxQueue || w.err != nil {
		return false
	}
	w.buf = append(append(w.buf, frame...), '\n')
	return true
}

// flush writes what waits, unless another goroutine is at it: that one goes on
// until nothing waits.
func (w *writer) flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.writing {
		return
	}
	w.writing = true
	w.drain()
}

// share is add and flush for a frame whose body is long and never changes: it
// is written from where it is, unless another goroutine is writing. (The list
// of 1000 tools has a megabyte; two buffers of that cost more than its write.)
func (w *writer) share(head, body, tail []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.writing || w.err != nil {
		w.mu.Unlock()
		w.add(head, body, tail)
		w.mu.Lock()
		return
	}
	w.writing = true
	w.buf = append(w.buf, head...)
	w.swap()
	w.attempt(body)
	w.buf = append(append(slices.Clone(tail), '\n'), w.buf...)
	w.drain()
}

// drain writes until nothing waits. It is called with mu, which it lets go
// while it writes, and with writing set, which it unsets.
func (w *writer) drain() {
	for len(w.buf) > 0 && w.err == nil {
		w.swap()
	}
	w.writing = false
	w.drained.Broadcast()
}

// swap writes what waits; others fill the other buffer meanwhile.
func (w *writer) swap() {
	out := w.buf
	w.buf = w.spare[:0]
	w.spare = nil
	w.attempt(out)
	if cap(out) <= keepQueue {
		w.spare = out
	}
}

// attempt writes without mu, unless a write has failed before.
func (w *writer) attempt(out []byte) {
	if w.err != nil {
		return
	}
	w.mu.Unlock()
	err := w.write(out)
	w.mu.Lock()
	if err != nil {
		w.err = err
		close(w.gone)
	}
	w.drained.Broadcast()
}

// write writes in portions, so that one can see whether the client reads.
func (w *writer) write(out []byte) error {
	for len(out) > 0 {
		n, err := w.dst.Write(out[:min(len(out), portion)])
		if err != nil {
			return err
		}
		out = out[n:]
		w.portions.Add(1)
	}
	return nil
}

const portion = 64 << 10

const keepQueue = 2 << 20 // a larger buffer is let go after its write

// close flushes, but waits no longer than patience for a client that does not
// read; for one that reads slowly it does, until ctx is done.
func (w *writer) close(ctx context.Context, patience time.Duration) {
	done := make(chan struct{})
	go func() {
		w.flush()
		w.mu.Lock()
		for w.writing {
			w.drained.Wait()
		}
		w.mu.Unlock()
		close(done)
	}()
	for before := w.portions.Load(); ; before = w.portions.Load() {
		select {
		case <-done:
			return
		case <-time.After(patience):
			if ctx.Err() != nil || w.portions.Load() == before {
				return
			}
		}
	}
}

// full tells whether so much waits that it should be flushed.
func (w *writer) full() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.buf) >= writeAt
}
