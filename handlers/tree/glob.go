package tree

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/teaagent/teaagent/mcp"
)

// Glob selects files by their path below the directory that a walk starts in:
//
//	*.go        files of that name at any depth: there is no slash
//	/*.go       only in the directory itself
//	src/*.go    in src
//	**/x/*.go   in any directory x
//	*.{c,h}     either
//	src/        whatever is in src, at any depth
//
// The zero Glob selects every file.
type Glob struct {
	alternatives []alternative
}

// alternative is one way through the braces of a glob.
type alternative struct {
	pattern  string
	baseOnly bool
	// Directories that can't lead to a match are not entered: the path's first
	// elements must match these. If there are no others, open is false.
	elements []string
	open     bool
}

// maxAlternatives bounds the time of a match, which doublestar would spend on
// every combination of braces.
const maxAlternatives = 64

// ParseGlob reads a glob, or says what is wrong with it.
func ParseGlob(pattern string) (Glob, error) {
	texts, ok := expand(pattern)
	if !ok {
		return Glob{}, mcp.Errorf("INVALID_PATTERN", `%q is not a glob: a brace or bracket is not closed, or its braces make more than %d patterns; \{ stands for a brace itself`, pattern, maxAlternatives)
	}
	var g Glob
	for _, text := range texts {
		a, err := parseAlternative(text)
		if err != nil {
			return Glob{}, err
		}
		g.alternatives = append(g.alternatives, a)
	}
	return g, nil
}

func parseAlternative(text string) (alternative, error) {
	rooted := strings.TrimPrefix(strings.TrimPrefix(text, "./"), "/")
	a := alternative{pattern: rooted, baseOnly: rooted == text && !strings.Contains(text, "/")}
	if strings.HasSuffix(a.pattern, "/") {
		a.pattern += "**"
	}
	if a.pattern == "" {
		return a, mcp.Errorf("INVALID_PATTERN", `%q selects nothing; "**" selects every file`, text)
	}
	if !doublestar.ValidatePattern(a.pattern) {
		return a, mcp.Errorf("INVALID_PATTERN", `%q is not a glob: a bracket is not closed, or a backslash escapes nothing; \[ stands for a bracket itself`, text)
	}
	a.elements = strings.Split(a.pattern, "/")
	for _, element := range a.elements {
		if element == ".." || element == "." {
			return a, mcp.Errorf("INVALID_PATTERN", "%q has %q in it: globs are matched with paths below the path argument, which have none", text, element)
		}
	}
	for i, element := range a.elements {
		if strings.Contains(element, "**") || strings.Contains(element, `\`) {
			a.elements, a.open = a.elements[:i], true
			break
		}
	}
	return a, nil
}

// Match reports whether the glob selects a file; rel is relative to where the
// walk starts.
func (g *Glob) Match(rel string) bool {
	if g.alternatives == nil {
		return true
	}
	base := path.Base(rel)
	for i := range g.alternatives {
		a := &g.alternatives[i]
		subject := rel
		if a.baseOnly {
			subject = base
		}
		if doublestar.MatchUnvalidated(a.pattern, subject) {
			return true
		}
	}
	return false
}

// Enter reports whether there may be a file below the directory that the glob
// selects.
func (g *Glob) Enter(rel string) bool {
	for i := range g.alternatives {
		if g.alternatives[i].enter(rel) {
			return true
		}
	}
	return g.alternatives == nil
}

func (a *alternative) enter(rel string) bool {
	if a.baseOnly {
		return true
	}
	n := 0
	for element := range strings.SplitSeq(rel, "/") {
		if n == len(a.elements) {
			return a.open
		}
		if !doublestar.MatchUnvalidated(a.elements[n], element) {
			return false
		}
		n++
	}
	return a.open || n < len(a.elements)
}

// expand writes a pattern without braces: a{b,c}d is abd and acd. ok is false
// if a brace is not closed, or there are too many patterns.
func expand(pattern string) (patterns []string, ok bool) {
	open := indexBare(pattern, "{")
	if open < 0 {
		return []string{pattern}, true
	}
	depth, start := 0, open+1
	var choices []string
	for i := start; ; i++ {
		next := indexBare(pattern[i:], "{,}")
		if next < 0 {
			return nil, false
		}
		i += next
		switch {
		case pattern[i] == '{':
			depth++
		case pattern[i] == '}' && depth > 0:
			depth--
		case pattern[i] == ',' && depth == 0:
			choices = append(choices, pattern[start:i])
			start = i + 1
		case pattern[i] == '}':
			for _, choice := range append(choices, pattern[start:i]) {
				more, ok := expand(pattern[:open] + choice + pattern[i+1:])
				if patterns = append(patterns, more...); !ok || len(patterns) > maxAlternatives {
					return nil, false
				}
			}
			return patterns, true
		}
	}
}

// indexBare returns the index of the first of some characters that is neither
// escaped nor in a bracket.
func indexBare(pattern, chars string) int {
	bracket := false
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == '[':
			bracket = true
		case c == ']':
			bracket = false
		case !bracket && strings.IndexByte(chars, c) >= 0:
			return i
		}
	}
	return -1
}
