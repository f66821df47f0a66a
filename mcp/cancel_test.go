package mcp_test

import (
	"encoding/json"
	"fmt"
	"testing"
)

// Whenever the cancellation comes, a call is answered once, or not at all, and
// every other one is answered.
func TestCancelAtAnyTime(t *testing.T) {
	t.Parallel()
	p := open(t, "2025-11-25", "")
	const calls = 1000
	for n := range calls {
		id := fmt.Sprint(n)
		switch n % 4 {
		case 0:
			p.Send(call(id, "fx_echoText", `{"text":"a"}`))
		case 1:
			p.Send(call(id, "fx_waitFor", fmt.Sprintf(`{"millis":%d}`, n%3)), cancel(id))
		case 2:
			p.Send(call(id, "fx_waitLong", "{}"), cancel(id))
		case 3:
			p.Send(call(id, "fx_failWith", `{"how":"coded"}`), cancel(id))
		}
	}
	p.Send(pingLine(calls))
	answers := map[string]int{}
	for {
		f := next(t, p)
		if string(f.ID) == fmt.Sprint(calls) {
			break
		}
		answers[string(f.ID)]++
	}
	for n := range calls {
		count := answers[fmt.Sprint(n)]
		if count > 1 || count == 0 && n%4 == 0 || count == 1 && n%4 == 2 {
			t.Errorf("call %d has %d answers", n, count)
		}
	}
	p.AwaitStderr("told to stop", calls/4)
	p.Ping()
}

// Progress grows, and ends with the call: behind a ping that was sent after the
// cancellation there is none.
func TestProgressUntilCancelled(t *testing.T) {
	t.Parallel()
	p := open(t, "2025-11-25", "")
	for n := range 20 {
		p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"fx_reportProgress","arguments":{"how":"flood"},"_meta":{"progressToken":"t%d"}}}`, n, n))
		last := 0.0
		progress := func(f frame) {
			var params struct {
				ProgressToken string
				Progress      float64
			}
			json.Unmarshal(f.Params, &params)
			if f.Method != "notifications/progress" || params.ProgressToken != fmt.Sprint("t", n) || params.Progress <= last {
				t.Fatalf("after %v: %s", last, f.text)
			}
			last = params.Progress
		}
		for range 3 {
			progress(next(t, p))
		}
		p.Send(cancel(fmt.Sprint(n)), pingLine(100))
		for f := next(t, p); f.String() != "100 result"; f = next(t, p) {
			progress(f)
		}
		p.AwaitStderr("told to stop", n+1)
		p.Ping()
	}
}
