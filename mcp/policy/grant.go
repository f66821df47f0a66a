package policy

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
)

// Effect is what a grant does to the calls that it covers.
type Effect string

const (
	Allows Effect = "allow"
	Denies Effect = "deny"
)

// Grant is an operator's word about calls of one tool in one workspace. It
// covers either one call exactly, by Digest, or those within its Paths and
// Commands.
type Grant struct {
	ID     string `json:"id"`
	Effect Effect `json:"effect"`
	// Tool is a tool's whole name. A grant that denies may have "*": every tool.
	Tool   string `json:"tool"`
	Digest string `json:"digest,omitempty"` // see Digest
	// Paths are globs: * does not cross a slash, ** does. A grant that allows
	// covers a call if every path in it matches one of them; one that denies if
	// any does, or if it has neither Paths nor Commands.
	Paths []string `json:"paths,omitempty"`
	// Commands are the first words of commands: ["git","log"] covers git log -1,
	// and never a shell's line.
	Commands [][]string `json:"commands,omitempty"`
	Modes    []string   `json:"modes,omitempty"`  // the modes in which it counts; all if empty
	Expires  time.Time  `json:"expires,omitzero"` // from then on it does not count; never if zero
	Uses     int        `json:"uses,omitempty"`   // calls that are left; any number if 0
	Created  time.Time  `json:"created,omitzero"`
	Note     string     `json:"note,omitempty"`
}

// Call is what a decision looks at in a call.
type Call struct {
	Digest   func() string // of its canonical JSON; asked for only where a grant has one
	Paths    []Path
	Commands [][]string // the words of each

	// Unconfined says that the call runs commands and that this machine does not
	// enforce all of what confines them.
	Unconfined bool
}

// Path is a path in a call's arguments, relative to the workspace and clean.
type Path struct {
	Spelled  string // as the call has it
	Resolved string // where it leads when the links on its way are followed
}

// Check says what is wrong with a grant, or nothing.
func (g *Grant) Check() error {
	switch {
	case g.Effect != Allows && g.Effect != Denies:
		return fmt.Errorf("effect %q is neither %q nor %q", g.Effect, Allows, Denies)
	case g.Tool == "":
		return fmt.Errorf("it names no tool")
	case g.Tool == "*" && g.Effect == Allows:
		return fmt.Errorf(`only a grant that denies may be for every tool ("*")`)
	case g.Digest != "" && !IsDigest(g.Digest):
		return fmt.Errorf("digest %q is not 64 lower-case hexadecimal digits", g.Digest)
	case g.Paths != nil && len(g.Paths) == 0, g.Commands != nil && len(g.Commands) == 0, g.Modes != nil && len(g.Modes) == 0:
		return fmt.Errorf("an empty list of paths, commands or modes says nothing; leave it out")
	case g.Digest != "" && (g.Paths != nil || g.Commands != nil):
		return fmt.Errorf("a digest covers one call exactly; paths and commands beside it mean nothing")
	case g.Uses < 0:
		return fmt.Errorf("uses is negative")
	case g.Effect == Denies && (g.Modes != nil || g.Uses != 0):
		return fmt.Errorf("a grant that denies counts in every mode and for every call; modes and uses mean nothing in it")
	}
	for _, glob := range g.Paths {
		if !doublestar.ValidatePattern(glob) || glob == "" || strings.HasPrefix(glob, "/") {
			return fmt.Errorf("path %q is not a glob relative to the workspace", glob)
		}
		// doublestar's classes match a slash too: v[!0]x would cover v/x.
		if hasClass(glob) {
			return fmt.Errorf(`path %q has a [class]; write {a,b} for one of several, and \[ for a bracket in a name`, glob)
		}
		// Calls' paths are clean, so it would match none, and deny nothing unnoticed.
		if path.Clean(glob) != glob || slices.Contains(strings.Split(glob, "/"), "..") {
			return fmt.Errorf(`path %q matches nothing: write it from the workspace's root, without ".", "..", "//" and a slash at its end`, glob)
		}
	}
	for _, words := range g.Commands {
		if len(words) == 0 || slices.Contains(words, "") {
			return fmt.Errorf("a command without words covers nothing")
		}
	}
	for _, name := range g.Modes {
		if _, ok := ParseMode(name); !ok {
			return fmt.Errorf("there is no mode %q; choose from %s", name, Names())
		}
	}
	return nil
}

func hasClass(glob string) bool {
	escaped := false
	return strings.ContainsFunc(glob, func(r rune) bool {
		class := r == '[' && !escaped
		escaped = r == '\\' && !escaped
		return class
	})
}

// IsDigest reports whether a text can be what Digest returns.
func IsDigest(s string) bool {
	return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == ""
}

// admits reports whether the grant lets the call pass. What it can't compare it
// does not cover.
func (g *Grant) admits(m Mode, t Tool, c Call, now time.Time) bool {
	if g.Effect != Allows || g.Tool != t.Name || !g.Counts(now) {
		return false
	}
	if len(g.Modes) > 0 && !slices.Contains(g.Modes, m.String()) {
		return false
	}
	if g.Digest != "" {
		return g.Digest == c.Digest()
	}
	if (len(g.Paths) == 0) != (len(c.Paths) == 0) || (len(g.Commands) == 0) != (len(c.Commands) == 0) {
		return false
	}
	for _, p := range c.Paths {
		if !g.covers(p.Spelled) || !g.covers(p.Resolved) {
			return false
		}
	}
	for _, words := range c.Commands {
		if !g.begins(words) {
			return false
		}
	}
	return true
}

// denies reports whether the grant forbids the call, in whatever mode.
func (g *Grant) denies(t Tool, c Call, now time.Time) bool {
	if g.Effect != Denies || g.Tool != t.Name && g.Tool != "*" || !g.Counts(now) {
		return false
	}
	if g.Digest != "" {
		return g.Digest == c.Digest()
	}
	if len(g.Paths) == 0 && len(g.Commands) == 0 {
		return true
	}
	return slices.ContainsFunc(c.Paths, func(p Path) bool { return g.covers(p.Spelled) || g.covers(p.Resolved) }) ||
		slices.ContainsFunc(c.Commands, g.begins)
}

// Counts reports whether the grant is in force: not expired, not used up.
func (g *Grant) Counts(now time.Time) bool {
	return (g.Expires.IsZero() || now.Before(g.Expires)) && g.Uses >= 0
}

// covers reports whether one of the grant's globs matches the path. A path that
// leads out of the workspace, or is unknown, is covered by none that allows.
func (g *Grant) covers(path string) bool {
	if g.Effect == Allows && !fs.ValidPath(path) {
		return false
	}
	return slices.ContainsFunc(g.Paths, func(glob string) bool { return Matches(glob, path, g.Effect == Denies) })
}

// Matches reports whether a glob of a grant matches a clean path. whenBroken is
// the answer for a glob that can't be read.
func Matches(glob, path string, whenBroken bool) bool {
	matched, err := doublestar.Match(glob, path)
	if err != nil {
		return whenBroken
	}
	return matched
}

// begins reports whether the command's first words are those of the grant. A
// text that a shell would take apart is one word, so it equals none of several.
func (g *Grant) begins(command []string) bool {
	return slices.ContainsFunc(g.Commands, func(words []string) bool {
		return len(command) >= len(words) && slices.Equal(command[:len(words)], words)
	})
}

// Below reports whether what a glob matches lies below a directory, as far as
// the glob's part before its first wildcard tells.
func Below(glob, dir string) bool {
	base, _ := doublestar.SplitPattern(glob)
	return dir == "." || base == dir || strings.HasPrefix(base, dir+"/")
}
