// Package policy decides what a call may do. It is pure: a call's description,
// the permission mode and the grants go in, a decision with the rule that made
// it comes out.
package policy

import (
	"fmt"
	"strings"
	"time"
)

// Mode is how much an operator lets a server do without being asked.
type Mode uint8

const (
	Prompt           Mode = iota // the default: ask before what is destructive or reaches outside
	ReadOnly                     // nothing that changes anything
	WorkspaceWrite               // the workspace is free, everything above it needs a grant
	Allow                        // everything; commands run sandboxed
	DangerFullAccess             // everything; commands run as the user who started the server
)

var modeNames = [...]string{"prompt", "read-only", "workspace-write", "allow", "danger-full-access"}

// String returns the mode as the command line writes it.
func (m Mode) String() string {
	if int(m) >= len(modeNames) {
		return fmt.Sprintf("Mode(%d)", uint8(m))
	}
	return modeNames[m]
}

// rule names the mode as the rule of a decision: each call has one.
func (m Mode) rule() string {
	if int(m) >= len(modeRules) {
		return "mode:" + m.String()
	}
	return modeRules[m]
}

var modeRules = [...]string{"mode:prompt", "mode:read-only", "mode:workspace-write", "mode:allow", "mode:danger-full-access"}

// Names lists the modes for help and error texts.
func Names() string { return strings.Join(modeNames[:], ", ") }

// ParseMode returns the mode that the command line writes as name.
func ParseMode(name string) (Mode, bool) {
	for i, n := range modeNames {
		if n == name {
			return Mode(i), true
		}
	}
	return 0, false
}

// Tool is what a decision looks at in a tool's spec.
type Tool struct {
	Name        string
	Tier        uint8 // as mcp.Tier: 1 Low, 2 Medium, 3 High, 4 Critical
	ReadOnly    bool
	Destructive bool
}

// Verdict is what a decision comes to. The zero value lets nothing pass.
type Verdict uint8

const (
	Denied     Verdict = iota // nothing lets this call pass
	NeedsGrant                // a grant lets it pass; nobody is asked
	NeedsYes                  // a grant lets it pass, or a person's yes
	Allowed
)

// Decision is a verdict with the rule that made it.
type Decision struct {
	Verdict Verdict
	Rule    string // "mode:prompt", "grant:g-1f…", "deny:g-2c…"
	Grant   *Grant // what allowed the call, if a grant did
}

// Judge decides about a call. Grants that deny win in every mode; then the mode
// allows or forbids; what it leaves open is up to the other grants.
func Judge(m Mode, t Tool, c Call, grants []Grant, now time.Time) Decision {
	if d, denied := Deny(t, c, grants, now); denied {
		return d
	}
	decision := judgeMode(m, t)
	if c.Unconfined && decision.Verdict == Allowed && !t.ReadOnly && m != DangerFullAccess {
		// What the mode allows is a command in a sandbox.
		decision = Decision{Verdict: NeedsYes, Rule: "unconfined"}
		if m == WorkspaceWrite {
			decision.Verdict = NeedsGrant
		}
	}
	if decision.Verdict != NeedsGrant && decision.Verdict != NeedsYes {
		return decision
	}
	for i := range grants {
		g := &grants[i]
		if decision.Grant != nil && g.Uses > 0 || !g.admits(m, t, c, now) {
			continue
		}
		decision = Decision{Verdict: Allowed, Rule: "grant:" + g.ID, Grant: g}
		if g.Uses == 0 {
			break // none is used up
		}
	}
	return decision
}

// Deny looks only for grants that deny: all that a preview is asked, since it
// changes nothing.
func Deny(t Tool, c Call, grants []Grant, now time.Time) (Decision, bool) {
	for i := range grants {
		if g := &grants[i]; g.denies(t, c, now) {
			return Decision{Verdict: Denied, Rule: "deny:" + g.ID, Grant: g}, true
		}
	}
	return Decision{}, false
}

// judgeMode is the table of DESIGN 5:
//
//	                    Low   Medium   Medium, destructive   High, Critical
//	read-only           yes   no       no                    no
//	workspace-write     yes   yes      yes                   grant
//	prompt              yes   yes      ask                   ask
//	allow and danger…   yes   yes      yes                   yes
//
// A tool counts as Low only if it also says that it reads: lint holds specs to
// that, and a Spec written by hand does not get around it.
func judgeMode(m Mode, t Tool) Decision {
	const low, medium = 1, 2
	d := Decision{Rule: m.rule()}
	reads := t.Tier == low && t.ReadOnly && !t.Destructive
	within := t.Tier == low || t.Tier == medium
	switch {
	case reads, m == Allow, m == DangerFullAccess:
		d.Verdict = Allowed
	case m == ReadOnly:
		d.Verdict = Denied
	case within && (m == WorkspaceWrite || !t.Destructive):
		d.Verdict = Allowed
	case m == WorkspaceWrite:
		d.Verdict = NeedsGrant
	case m == Prompt:
		d.Verdict = NeedsYes
	}
	return d
}
