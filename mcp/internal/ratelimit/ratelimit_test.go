package ratelimit

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestWindowSlides(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l Log
		take := func(wantOK bool, wantWait time.Duration) {
			t.Helper()
			_, wait, ok := l.Take(2, time.Minute)
			if ok != wantOK || wait != wantWait {
				t.Fatalf("with %d slots taken: got %v, wait %v; want %v, %v", len(l.slots), ok, wait, wantOK, wantWait)
			}
		}
		take(true, 0) // at 0 s
		time.Sleep(40 * time.Second)
		take(true, 0) // at 40 s
		take(false, 20*time.Second)
		time.Sleep(20*time.Second - 1)
		take(false, 1) // a nanosecond before the edge
		time.Sleep(1)
		take(true, 0) // at 60 s, the first no longer counts
		take(false, 40*time.Second)
		time.Sleep(time.Hour)
		take(true, 0)
		take(true, 0)
		take(false, time.Minute)
	})
}

func TestGiveBack(t *testing.T) {
	var l Log
	slot, _, _ := l.Take(1, time.Hour)
	if _, _, ok := l.Take(1, time.Hour); ok {
		t.Fatal("a second call passed a limit of one")
	}
	l.GiveBack(slot)
	again, _, ok := l.Take(1, time.Hour)
	if !ok {
		t.Fatal("a slot that was given back is not free")
	}
	l.GiveBack(slot) // not this one
	l.GiveBack(Slot{})
	if _, _, ok := l.Take(1, time.Hour); ok {
		t.Fatal("giving back a slot twice freed another one")
	}
	l.GiveBack(again)
}

// A limit of N lets exactly N of many callers at once pass, in the first window
// and, at its edge, in the next.
func TestConcurrent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l Log
		for window := range 3 {
			var passed atomic.Int32
			var wg sync.WaitGroup
			for range 10 {
				wg.Go(func() {
					for range 20 {
						if _, _, ok := l.Take(7, time.Second); ok {
							passed.Add(1)
						}
					}
				})
			}
			wg.Wait()
			if passed.Load() != 7 {
				t.Errorf("window %d: %d calls passed a limit of 7", window, passed.Load())
			}
			time.Sleep(time.Second)
		}
	})
}
