package spec

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"
)

// source is the text of one spec file, by lines.
type source struct {
	name  string // as in Pos.File
	text  string // without a byte order mark
	lines []int  // where each line starts

	mu sync.Mutex
	at *cursor // where Within was asked last
}

func newSource(name string, data []byte) *source {
	text := strings.TrimPrefix(string(data), "\ufeff")
	lines := []int{0}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			lines = append(lines, i+1)
		}
	}
	return &source{name: name, text: text, lines: lines}
}

// line returns the nth line, counted from 1, without its end.
func (s *source) line(n int) string {
	start, end := s.lines[n-1], len(s.text)
	if n < len(s.lines) {
		end = s.lines[n] - 1
	}
	return strings.TrimSuffix(s.text[start:end], "\r")
}

// unreadable reports the bytes that no YAML reader, or not every one, takes as
// they stand: invalid UTF-8, controls, and the line breaks of YAML 1.1, which
// would shift every place below them.
func (s *source) unreadable(report func(at Pos, message string)) bool {
	found := false
	line, col := 1, 1
	for i := 0; i < len(s.text); {
		r, size := utf8.DecodeRuneInString(s.text[i:])
		message := ""
		switch {
		case r == utf8.RuneError && size == 1:
			message = fmt.Sprintf("byte 0x%02X is not UTF-8; save the file as UTF-8", s.text[i])
		case r == '\r' && !strings.HasPrefix(s.text[i+1:], "\n"):
			message = "a carriage return without a line feed; end lines with a line feed"
		case r < ' ' && r != '\n' && r != '\t' && r != '\r', r >= 0x7f && r < 0xa0, r == 0x2028, r == 0x2029, r == 0xfeff, r == 0xfffe, r == 0xffff:
			message = fmt.Sprintf("the invisible character U+%04X; remove it, or write it as \"\\u%04X\" in double quotes", r, r)
		}
		if message != "" {
			found = true
			report(Pos{s.name, line, col, 1}, message)
		}
		i += size
		col++
		if r == '\n' {
			line, col = line+1, 1
		}
	}
	return found
}

// cursor finds places of a source. It is fast for places asked for in order,
// also on one very long line.
type cursor struct {
	src       *source
	line, col int
	off       int // of line and col, in text
	lineEnd   int
}

func (s *source) cursor() *cursor { return &cursor{src: s} }

// rest returns what the line has from the given place on; places outside the
// file are moved to its nearest one. The place it settled on is in c.
func (c *cursor) rest(line, col int) string {
	line = min(max(line, 1), len(c.src.lines))
	if line != c.line || col < c.col {
		c.line, c.col = line, 1
		c.off = c.src.lines[line-1]
		c.lineEnd = c.off + len(c.src.line(line))
	}
	for c.col < col && c.off < c.lineEnd {
		_, size := utf8.DecodeRuneInString(c.src.text[c.off:c.lineEnd])
		c.off += size
		c.col++
	}
	return c.src.text[c.off:c.lineEnd]
}

// place returns the Pos at line and col of the width that measure finds there.
func (c *cursor) place(line, col int, measure func(rest string) int) Pos {
	rest := c.rest(line, col)
	width := utf8.RuneCountInString(rest[:min(measure(rest), len(rest))])
	return Pos{c.src.name, c.line, c.col, max(width, 1)}
}

// wholeLine returns the place of what is written on a line.
func (s *source) wholeLine(n int) Pos {
	n = min(max(n, 1), len(s.lines))
	text := s.line(n)
	indent := len(text) - len(strings.TrimLeft(text, " \t"))
	width := utf8.RuneCountInString(strings.TrimSpace(text))
	return Pos{s.name, n, indent + 1, max(width, 1)}
}

// Within finds a part of the text at p, if it is written there as it reads.
// Rules use it to point at one word.
func (s *Set) Within(p Pos, part string) (Pos, bool) {
	src := s.sources[p.File]
	if src == nil || p.Line == 0 || part == "" {
		return Pos{}, false
	}
	src.mu.Lock()
	defer src.mu.Unlock()
	if src.at == nil {
		src.at = src.cursor()
	}
	rest := src.at.rest(p.Line, p.Col)
	rest = rest[:min(len(rest), 1<<16)] // many texts may share one very long line
	col := src.at.col
	indent := indentation(src.line(p.Line))
	for line := p.Line; ; {
		if before, _, ok := strings.Cut(rest, part); ok {
			return Pos{p.File, line, col + utf8.RuneCountInString(before), utf8.RuneCountInString(part)}, true
		}
		line++
		if line > len(src.lines) || line > p.Line+200 {
			return Pos{}, false
		}
		rest, col = src.line(line), 1
		if strings.TrimSpace(rest) != "" && indentation(rest) <= indent {
			return Pos{}, false // no longer the text that starts at p
		}
	}
}

// indentation is where a line's key starts, counting a list's dashes as space.
func indentation(line string) int {
	return len(line) - len(strings.TrimLeft(line, " -"))
}
