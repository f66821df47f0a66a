package approval

import (
	"strings"
	"testing"
	"time"

	"github.com/teaagent/teaagent/mcp/policy"
)

// waiting is a book in which three calls wait, two of which begin alike.
func waiting(t *testing.T) (*Book, *clock) {
	t.Helper()
	b, c := newBook(newHome(t))
	for _, digest := range []string{call1, call2, call3} {
		if err := b.Pend(ctx, Pending{Tool: "rm", Digest: digest}); err != nil {
			t.Fatal(err)
		}
	}
	return b, c
}

func wants(t *testing.T, what string, err error, part string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), part) {
		t.Errorf("%s: error is %v; want %q", what, err, part)
	}
}

func TestApproveNamesOneCall(t *testing.T) {
	b, _ := waiting(t)
	for which, part := range map[string]string{
		"a1a1a1":                "several pending calls",
		"c3c3":                  "at least 6 digits",
		"":                      "several pending calls",
		"dddddd":                `no pending call's digest begins with "dddddd"`,
		call1 + "0":             "no pending call's digest",
		"rm:c3c3c3":             "64 lower-case",
		":" + call1:             "is not TOOL:SHA256",
		"*:" + call1:            "only a grant that denies",
		strings.Repeat("d", 64): "no pending call's digest",
	} {
		_, err := b.Approve(ctx, which, 1, time.Time{}, "")
		wants(t, which, err, part)
	}
	_, err := b.Approve(ctx, call1, -1, time.Time{}, "")
	wants(t, "negative uses", err, "negative")
	if s := must[Snapshot](t)(b.Snapshot()); len(s.Grants) != 0 || len(s.Pending) != 3 {
		t.Errorf("refused approvals left %+v", s)
	}
	must[policy.Grant](t)(b.Approve(ctx, "c3c3c3", 0, time.Time{}, ""))
	must[policy.Grant](t)(b.Approve(ctx, "rm:"+call1, 2, time.Time{}, ""))
	if s := must[Snapshot](t)(b.Snapshot()); len(s.Pending) != 1 || s.Pending[0].Digest != call2 {
		t.Errorf("waiting: %+v", s.Pending)
	}
	if got := ids(t, b); got != "allow rm c3c3 0; allow rm a1a1 2" {
		t.Errorf("grants: %s", got)
	}
}

func TestDenyCall(t *testing.T) {
	b, _ := waiting(t)
	_, err := b.DenyCall(ctx, "a1a1a1", time.Time{}, "")
	wants(t, "ambiguous", err, "several")
	_, err = b.DenyCall(ctx, "dddddd", time.Time{}, "")
	wants(t, "none", err, "no pending call's digest")
	must[policy.Grant](t)(b.DenyCall(ctx, "c3c3c3", time.Time{}, ""))
	must[policy.Grant](t)(b.DenyCall(ctx, strings.Repeat("D", 64), time.Time{}, ""))
	if got := ids(t, b); got != "deny rm c3c3 0; deny * dddd 0" {
		t.Errorf("grants: %s", got)
	}
	if s := must[Snapshot](t)(b.Snapshot()); len(s.Pending) != 2 {
		t.Errorf("a denied call waits: %+v", s.Pending)
	}
}

func TestRevoke(t *testing.T) {
	b, _ := waiting(t)
	g := must[policy.Grant](t)(b.Add(ctx, policy.Grant{Effect: policy.Allows, Tool: "rm"}))
	deny := must[policy.Grant](t)(b.Add(ctx, policy.Grant{Effect: policy.Denies, Tool: "mv"}))
	for which, part := range map[string]string{
		"g-":       "several grants",
		"g-!":      `no grant "g-!"`,
		g.ID + "a": "no grant",
		"":         "several pending calls",
		"rm":       "no pending call's digest begins with \"rm\", and grants' ids begin with g-",
		"flag":     "grants' ids begin with g-",
	} {
		_, err := b.Revoke(ctx, which)
		wants(t, which, err, part)
	}
	if gone := must[Revoked](t)(b.Revoke(ctx, strings.ToUpper(g.ID[:8]))); gone.Grant == nil || gone.Grant.ID != g.ID || gone.Pending != nil {
		t.Errorf("revoked %+v", gone)
	}
	_, err := b.Revoke(ctx, deny.ID[:4])
	wants(t, "short id", err, "at least 6 characters")
	must[Revoked](t)(b.Revoke(ctx, deny.ID))
	if gone := must[Revoked](t)(b.Revoke(ctx, "c3c3c3")); gone.Pending == nil || gone.Pending.Digest != call3 || gone.Grant != nil {
		t.Errorf("dismissed %+v", gone)
	}
	if s := must[Snapshot](t)(b.Snapshot()); len(s.Pending) != 2 || len(s.Grants) != 0 {
		t.Errorf("left: %+v", s)
	}
}

func TestAddRefusesNonsense(t *testing.T) {
	b, _ := waiting(t)
	_, err := b.Add(ctx, policy.Grant{Effect: policy.Allows, Tool: "*"})
	wants(t, "allow all", err, "only a grant that denies")
	_, err = b.Add(ctx, policy.Grant{Effect: policy.Allows, Tool: "rm", Paths: []string{"../**"}})
	wants(t, "leads out", err, "matches nothing")
	if got := ids(t, b); got != "" {
		t.Errorf("grants: %s", got)
	}
}

// Expired grants can still be seen for a while; then any change drops them. A
// workspace of which nothing is left goes as well.
func TestExpiredGrantsGo(t *testing.T) {
	home := newHome(t)
	b, clock := newBook(home)
	must[policy.Grant](t)(b.Add(ctx, policy.Grant{Effect: policy.Allows, Tool: "rm", Expires: noon.Add(time.Hour)}))
	clock.pass(25 * time.Hour)
	other := Open(home, "/other", nil)
	other.now = b.now
	g := must[policy.Grant](t)(other.Add(ctx, policy.Grant{Effect: policy.Allows, Tool: "mv"}))
	if got := ids(t, b); got != "allow rm  0" {
		t.Errorf("a day later: %q", got)
	}
	if got := ids(t, other); got != "allow mv  0" {
		t.Errorf("the other workspace has %q", got)
	}
	clock.pass(keepExpired)
	must[Revoked](t)(other.Revoke(ctx, g.ID))
	if all := must[[]Snapshot](t)(All(home)); len(all) != 0 {
		t.Errorf("left: %+v", all)
	}
	must[policy.Grant](t)(other.Add(ctx, policy.Grant{Effect: policy.Allows, Tool: "mv"}))
	must[policy.Grant](t)(b.Add(ctx, policy.Grant{Effect: policy.Denies, Tool: "mv"}))
	all := must[[]Snapshot](t)(All(home))
	if len(all) != 2 || all[0].Workspace != "/other" || all[1].Workspace != "/w" || all[1].Grants[0].Effect != policy.Denies || all[0].Pending == nil {
		t.Errorf("all: %+v", all)
	}
}
