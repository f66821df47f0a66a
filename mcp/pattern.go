package mcp

import (
	"maps"
	"regexp"
	"sync"
	"sync/atomic"
)

// Pattern is JSON Schema's pattern: shown is the spec's regular expression, in
// ECMA's syntax, and re the same in Go's; the generator translates what it lets
// a spec write. It matches anywhere in the text.
func Pattern(shown, re string) Rule { return Rule{kind: rulePattern, name: re, shown: shown} }

// patterns holds what was compiled, each at its first use, so that a server
// with many patterns starts as fast as one without. The map is replaced, never
// changed: a look-up takes no lock.
var (
	patterns     atomic.Pointer[map[string]*regexp.Regexp]
	patternsLock sync.Mutex
)

func matches(re, s string) bool {
	if known := patterns.Load(); known != nil {
		if p := (*known)[re]; p != nil {
			return p.MatchString(s)
		}
	}
	p := regexp.MustCompile(re)
	patternsLock.Lock()
	defer patternsLock.Unlock()
	next := map[string]*regexp.Regexp{}
	if known := patterns.Load(); known != nil {
		maps.Copy(next, *known)
	}
	next[re] = p
	patterns.Store(&next)
	return p.MatchString(s)
}
