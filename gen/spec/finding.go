package spec

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

func finding(rule string, at Pos, format string, args ...any) Finding {
	return Finding{Pos: at, Rule: rule, Severity: Error, Message: fmt.Sprintf(format, args...)}
}

// Error returns the finding on one line, safe to print:
//
//	specs/containers.yaml:14:18: description starts with "Lists"; write "List" [desc-imperative]
func (f Finding) Error() string {
	var b strings.Builder
	b.WriteString(visible(f.Pos.File))
	if f.Pos.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", f.Pos.Line, f.Pos.Col)
	}
	b.WriteString(": ")
	if f.Severity == Warning {
		b.WriteString("warning: ")
	}
	fmt.Fprintf(&b, "%s [%s]", visible(f.Message), f.Rule)
	return b.String()
}

// Sort orders findings by file, line, column and rule, in place, and returns
// them without duplicates.
func Sort(findings []Finding) []Finding {
	slices.SortFunc(findings, func(a, b Finding) int {
		return cmp.Or(
			strings.Compare(a.Pos.File, b.Pos.File),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col),
			strings.Compare(a.Rule, b.Rule),
			strings.Compare(a.Message, b.Message),
			cmp.Compare(a.Pos.Width, b.Pos.Width),
		)
	})
	return slices.Compact(findings)
}

// Format writes the findings in their order, each with the line of the spec
// that it is about and a caret under the place. What is echoed cannot control
// a terminal.
func (s *Set) Format(w io.Writer, findings []Finding) error {
	out := bufio.NewWriter(w)
	cursors := make(map[string]*cursor)
	for _, f := range findings {
		fmt.Fprintln(out, f.Error())
		src := s.sources[f.Pos.File]
		if src == nil || f.Pos.Line < 1 || f.Pos.Line > len(src.lines) {
			continue
		}
		if cursors[src.name] == nil {
			cursors[src.name] = src.cursor()
		}
		line, caret := excerpt(cursors[src.name], f.Pos)
		gutter := strconv.Itoa(f.Pos.Line)
		fmt.Fprintln(out, strings.TrimRight("  "+gutter+" | "+line, " "))
		fmt.Fprintf(out, "  %*s | %s\n", len(gutter), "", caret)
	}
	return out.Flush()
}

// An excerpt of a longer line shows this many characters before and after the
// start of a place.
const (
	excerptBefore = 80
	excerptAfter  = 80
)

// excerpt returns what to show of a place's line, and the carets under it.
func excerpt(c *cursor, p Pos) (line, caret string) {
	after := c.rest(p.Line, p.Col)
	before := c.src.text[c.src.lines[c.line-1]:c.off]
	var text, under strings.Builder

	start, most := len(before), excerptAfter
	if len(before)+len(after) <= excerptBefore+excerptAfter {
		start, most = 0, len(after)
	}
	for n := 0; n < excerptBefore && start > 0; n++ {
		_, size := utf8.DecodeLastRuneInString(before[:start])
		start -= size
	}
	if start > 0 {
		text.WriteString("…")
		under.WriteString(" ")
	}
	for _, r := range before[start:] {
		shown := visibleRune(r)
		text.WriteString(shown)
		under.WriteString(strings.Repeat(" ", utf8.RuneCountInString(shown)))
	}

	mark, n := "^", 0
	for _, r := range after {
		if n == most {
			text.WriteString("…")
			break
		}
		shown := visibleRune(r)
		text.WriteString(shown)
		for range shown {
			if n < p.Width {
				under.WriteString(mark)
				mark = "~"
			}
		}
		n++
	}
	if mark == "^" { // at the end of the line
		under.WriteString(mark)
	}
	return text.String(), under.String()
}

// visible returns text with everything that is not a printable character or a
// plain space written as an escape.
func visible(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r != ' ' && (r < ' ' || r > '~') }) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		b.WriteString(visibleRune(r))
	}
	return b.String()
}

func visibleRune(r rune) string {
	switch {
	case r == '\t':
		return "    "
	case strconv.IsPrint(r) && !Hidden(r):
		return string(r)
	case r > 0xffff:
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// quote returns text as a message shows it: in quotes, escaped, and cut if long.
func quote(text string) string {
	return strconv.Quote(cut(text))
}

// cut returns what a message has room for.
func cut(text string) string {
	const most = 60
	n := 0
	for i := range text {
		if n == most {
			return text[:i] + "…"
		}
		n++
	}
	return text
}

// HasErrors reports whether a finding is more than a warning.
func HasErrors(findings []Finding) bool {
	for _, f := range findings {
		if f.Severity == Error {
			return true
		}
	}
	return false
}
