package mcptest

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// gatherer holds what a server writes to standard error.
type gatherer struct {
	mu      sync.Mutex
	held    strings.Builder
	changed chan struct{} // closed, and made anew, when more has come
	ended   bool
}

func newGatherer() *gatherer { return &gatherer{changed: make(chan struct{})} }

// gather reads until the last writer is gone.
func (g *gatherer) gather(r *os.File) {
	io.Copy(g, r)
	r.Close()
	g.close()
}

// Write adds what has come.
func (g *gatherer) Write(part []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held.Write(part)
	close(g.changed)
	g.changed = make(chan struct{})
	return len(part), nil
}

func (g *gatherer) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ended = true
	close(g.changed)
	g.changed = make(chan struct{})
}

func (g *gatherer) text() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.held.String()
}

// settle waits for what a process that is dead has left in the pipe. Another one
// may hold the pipe open, so it does not wait for long.
func (g *gatherer) settle() {
	timeout := time.After(time.Second)
	for {
		g.mu.Lock()
		changed, ended := g.changed, g.ended
		g.mu.Unlock()
		if ended {
			return
		}
		select {
		case <-changed:
		case <-timeout:
			return
		}
	}
}

// await waits until the text came as often as count says.
func (g *gatherer) await(text string, count int) error {
	timeout := time.After(Patience)
	for {
		g.mu.Lock()
		came, changed, ended := strings.Count(g.held.String(), text), g.changed, g.ended
		g.mu.Unlock()
		switch {
		case came >= count:
			return nil
		case ended:
			return fmt.Errorf("standard error ended with %q in it %d times, not %d", text, came, count)
		}
		select {
		case <-changed:
		case <-timeout:
			return fmt.Errorf("standard error has %q in it %d times, not %d", text, came, count)
		}
	}
}
