package mcpcmd

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/teaagent/teaagent/mcp/policy"
)

func TestWatch(t *testing.T) {
	d := newDesk(t)
	d.terminal = true
	third := strings.Repeat("e", 64)
	d.pend("rm", firstCall, `{"path":"a"}`)
	d.pend("mv", secondCall, `{"path":"b"}`)
	d.pend("cp", third, `{"path":"c"}`)
	d.in = strings.NewReader("y\nD\n\n")
	go func() {
		d.ticks <- time.Now()
		close(d.ticks)
	}()
	shownCall := func(tool, digest, path string) string {
		return "  " + tool + "  " + digest[:12] + "  0s ago, kept by mode:prompt\n    {\"path\":\"" + path + "\"}\n    srv mcp approvals approve " + digest + "\n    approve once? [y/N/d(eny)] "
	}
	out := regexp.MustCompile(`\d+s ago`).ReplaceAllString(d.ok("watch"), "0s ago")
	d.like(out, shownCall("rm", firstCall, "a")+"ID: allow rm, only the call 0123456789ab, once, for 1h more\n"+
		shownCall("mv", secondCall, "b")+"ID: deny mv, only the call ba9876543210\n"+
		shownCall("cp", third, "c"))
	if g := d.grants(); len(g) != 2 || g[0].Digest != firstCall || g[0].Uses != 1 || g[1].Effect != policy.Denies || g[1].Digest != secondCall {
		t.Errorf("decided: %+v", g)
	}
	if len(d.events) != 2 {
		t.Errorf("audited: %q", d.events)
	}
}

// Without a terminal, and behind its end, watch only shows.
func TestWatchOnlyShows(t *testing.T) {
	d := newDesk(t)
	for _, d.terminal = range []bool{false, true} {
		d.ticks = make(chan time.Time)
		d.in = strings.NewReader("")
		if !d.terminal {
			d.in = strings.NewReader("y\ny\n")
		}
		d.pend("rm", firstCall, "{}")
		go func() {
			d.ticks <- time.Now() // it has seen the first
			d.pend("mv", secondCall, "{}")
			d.ticks <- time.Now()
			d.ticks <- time.Now()
			close(d.ticks)
		}()
		out := d.ok("watch")
		if strings.Count(out, firstCall) != 1 || strings.Count(out, secondCall) != 1 || strings.Count(out, "approve once?") > 1 {
			t.Errorf("terminal %v: printed\n%s", d.terminal, out)
		}
		if len(d.grants()) != 0 {
			t.Errorf("decided: %+v", d.grants())
		}
	}
}
