package approval

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/teaagent/teaagent/mcp/internal/store"
	"github.com/teaagent/teaagent/mcp/policy"
)

// Book is what the file says about one workspace. Any number of goroutines and
// processes may use it; it only gets in their way while one of them writes.
type Book struct {
	home      *store.Home
	workspace string
	flags     []Preapproval
	now       func() time.Time
	tick      func() time.Time // for lookAgain alone

	reading sync.Mutex           // one reads the file, the others wait for it
	last    atomic.Pointer[view] // nil until the file was read well
}

// lookAgain is how old, in nanoseconds, the last look at the file may be for a
// fresh one. Of calls that follow one another at once few look: the system call
// costs more than all the rest of a call (5 µs without it, 14 with it, measured
// over pipes in memory).
const lookAgain = int64(time.Millisecond)

// view is what was read last. But for the time it never changes.
type view struct {
	stamp  store.Stamp
	looked atomic.Int64 // when the file was last found to be so, by Unix time in nanoseconds
	page   page
	grants []policy.Grant // the page's, and the preapprovals that are left
}

// Open returns the book of a workspace, given by its canonical path. It reads
// nothing yet.
func Open(home *store.Home, workspace string, preapproved []Preapproval) *Book {
	b := &Book{home: home, workspace: workspace, now: time.Now, tick: time.Now}
	for _, p := range preapproved {
		if !slices.Contains(b.flags, p) {
			b.flags = append(b.flags, p)
		}
	}
	return b
}

// Grants returns all grants of the workspace, and those of the command line
// that were never used. The slice is shared: nobody changes it. If fresh, it
// looks whether the file has changed since; else what was read last will do.
// A file that can't be read, or has one grant that makes no sense, is an error:
// it may be the one that denies.
func (b *Book) Grants(fresh bool) ([]policy.Grant, error) {
	v, err := b.view(fresh)
	if err != nil {
		return nil, err
	}
	return v.grants, nil
}

func (b *Book) view(fresh bool) (*view, error) {
	if v := b.last.Load(); v != nil {
		now := b.tick().UnixNano()
		if before := v.looked.Load(); !fresh || before <= now && now < before+lookAgain {
			return v, nil
		}
		v.looked.Store(now)
		if now, err := b.home.Stamp(File); err == nil && now == v.stamp {
			return v, nil
		}
	}
	b.reading.Lock()
	defer b.reading.Unlock()
	var f file
	looked := b.tick().UnixNano()
	stamp, err := b.home.Read(File, &f)
	if err != nil {
		b.last.Store(nil)
		return nil, fmt.Errorf("read the approvals: %w", err)
	}
	v := &view{stamp: stamp}
	v.looked.Store(looked)
	if p := f.Workspaces[b.workspace]; p != nil {
		v.page = *p
	}
	v.grants = slices.Clone(v.page.Grants)
	for _, p := range b.flags {
		if !slices.Contains(v.page.Spent, p.String()) {
			v.grants = append(v.grants, p.grant())
		}
	}
	b.last.Store(v)
	return v, nil
}

// Spend takes one use of a grant that Grants returned, and only then may the
// call's body run: if the process dies in between, the use is lost, and no call
// runs twice on it. ErrSpent if there is no use left, or no such grant any more.
// A grant for any number of calls is only looked at again.
func (b *Book) Spend(ctx context.Context, g *policy.Grant) error {
	if g.ID == flagID {
		return b.change(ctx, func(p *page) error { return p.spendFlag(Preapproval{g.Tool, g.Digest}) })
	}
	if g.Uses == 0 {
		v, err := b.view(true)
		if err != nil {
			return err
		}
		if v.page.current(g, b.now()) < 0 {
			return ErrSpent
		}
		return nil
	}
	return b.change(ctx, func(p *page) error {
		i := p.current(g, b.now())
		switch {
		case i < 0:
			return ErrSpent
		case p.Grants[i].Uses > 1:
			p.Grants[i].Uses--
		default: // not to 0, which is any number
			p.Grants = slices.Delete(p.Grants, i, i+1)
		}
		return nil
	})
}

// current returns the index of the page's grant that is still what g was but
// for the uses that are left, or -1.
func (p *page) current(g *policy.Grant, now time.Time) int {
	return slices.IndexFunc(p.Grants, func(o policy.Grant) bool {
		if o.ID != g.ID || !o.Counts(now) || (o.Uses == 0) != (g.Uses == 0) {
			return false
		}
		o.Uses = g.Uses
		return reflect.DeepEqual(o, *g)
	})
}

// spendFlag writes down that a preapproval was used, for good: the same flag on
// the next start does not renew it.
func (p *page) spendFlag(used Preapproval) error {
	if slices.Contains(p.Spent, used.String()) {
		return ErrSpent
	}
	if len(p.Spent) >= maxSpent {
		return fmt.Errorf(`%s remembers %d used preapprovals of this workspace already; take those whose flags nobody uses any more out of its "spent"`, File, maxSpent)
	}
	p.Spent = append(p.Spent, used.String())
	return nil
}

// Pend notes a call that nothing let pass. One that waits already is written
// again at most once a minute. Over a hundred, the longest waiting goes.
func (b *Book) Pend(ctx context.Context, w Pending) error {
	if w.Tool == "" || !policy.IsDigest(w.Digest) {
		return fmt.Errorf("a pending call needs a tool and a digest, not %q and %q", w.Tool, w.Digest)
	}
	v, err := b.view(true)
	if err != nil {
		return err
	}
	now := tidyTime(b.now())
	if i := v.page.waits(w.Tool, w.Digest); i >= 0 && now.Sub(v.page.Pending[i].Last) < sameAsk {
		return nil
	}
	w.Arguments = cut(w.Arguments, maxArguments)
	w.First, w.Last, w.Count = now, now, 1
	err = b.change(ctx, func(p *page) error {
		if i := p.waits(w.Tool, w.Digest); i >= 0 {
			if old := &p.Pending[i]; now.Sub(old.Last) < sameAsk {
				return errUnchanged // another process was faster
			} else {
				old.Last, old.Count = now, old.Count+1
			}
			return nil
		}
		p.Pending = append(p.Pending, w)
		p.Pending = p.Pending[max(0, len(p.Pending)-maxPending):]
		return nil
	})
	if errors.Is(err, errUnchanged) {
		return nil
	}
	return err
}

var errUnchanged = errors.New("nothing to write")

// cut shortens text to n bytes, between two characters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// change changes the workspace's page as it is in the file now.
func (b *Book) change(ctx context.Context, do func(*page) error) error {
	var f file
	err := b.home.Update(ctx, File, &f, func() error {
		p, err := f.at(b.workspace)
		if err == nil {
			err = do(p)
		}
		f.tidy(b.now())
		return err
	})
	switch {
	case err == nil:
		b.last.Store(nil) // in a stamp's last digit the change might not show
		return nil
	case errors.Is(err, ErrSpent), errors.Is(err, errUnchanged), errors.As(err, new(*refusal)):
		return err
	}
	return fmt.Errorf("write the approvals: %w", err)
}
