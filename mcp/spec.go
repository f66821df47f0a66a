// Package mcp is the runtime of generated Model Context Protocol servers: it
// reads frames, decodes and checks arguments, guards, runs handlers and
// answers. Generated code and the handlers beside it import this package and
// nothing below it.
package mcp

import (
	"fmt"
	"time"
)

// GeneratedV1 is the handshake between generated code and this package:
// generated files refer to it, so that code from a newer generator does not
// compile against an older runtime.
const GeneratedV1 = 1

// Server is what the specs say about a server. H is the interface of all its
// handlers; it ties the generated dispatch to the bodies at compile time.
// Every part is static data: a server of 1000 tools starts like one of 10.
type Server[H any] struct {
	Info
	Categories []Category[H]
}

// Info describes a server to its clients and operators.
type Info struct {
	Name         string // as in serverInfo.name
	Prefix       string // what every tool's name starts with, without the underscore
	Title        string
	Version      string
	Description  string
	Instructions string // told to the model by initialize
	Readme       string // where a person reads on; shown when a variable is missing
	Env          []EnvVar
	Resources    bool               // the handlers serve resources, too: see Resources
	Templates    []ResourceTemplate // of those that can be read without being listed
}

// EnvVar is an environment variable that the server or some of its tools read.
type EnvVar struct {
	Name        string
	Description string
	Required    bool // the server does not start without it
	Secret      bool // its value is masked wherever it would appear
}

// Category is one spec file's tools with their dispatch.
type Category[H any] struct {
	Name        string
	Description string
	Specs       []Spec
	// Schemas is the embedded bundle: a JSON object with one line per tool, in
	// the order of Specs: "name": {"input": …} with "output" where the tool
	// declares a result.
	Schemas *string
	// Call decodes the arguments of Specs[tool], admits the call, and runs its body.
	Call func(c *Call, h H, tool int)
}

// Spec is what a tool's spec says beside its arguments.
type Spec struct {
	Name            string
	Title           string
	Description     string
	Usage           string // joined to Description on the wire
	Destructive     bool
	RequiresConfirm bool
	ReadOnly        bool
	Idempotent      bool
	Stateful        bool
	OpenWorld       bool
	Tier            Tier
	Workspace       Access
	Auth            []string // environment variables the tool needs
	RateLimit       RateLimit
	Timeout         time.Duration // 0 means DefaultTimeout
}

// DefaultTimeout bounds a call whose spec states no timeoutSeconds.
const DefaultTimeout = 60 * time.Second

// RateLimit allows MaxCalls in every Window; the zero value allows any number.
type RateLimit struct {
	MaxCalls int
	Window   time.Duration
}

// Tier says how far a tool's effects reach.
type Tier uint8

const (
	TierLow      Tier = iota + 1 // reads only, no outside effect
	TierMedium                   // writes in the workspace
	TierHigh                     // reaches external systems, or runs commands
	TierCritical                 // irreversible, or production
)

var tierNames = [...]string{TierLow: "Low", TierMedium: "Medium", TierHigh: "High", TierCritical: "Critical"}

// String returns the tier as specs write it.
func (t Tier) String() string {
	if t < TierLow || t > TierCritical {
		return fmt.Sprintf("Tier(%d)", uint8(t))
	}
	return tierNames[t]
}

// ParseTier returns the tier that specs write as name; it is case-sensitive.
func ParseTier(name string) (Tier, bool) {
	for t := TierLow; t <= TierCritical; t++ {
		if tierNames[t] == name {
			return t, true
		}
	}
	return 0, false
}

// Access is what a tool may do with the workspace root.
type Access uint8

const (
	AccessNone  Access = iota // the tool does not touch the workspace
	AccessRead                // its handler gets a root that refuses writes
	AccessWrite               // its first call takes the workspace lock
)

// String returns the access as specs write it.
func (a Access) String() string { return [...]string{"none", "read", "write"}[a] }
