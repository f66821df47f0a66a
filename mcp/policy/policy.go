// Package policy decides what a permission mode allows. It is pure: a call's
// description goes in, a decision with the rule that made it comes out.
package policy

import "strings"

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
func (m Mode) String() string { return modeNames[m] }

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

// Tool is what the decision looks at.
type Tool struct {
	ReadOnly    bool
	Guarded     bool // destructive, or requires confirm
	AboveMedium bool // tier High or Critical
}

// Decision is the answer: allowed, or denied by Rule, with what would allow it.
type Decision struct {
	Allowed bool
	Rule    string // "mode:prompt"
	Cure    string // a sentence for whoever reads the denial
}

// Judge decides about a call under the mode. There is nobody to ask and there
// are no grants yet, so what a mode would ask about is denied.
func Judge(m Mode, t Tool) Decision {
	switch {
	case m == Allow || m == DangerFullAccess || t.ReadOnly:
		return Decision{Allowed: true}
	case m == ReadOnly:
		return Decision{Rule: "mode:read-only", Cure: "The server runs read-only; restart it with another --permission-mode to let it change anything."}
	case t.Guarded || t.AboveMedium:
		return Decision{Rule: "mode:" + m.String(), Cure: "Call it with dry_run=true to see what it would do, if it has that argument, or restart the server with --permission-mode allow."}
	}
	return Decision{Allowed: true}
}
