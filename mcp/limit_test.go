package mcp_test

import (
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/teaagent/teaagent/mcp/mcptest"
)

// A limit of three calls lets exactly three of many callers at once pass, and
// when the answer says that the window is over, three more.
func TestRateLimit(t *testing.T) {
	s := connect(t, mcptest.Options{}, nil)
	for window := range 3 {
		var passed, soonest atomic.Int64
		soonest.Store(1 << 40)
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "fx_countCalls", Arguments: args{}})
				if err != nil {
					t.Error(err)
					return
				}
				if !r.IsError {
					passed.Add(1)
					return
				}
				var data struct{ RetryAfterMs int64 }
				meta, _ := json.Marshal(r.Meta["dev.teaagent/error"])
				json.Unmarshal(meta, &data)
				for was := soonest.Load(); data.RetryAfterMs < was && !soonest.CompareAndSwap(was, data.RetryAfterMs); {
					was = soonest.Load()
				}
			})
		}
		wg.Wait()
		if passed.Load() != 3 {
			t.Errorf("window %d: %d calls passed a limit of 3", window, passed.Load())
		}
		if after := soonest.Load(); after < 1 || after > 2000 {
			t.Fatalf("retryAfterMs is %d", after)
		}
		// What was first refused may pass when its time has come; the last of
		// the three counts for a moment longer.
		time.Sleep(time.Duration(soonest.Load())*time.Millisecond + 100*time.Millisecond)
	}
}

// What does not run uses no slot; what runs keeps it, cancelled or not.
func TestSlots(t *testing.T) {
	p := fixture.Start(t, mcptest.Options{Args: []string{"--permission-mode", "prompt"}})
	p.Initialize("2025-11-25", "")
	free := []struct{ arguments, want string }{
		{`{"confirm":true,"x":1}`, "[INVALID_ARGUMENT]"},
		{`{"confirm":true}`, "[AUTH_MISSING]"},
	}
	for range 3 {
		for _, c := range free {
			p.Send(toolCall("fx_dropCount", c.arguments))
			if f := next(t, p); !strings.HasSuffix(f.String(), c.want) {
				t.Fatalf("%s: %s", c.arguments, f.text)
			}
		}
	}
	p = fixture.Start(t, mcptest.Options{Env: []string{"FX_DROPS=1"}})
	p.Initialize("2025-11-25", "")
	for range 3 { // refused after the slot was taken: it is given back
		for _, c := range []struct{ arguments, want string }{{`{}`, "[CONFIRM_REQUIRED]"}, {`{"confirm":true}`, "[APPROVAL_DENIED]"}} {
			p.Send(toolCall("fx_dropCount", c.arguments))
			if f := next(t, p); !strings.HasSuffix(f.String(), c.want) {
				t.Fatalf("%s: %s", c.arguments, f.text)
			}
		}
	}
	for _, want := range []string{"result", "result", "[RATE_LIMITED]"} { // a preview runs
		p.Send(toolCall("fx_dropCount", `{"dry_run":true}`))
		if f := next(t, p); !strings.HasSuffix(f.String(), want) {
			t.Errorf("want %s, got %s", want, f.text)
		}
	}
	for range 3 {
		p.Send(call(`"w"`, "fx_countCalls", `{"millis":9000}`))
		p.Ping()
		p.Send(cancel(`"w"`))
		p.Ping()
	}
	p.Send(toolCall("fx_countCalls", `{}`))
	if f := next(t, p); !strings.HasSuffix(f.String(), "[RATE_LIMITED]") {
		t.Errorf("cancelled calls gave their slots back: %s", f.text)
	}
}
