// Package ratelimit counts calls in a sliding window.
package ratelimit

import (
	"slices"
	"sync"
	"time"
)

// Log is the times of the calls that count: a sliding-window log, exact at the
// edges. A call counts from its moment for one window; at the moment when the
// window has passed it no longer does. The zero value is empty.
type Log struct {
	mu    sync.Mutex
	slots []Slot // oldest first
	last  uint64
}

// Slot is one call's place in the window. The zero value is none.
type Slot struct {
	id uint64
	at time.Time // with its monotonic reading: setting the clock changes nothing
}

// Take takes a slot if fewer than max are taken in the window that ends now.
// Otherwise wait is how long it takes until the oldest of them no longer
// counts, unless one is given back before.
func (l *Log) Take(max int, window time.Duration) (slot Slot, wait time.Duration, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now() // under the lock, so that the slots are in order
	over := 0
	for over < len(l.slots) && now.Sub(l.slots[over].at) >= window {
		over++
	}
	l.slots = l.slots[over:]
	if n := len(l.slots); n >= max {
		return Slot{}, window - now.Sub(l.slots[n-max].at), false
	}
	l.last++
	slot = Slot{l.last, now}
	l.slots = append(l.slots, slot)
	return slot, 0, true
}

// GiveBack frees a slot whose call did not run.
func (l *Log) GiveBack(slot Slot) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.slots = slices.DeleteFunc(l.slots, func(s Slot) bool { return s.id == slot.id })
}
