// Package grep searches texts line by line for a regular expression.
package grep

import (
	"regexp"
	"regexp/syntax"
	"slices"

	"github.com/teaagent/teaagent/mcp"
)

// Options say how a pattern is read.
type Options struct {
	Literal    bool // the pattern is a text, not an expression
	IgnoreCase bool
}

// Pattern is what is searched for. It can be used by many searches at once.
type Pattern struct {
	// inText finds a match in a text of many lines, and none that reaches
	// beyond its line; inLine says whether a line without its end matches.
	inText, inLine *regexp.Regexp

	needles []needle // every match contains one of these; nil if that is not known
	plain   bool     // the one needle is the whole pattern
}

// maxProgram bounds the steps per byte of a text. Patterns that people write
// have a few dozen instructions.
const maxProgram = 2000

// Compile reads an expression in the syntax of Go's regexp package (RE2), or
// says what is wrong with it. "^" and "$" stand for the ends of a line, and no
// match contains a line break.
func Compile(pattern string, o Options) (*Pattern, error) {
	flags := syntax.Perl
	if o.Literal {
		flags = syntax.Literal
	}
	if o.IgnoreCase {
		flags |= syntax.FoldCase
	}
	tree, err := syntax.Parse(pattern, flags)
	if err != nil {
		return nil, mcp.Errorf("INVALID_PATTERN", "%w; with literal=true the pattern is taken as a text", err)
	}
	if !keepToLines(tree, false) {
		return nil, mcp.Errorf("INVALID_PATTERN", "the pattern asks for a line break; lines are searched one by one")
	}
	p := &Pattern{}
	if p.inLine, err = compile(tree); err != nil {
		return nil, err
	}
	p.needles = needlesOf(tree.Simplify())
	p.plain = tree.Op == syntax.OpLiteral && len(p.needles) == 1 && !p.needles[0].fold && p.needles[0].text == string(tree.Rune)
	keepToLines(tree, true)
	if p.inText, err = compile(tree); err != nil {
		return nil, err
	}
	return p, nil
}

func compile(tree *syntax.Regexp) (*regexp.Regexp, error) {
	text := tree.String()
	again, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, mcp.Errorf("INVALID_PATTERN", "%w", err)
	}
	program, err := syntax.Compile(again.Simplify())
	if err != nil {
		return nil, mcp.Errorf("INVALID_PATTERN", "%w", err)
	}
	if len(program.Inst) > maxProgram {
		return nil, mcp.Errorf("INVALID_PATTERN", "the pattern is too complex: repeat less in it")
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, mcp.Errorf("INVALID_PATTERN", "%w", err)
	}
	return re, nil
}

// keepToLines changes an expression so that it searches a text of many lines as
// it would search each line: nothing in it matches a line break, and what
// stands for the ends of a text stands for those of a line. If crlf is set, "$"
// also matches before "\r\n", whose "\r" is then part of the match. It reports
// false if the expression asks for a line break.
func keepToLines(re *syntax.Regexp, crlf bool) bool {
	switch re.Op {
	case syntax.OpLiteral:
		return !slices.Contains(re.Rune, '\n')
	case syntax.OpAnyChar:
		re.Op = syntax.OpAnyCharNotNL
	case syntax.OpCharClass:
		re.Rune = withoutBreak(re.Rune)
		return len(re.Rune) > 0
	case syntax.OpBeginText:
		re.Op = syntax.OpBeginLine
	case syntax.OpEndText, syntax.OpEndLine:
		*re = syntax.Regexp{Op: syntax.OpEndLine}
		if crlf {
			end := *re
			cr := &syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune{'\r'}}
			*re = syntax.Regexp{Op: syntax.OpConcat, Sub: []*syntax.Regexp{
				{Op: syntax.OpQuest, Sub: []*syntax.Regexp{cr}}, &end,
			}}
		}
		return true
	}
	for _, sub := range re.Sub {
		if !keepToLines(sub, crlf) {
			return false
		}
	}
	return true
}

// withoutBreak takes the line feed out of a class's ranges.
func withoutBreak(ranges []rune) []rune {
	var kept []rune
	for i := 0; i < len(ranges); i += 2 {
		low, high := ranges[i], ranges[i+1]
		if low > '\n' || high < '\n' {
			kept = append(kept, low, high)
			continue
		}
		if low < '\n' {
			kept = append(kept, low, '\n'-1)
		}
		if high > '\n' {
			kept = append(kept, '\n'+1, high)
		}
	}
	return kept
}
