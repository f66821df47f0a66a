package approval

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/teaagent/teaagent/mcp/internal/store"
	"github.com/teaagent/teaagent/mcp/policy"
)

var (
	ctx   = context.Background()
	noon  = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	call1 = strings.Repeat("a1", 32)
	call2 = strings.Repeat("a1", 31) + "b2"
	call3 = strings.Repeat("c3", 32)
)

// clock is a time that stands still.
type clock struct {
	time.Time
	looks time.Duration // how often the file may have been looked at
}

func (c *clock) pass(d time.Duration) { c.Time = c.Add(d) }

func newHome(t testing.TB) *store.Home {
	t.Helper()
	return homeIn(t, t.TempDir())
}

func homeIn(t testing.TB, dir string) *store.Home {
	t.Helper()
	home, err := store.Open(func(name string) string {
		if name == "TEAAGENT_HOME" {
			return dir
		}
		return ""
	})
	if err != nil {
		t.Fatal(err)
	}
	return home
}

// newBook returns the book of /w in a home, at noon.
func newBook(home *store.Home, flags ...Preapproval) (*Book, *clock) {
	c := &clock{Time: noon}
	b := Open(home, "/w", flags)
	b.now = func() time.Time { return c.Time }
	b.tick = func() time.Time { c.looks++; return c.Time.Add(c.looks * time.Millisecond) }
	return b, c
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// ids returns what Grants(true) has, in short.
func ids(t *testing.T, b *Book) string {
	t.Helper()
	var all []string
	for _, g := range must[[]policy.Grant](t)(b.Grants(true)) {
		all = append(all, fmt.Sprintf("%s %s %.4s%s %d", g.Effect, g.Tool, g.Digest, strings.Join(g.Paths, ","), g.Uses))
	}
	return strings.Join(all, "; ")
}

func text(t *testing.T, home *store.Home) string {
	t.Helper()
	return string(must[[]byte](t)(os.ReadFile(home.Path(File))))
}

func TestApproveThenSpend(t *testing.T) {
	home := newHome(t)
	operator, _ := newBook(home)
	server, _ := newBook(home)
	if got := ids(t, server); got != "" {
		t.Fatalf("grants of a home without the file: %s", got)
	}
	if err := server.Pend(ctx, Pending{Tool: "rm", Digest: call1, Rule: "mode:prompt", Arguments: `{"path":"x"}`}); err != nil {
		t.Fatal(err)
	}
	waiting := must[Snapshot](t)(operator.Snapshot())
	if len(waiting.Pending) != 1 || waiting.Workspace != "/w" || waiting.Pending[0] != (Pending{"rm", call1, "mode:prompt", `{"path":"x"}`, noon, noon, 1}) {
		t.Fatalf("waiting: %+v", waiting)
	}
	g := must[policy.Grant](t)(operator.Approve(ctx, "A1A1a1", 1, noon.Add(time.Hour), "ok"))
	if !isID(g.ID) || g.Tool != "rm" || g.Digest != call1 || g.Uses != 1 || !g.Created.Equal(noon) || !g.Expires.Equal(noon.Add(time.Hour)) || g.Note != "ok" {
		t.Errorf("approved: %+v", g)
	}
	if s := must[Snapshot](t)(operator.Snapshot()); len(s.Pending) != 0 {
		t.Errorf("it still waits: %+v", s.Pending)
	}
	grants := must[[]policy.Grant](t)(server.Grants(true))
	if len(grants) != 1 {
		t.Fatalf("the server does not see it: %+v", grants)
	}
	if err := server.Spend(ctx, &grants[0]); err != nil {
		t.Fatal(err)
	}
	if err := server.Spend(ctx, &grants[0]); !errors.Is(err, ErrSpent) {
		t.Errorf("spent twice: %v", err)
	}
	if err := operator.Spend(ctx, &grants[0]); !errors.Is(err, ErrSpent) {
		t.Errorf("spent twice, elsewhere: %v", err)
	}
	if got := must[[]policy.Grant](t)(server.Grants(false)); len(got) != 0 {
		t.Errorf("the server that spent it still has %+v", got)
	}
}

func TestSpendCountsDown(t *testing.T) {
	b, clock := newBook(newHome(t))
	must[policy.Grant](t)(b.Add(ctx, policy.Grant{Effect: policy.Allows, Tool: "rm", Uses: 3, Expires: noon.Add(time.Hour)}))
	first := must[[]policy.Grant](t)(b.Grants(true))[0]
	for _, left := range []string{"allow rm  2", "allow rm  1", ""} {
		// Whoever read it when it had three uses can still spend the last.
		if err := b.Spend(ctx, &first); err != nil {
			t.Fatal(err)
		}
		if got := ids(t, b); got != left {
			t.Errorf("left is %q, want %q", got, left)
		}
	}
	if err := b.Spend(ctx, &first); !errors.Is(err, ErrSpent) {
		t.Errorf("a fourth use: %v", err)
	}
	must[policy.Grant](t)(b.Add(ctx, policy.Grant{Effect: policy.Allows, Tool: "rm", Uses: 1, Expires: noon.Add(time.Hour)}))
	g := must[[]policy.Grant](t)(b.Grants(true))[0]
	clock.pass(time.Hour)
	if err := b.Spend(ctx, &g); !errors.Is(err, ErrSpent) {
		t.Errorf("spent when it had expired: %v", err)
	}
}

// A grant for any number of calls is looked up again, and nothing is written.
func TestSpendUnlimited(t *testing.T) {
	home := newHome(t)
	b, clock := newBook(home)
	operator, _ := newBook(home)
	add := func() policy.Grant {
		must[policy.Grant](t)(operator.Add(ctx, policy.Grant{Effect: policy.Allows, Tool: "rm", Paths: []string{"a/**"}, Expires: noon.Add(time.Hour)}))
		all := must[[]policy.Grant](t)(b.Grants(true))
		return all[len(all)-1]
	}
	g := add()
	before := must[store.Stamp](t)(home.Stamp(File))
	for range 3 {
		if err := b.Spend(ctx, &g); err != nil {
			t.Fatal(err)
		}
	}
	if after := must[store.Stamp](t)(home.Stamp(File)); after != before {
		t.Error("it was written")
	}
	must[Revoked](t)(operator.Revoke(ctx, g.ID))
	if err := b.Spend(ctx, &g); !errors.Is(err, ErrSpent) {
		t.Errorf("spent when it was revoked: %v", err)
	}
	g = add()
	must[int](t)(0, os.WriteFile(home.Path(File), []byte(strings.Replace(text(t, home), "a/**", "b/**", 1)), 0o600))
	if err := b.Spend(ctx, &g); !errors.Is(err, ErrSpent) {
		t.Errorf("spent when its paths were others: %v", err)
	}
	g = add()
	clock.pass(time.Hour)
	if err := b.Spend(ctx, &g); !errors.Is(err, ErrSpent) {
		t.Errorf("spent when it had expired: %v", err)
	}
}

// The command line's preapprovals count once, whatever is started again.
func TestPreapproval(t *testing.T) {
	home := newHome(t)
	flags := []Preapproval{{"rm", call1}, {"mv", call2}, {"rm", call1}}
	b, _ := newBook(home, flags...)
	if got := ids(t, b); got != "allow rm a1a1 1; allow mv a1a1 1" {
		t.Fatalf("grants: %s", got)
	}
	g := must[[]policy.Grant](t)(b.Grants(false))[0]
	d := policy.Judge(policy.Prompt, policy.Tool{Name: "rm", Tier: 3}, policy.Call{Digest: func() string { return call1 }}, []policy.Grant{g}, noon)
	if d.Verdict != policy.Allowed || d.Rule != "grant:flag" {
		t.Errorf("judged %+v", d)
	}
	if err := b.Spend(ctx, &g); err != nil {
		t.Fatal(err)
	}
	again, _ := newBook(home, flags...)
	if got := ids(t, again); got != "allow mv a1a1 1" {
		t.Errorf("after a restart: %s", got)
	}
	if err := again.Spend(ctx, &g); !errors.Is(err, ErrSpent) {
		t.Errorf("spent again: %v", err)
	}
	elsewhere := Open(home, "/other", flags)
	if got := ids(t, elsewhere); got != "allow rm a1a1 1; allow mv a1a1 1" {
		t.Errorf("in another workspace: %s", got)
	}
	// Who wants it again approves it.
	must[policy.Grant](t)(again.Approve(ctx, "rm:"+call1, 1, time.Time{}, ""))
	if got := ids(t, again); got != "allow rm a1a1 1; allow mv a1a1 1" {
		t.Errorf("approved by hand: %s", got)
	}
}

func TestParsePreapproval(t *testing.T) {
	if got := must[Preapproval](t)(ParsePreapproval("ns.rm:" + call1)); got != (Preapproval{"ns.rm", call1}) {
		t.Errorf("got %+v", got)
	}
	for _, bad := range []string{"", "rm", ":" + call1, "rm:", "rm:abc", "rm:" + strings.ToUpper(call1), "rm:" + call1 + "0", "rm:" + call1 + "\n", "rm: " + call1, "a:b:" + call1} {
		_, err := ParsePreapproval(bad)
		if err == nil || !strings.Contains(err.Error(), "dry run") || !strings.Contains(err.Error(), fmt.Sprintf("%q", bad)) {
			t.Errorf("%q: error is %v", bad, err)
		}
	}
}

func TestPendWritesSeldom(t *testing.T) {
	home := newHome(t)
	b, clock := newBook(home)
	pend := func() store.Stamp {
		t.Helper()
		if err := b.Pend(ctx, Pending{Tool: "rm", Digest: call1, Arguments: strings.Repeat("é", maxArguments)}); err != nil {
			t.Fatal(err)
		}
		return must[store.Stamp](t)(home.Stamp(File))
	}
	first := pend()
	for range 5 {
		if pend() != first {
			t.Fatal("the same call within the same minute was written again")
		}
	}
	clock.pass(time.Minute)
	pend()
	p := must[Snapshot](t)(b.Snapshot()).Pending
	if len(p) != 1 || p[0].Count != 2 || !p[0].First.Equal(noon) || !p[0].Last.Equal(noon.Add(time.Minute)) {
		t.Errorf("after a minute: %d, %+v", len(p), p[0])
	}
	if a := p[0].Arguments; len(a) > maxArguments+3 || !strings.HasSuffix(a, "é…") {
		t.Errorf("arguments have %d bytes and end with %q", len(a), a[len(a)-6:])
	}
}

func TestPendIsBounded(t *testing.T) {
	b, _ := newBook(newHome(t))
	digest := func(i int) string { return fmt.Sprintf("%064x", i) }
	for i := range maxPending + 2 {
		if err := b.Pend(ctx, Pending{Tool: "rm", Digest: digest(i)}); err != nil {
			t.Fatal(err)
		}
	}
	p := must[Snapshot](t)(b.Snapshot()).Pending
	if len(p) != maxPending || p[0].Digest != digest(2) || p[maxPending-1].Digest != digest(maxPending+1) {
		t.Errorf("%d wait, from %s to %s", len(p), p[0].Digest, p[len(p)-1].Digest)
	}
	for _, bad := range []Pending{{Tool: "rm", Digest: "abc"}, {Digest: call1}} {
		if err := b.Pend(ctx, bad); err == nil {
			t.Errorf("%+v is taken, and nobody could read the file again", bad)
		}
	}
}

// What changed is seen, and what has not costs one look at most.
func TestGrantsFresh(t *testing.T) {
	home := newHome(t)
	b, _ := newBook(home)
	at := time.Now()
	b.tick = func() time.Time { return at }
	ids(t, b)
	other, _ := newBook(home)
	must[policy.Grant](t)(other.Add(ctx, policy.Grant{Effect: policy.Denies, Tool: "*"}))
	if got := ids(t, b); got != "" {
		t.Errorf("looked again within a millisecond: %q", got)
	}
	at = at.Add(time.Millisecond)
	if got := must[[]policy.Grant](t)(b.Grants(false)); len(got) != 0 {
		t.Errorf("not fresh, and it has read the file: %+v", got)
	}
	if got := ids(t, b); got != "deny *  0" {
		t.Errorf("fresh: %q", got)
	}
	one, two := must[[]policy.Grant](t)(b.Grants(true)), must[[]policy.Grant](t)(b.Grants(true))
	if &one[0] != &two[0] {
		t.Error("read again though nothing changed")
	}
	if n := testing.AllocsPerRun(100, func() { b.Grants(false) }); n != 0 {
		t.Errorf("what was read costs %v allocations", n)
	}
}

func BenchmarkGrantsFresh(b *testing.B) {
	book, _ := newBook(newHome(b))
	book.Add(ctx, policy.Grant{Effect: policy.Denies, Tool: "rm"})
	b.ReportAllocs()
	for b.Loop() {
		book.Grants(true)
	}
}

func BenchmarkSpend(b *testing.B) {
	book, _ := newBook(newHome(b))
	book.Add(ctx, policy.Grant{Effect: policy.Allows, Tool: "rm", Uses: 1 << 30})
	grants, _ := book.Grants(true)
	for b.Loop() {
		if err := book.Spend(ctx, &grants[0]); err != nil {
			b.Fatal(err)
		}
	}
}
