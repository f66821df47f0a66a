package mcp

import (
	"io"
	"sync"
	"time"
)

const (
	writeAt  = 64 << 10 // a buffer this full is written at once
	maxQueue = 64 << 20 // what may wait for a client that does not read
)

// writer collects frames and writes many at a time. A write that blocks holds
// up only the goroutine in it: others add their frames and go on, until
// maxQueue bytes wait; then they wait too.
type writer struct {
	dst io.Writer

	mu      sync.Mutex
	drained sync.Cond
	buf     []byte // waits to be written
	spare   []byte
	writing bool
	err     error // of the first write that failed: the client is gone
}

func newWriter(dst io.Writer) *writer {
	w := &writer{dst: dst}
	w.drained.L = &w.mu
	return w
}

// add appends a frame, given in parts, with its newline.
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
	full := len(w.buf) >= writeAt
	w.mu.Unlock()
	if full {
		w.flush()
	}
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
	for len(w.buf) > 0 && w.err == nil {
		out := w.buf
		w.buf = w.spare[:0]
		w.mu.Unlock()
		_, err := w.dst.Write(out)
		w.mu.Lock()
		if w.spare = out; cap(out) > keepQueue {
			w.spare = nil
		}
		w.err = err
		w.drained.Broadcast()
	}
	w.writing = false
	w.drained.Broadcast()
}

const keepQueue = 2 << 20 // a larger buffer is let go after its write

// close flushes, but waits no longer than patience for a client that does not read.
func (w *writer) close(patience time.Duration) {
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
	select {
	case <-done:
	case <-time.After(patience):
	}
}

// failed returns the error of the first write that failed.
func (w *writer) failed() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}
