package grep

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
)

// Match is a line that matches, with its neighbours.
type Match struct {
	Line          int64 // counted from 1
	Text          string
	Before, After []string
}

// Size is what the match adds to an answer, in bytes.
func (m *Match) Size() int {
	size := len(m.Text) + 32
	for _, line := range m.Before {
		size += len(line) + 4
	}
	for _, line := range m.After {
		size += len(line) + 4
	}
	return size
}

// Search is one searcher's state: it can search many texts, one at a time, in
// the same memory.
//
// A text is read in windows of whole lines. In each:
//
//	needles? no: find a match in the window ▶ its line
//	         yes: find a needle ▶ its line ▶ does the line match?
//	line ▶ its number ▶ its neighbours, those of the next window included
type Search struct {
	Pattern *Pattern
	Context int   // lines to show before and after a match
	Skip    int64 // leave out the matches up to this line
	Max     int   // stop after so many matches
	MaxSize int   // stop when the matches add up to more bytes

	buf    []byte
	find   finder
	before []string // the last lines of the windows so far
	line   int64    // lines of the windows so far
	out    []Match
	size   int
	open   int // the first of out whose After is incomplete
}

var (
	// ErrBinary says that a text has a NUL byte.
	ErrBinary = errors.New("the file is binary")
	// ErrLongLine says that a line does not fit in memory.
	ErrLongLine = errors.New("a line is too long")
)

const (
	firstWindow = 64 << 10
	maxLine     = 1 << 20 // a window's size at most
	maxText     = 400     // bytes that are shown of a line
)

// Text returns the lines of r that match, at most Max and about MaxSize bytes
// of them.
func (s *Search) Text(ctx context.Context, r io.Reader) ([]Match, error) {
	s.before, s.line, s.out, s.size, s.open = s.before[:0], 0, nil, 0, 0
	if s.buf == nil {
		s.buf = make([]byte, firstWindow)
	}
	rest := 0 // bytes in buf that were read already: the start of a line
	for {
		n, err := readFull(r, s.buf[rest:])
		if err != nil && err != io.EOF {
			return nil, err
		}
		if bytes.IndexByte(s.buf[rest:rest+n], 0) >= 0 {
			return nil, ErrBinary
		}
		filled := rest + n
		window := s.buf[:filled]
		if err == nil {
			window = window[:bytes.LastIndexByte(window, '\n')+1]
			if len(window) == 0 {
				if len(s.buf) >= maxLine {
					return nil, ErrLongLine
				}
				s.buf = append(s.buf, make([]byte, len(s.buf))...)
				rest = filled
				continue
			}
		}
		if done := s.window(window); done || err == io.EOF {
			return s.out, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		rest = copy(s.buf, s.buf[len(window):filled])
	}
}

// readFull is io.ReadFull with io.EOF for every end.
func readFull(r io.Reader, p []byte) (n int, err error) {
	n, err = io.ReadFull(r, p)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}

// window searches whole lines; the last may be without its end. It reports
// whether the search is over.
func (s *Search) window(w []byte) (done bool) {
	s.continueAfter(w)
	if s.full() {
		return s.open == len(s.out)
	}
	p := s.Pattern
	useNeedles := p.needles != nil && s.find.reset(p.needles, w)
	number, counted := s.line, 0 // lines that end before w[counted]
	for pos := 0; pos < len(w); {
		var at int
		if useNeedles {
			at = s.find.from(pos)
		} else if loc := p.inText.FindIndex(w[pos:]); loc != nil {
			at = pos + loc[0]
		} else {
			at = -1
		}
		if at < 0 || at == len(w) && w[at-1] == '\n' { // the empty line behind the end is none
			break
		}
		start := pos + bytes.LastIndexByte(w[pos:at], '\n') + 1
		end := len(w)
		if i := bytes.IndexByte(w[at:], '\n'); i >= 0 {
			end = at + i
		}
		pos = end + 1
		line := trimEnd(w[start:end])
		if useNeedles && !p.plain || !useNeedles && len(line) < end-start {
			if !p.inLine.Match(line) {
				continue
			}
		}
		number += int64(bytes.Count(w[counted:start], newline))
		counted = start
		if number+1 <= s.Skip {
			continue
		}
		s.add(Match{Line: number + 1, Text: s.show(line), Before: s.linesBefore(w, start), After: s.linesAfter(w, pos)})
		if s.full() {
			break
		}
	}
	s.endWindow(w)
	return s.full() && s.open == len(s.out)
}

var newline = []byte{'\n'}

func (s *Search) add(m Match) {
	if s.open == len(s.out) && len(m.After) == s.Context {
		s.open++
	}
	s.out = append(s.out, m)
	s.size += m.Size()
}

func (s *Search) full() bool { return len(s.out) >= s.Max || s.size > s.MaxSize }

// endWindow keeps what the next window needs of this one.
func (s *Search) endWindow(w []byte) {
	s.line += int64(bytes.Count(w, newline))
	if s.Context > 0 {
		s.before = s.linesBefore(w, len(w))
	}
}

// linesBefore returns the Context lines before w[start], which is the start of
// a line, or fewer at the beginning of the text.
func (s *Search) linesBefore(w []byte, start int) []string {
	var lines []string
	for start > 0 && len(lines) < s.Context {
		end := start
		if w[end-1] == '\n' {
			end--
		}
		start = bytes.LastIndexByte(w[:end], '\n') + 1
		lines = append(lines, clip(trimEnd(w[start:end]), 0))
	}
	if missing := s.Context - len(lines); missing > 0 {
		for i := len(s.before) - 1; i >= 0 && missing > 0; i-- {
			lines = append(lines, s.before[i])
			missing--
		}
	}
	slices.Reverse(lines)
	return lines
}

// linesAfter returns the Context lines from w[start] on, or those that there are.
func (s *Search) linesAfter(w []byte, start int) []string {
	var lines []string
	for start < len(w) && len(lines) < s.Context {
		end := len(w)
		if i := bytes.IndexByte(w[start:], '\n'); i >= 0 {
			end = start + i
		}
		lines = append(lines, clip(trimEnd(w[start:end]), 0))
		start = end + 1
	}
	return lines
}

// continueAfter gives the matches at the end of the last window the lines that
// are in this one.
func (s *Search) continueAfter(w []byte) {
	if s.open == len(s.out) {
		return
	}
	lines := s.linesAfter(w, 0)
	for i := s.open; i < len(s.out); i++ {
		m := &s.out[i]
		more := lines[:min(len(lines), s.Context-len(m.After))]
		m.After = append(m.After, more...)
		for _, line := range more {
			s.size += len(line) + 4
		}
		if i == s.open && len(m.After) == s.Context {
			s.open++
		}
	}
}

// show returns a line that matches, or the part around its match.
func (s *Search) show(line []byte) string {
	if len(line) <= maxText {
		return string(line)
	}
	at := 0
	if loc := s.Pattern.inLine.FindIndex(line); loc != nil {
		at = loc[0]
	}
	return clip(line, at)
}

// clip returns a line, or about maxText bytes of it with a quarter of them
// before at.
func clip(line []byte, at int) string {
	if len(line) <= maxText {
		return string(line)
	}
	start := max(0, min(at-maxText/4, len(line)-maxText))
	end := min(len(line), start+maxText)
	text := string(bytes.ToValidUTF8(line[start:end], nil))
	if start > 0 {
		text = "…" + text
	}
	if end < len(line) {
		text += "…"
	}
	return text
}

// trimEnd drops the "\r" of a line that ends with "\r\n".
func trimEnd(line []byte) []byte { return bytes.TrimSuffix(line, []byte{'\r'}) }
