// Package approval keeps what an operator has allowed and denied, and what
// waits for him, in one file of the home directory. Nothing of it is ever read
// from a workspace: a cloned repo does not carry its own approvals.
package approval

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/teaagent/teaagent/mcp/policy"
)

// File is the file's name in the home directory.
const File = "approvals.json"

// What one workspace may have, and what all may.
const (
	maxGrants     = 1000
	maxPending    = 100
	maxSpent      = 10_000
	maxWorkspaces = 1000
	maxArguments  = 16 << 10 // bytes of a pending call's
)

// keepExpired is how long an expired grant stays in the file, so that whoever
// wonders why it no longer counts finds it in the list.
const keepExpired = 7 * 24 * time.Hour

// sameAsk is how long a call that waits is not written again when it is asked
// for again: a client that tries in a loop costs no writes.
const sameAsk = time.Minute

// ErrSpent says that a grant no longer counts: used up, expired, revoked or
// changed since it was read. Whoever gets it judges the call again.
var ErrSpent = errors.New("the grant is used up, expired or revoked")

// Pending is a call that nothing let pass, and that an operator may approve.
type Pending struct {
	Tool      string    `json:"tool"`
	Digest    string    `json:"digest"`
	Rule      string    `json:"rule"`      // what kept it from passing
	Arguments string    `json:"arguments"` // for people: redacted, perhaps cut
	First     time.Time `json:"first"`
	Last      time.Time `json:"last"`
	Count     int       `json:"count"` // asks; those within a minute of the last count once
}

// Snapshot is what the file has about one workspace.
type Snapshot struct {
	Workspace string         `json:"workspace"` // its canonical path
	Pending   []Pending      `json:"pending"`   // the longest waiting first
	Grants    []policy.Grant `json:"grants"`    // expired ones too, for a week
}

// Preapproval is one call that the server's command line allows once.
type Preapproval struct{ Tool, Digest string }

// ParsePreapproval reads TOOL:SHA256.
func ParsePreapproval(s string) (Preapproval, error) {
	tool, digest, found := strings.Cut(s, ":")
	switch {
	case !found || tool == "":
		return Preapproval{}, fmt.Errorf("%q is not TOOL:SHA256, like write_file:%s…; a dry run of the call, and its refusal, tell the digest", s, strings.Repeat("0", 8))
	case !policy.IsDigest(digest):
		return Preapproval{}, fmt.Errorf("%q: what follows the colon must be the call's whole digest, 64 lower-case hexadecimal digits, and not %d characters; a dry run of the call, and its refusal, tell it", s, len(digest))
	}
	return Preapproval{tool, digest}, nil
}

func (p Preapproval) String() string { return p.Tool + ":" + p.Digest }

// flagID is the id of the grants that preapprovals are.
const flagID = "flag"

func (p Preapproval) grant() policy.Grant {
	return policy.Grant{ID: flagID, Effect: policy.Allows, Tool: p.Tool, Digest: p.Digest, Uses: 1, Note: "from the server's command line"}
}
