package patch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/teaagent/teaagent/handlers/text"
	"github.com/teaagent/teaagent/mcp"
)

// Moved is a hunk that was not where it says, but at one other place.
type Moved struct {
	Hunk int // from 1
	Line int // of the file before, from 1, where it was found
}

// Apply returns a file's content as the patch makes it. Every line of a hunk
// that is not new must be there to the letter, at the hunk's place or, moved, at
// one place alone. If no line of the patch's file ends in CR, CRLF counts as a
// line end, and a new line gets the end of the line before it.
func (f *File) Apply(content string) (string, []Moved, error) {
	a := &applier{lines: splitAfter(content)}
	a.plain = slices.Clone(a.lines)
	if !f.hasCR() {
		for i, line := range a.plain {
			if body, ok := strings.CutSuffix(line, "\r\n"); ok {
				a.plain[i] = body + "\n"
			}
		}
		a.adapt = true
	}
	var moved []Moved
	for i := range f.Hunks {
		h := &f.Hunks[i]
		at, err := a.find(h)
		if err != nil {
			coded := err.(*mcp.Error)
			return "", nil, mcp.Errorf(coded.Code, "hunk %d (%s, line %d of the patch): %s. Nothing was written", i+1, h.Header, h.Line, coded.Message)
		}
		if said := h.OldStart - 1; at != said && h.OldLines > 0 {
			moved = append(moved, Moved{i + 1, at + 1})
		}
		a.take(h, at)
	}
	for _, line := range a.lines[a.next:] {
		a.write(line)
	}
	if a.torn {
		return "", nil, mcp.Errorf("CONFLICT", "the patch leaves out the newline of a line that is not the file's last. Nothing was written")
	}
	if f.New == "" && a.out.Len() > 0 {
		return "", nil, mcp.Errorf("CONFLICT", "the patch deletes the file, but does not have all of its lines; %d bytes would be left. Nothing was written", a.out.Len())
	}
	return a.out.String(), moved, nil
}

func (f *File) hasCR() bool {
	for _, h := range f.Hunks {
		for _, line := range h.Lines {
			if strings.HasSuffix(line.Text, "\r") {
				return true
			}
		}
	}
	return false
}

// applier is a file on its way.
type applier struct {
	lines []string // of the file before, with their ends
	plain []string // the same as they are compared
	next  int      // the first line that is not in out yet
	adapt bool     // new lines get the file's line ends
	out   strings.Builder
	open  bool // out ends without a newline
	torn  bool // and something was written behind it
}

func splitAfter(content string) []string {
	lines := strings.SplitAfter(content, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	return lines
}

func (a *applier) write(s string) {
	if s != "" {
		a.torn = a.torn || a.open
		a.open = false
		a.out.WriteString(s)
	}
}

// whole returns a hunk's line with its line end.
func (l *Line) whole() string {
	if l.Open {
		return l.Text
	}
	return l.Text + "\n"
}

// find returns where a hunk's old lines are, as an index of the file's lines.
func (a *applier) find(h *Hunk) (int, error) {
	var old []string
	var from []*Line
	for i := range h.Lines {
		if line := &h.Lines[i]; line.Op != '+' {
			old = append(old, line.whole())
			from = append(from, line)
		}
	}
	if len(old) == 0 {
		if len(a.lines) > 0 {
			return 0, mcp.Errorf("CONFLICT", "it only adds lines, and nothing says that they belong there; give it lines of context")
		}
		return 0, nil
	}
	rest := a.plain[a.next:]
	said := h.OldStart - 1
	if i := said - a.next; i >= 0 && i <= len(rest)-len(old) && slices.Equal(rest[i:i+len(old)], old) {
		return said, nil
	}
	at, best, n := text.Search(rest, old, 10)
	switch len(at) {
	case 1:
		return a.next + at[0], nil
	case 0:
		return 0, a.conflict(from, old, said, a.next+best, n)
	}
	var places []string
	for _, i := range at {
		places = append(places, fmt.Sprint(a.next+i+1))
	}
	return 0, mcp.Errorf("AMBIGUOUS", "its old lines are not at line %d but at lines %s; give it the right number, or more context", said+1, strings.Join(places, ", "))
}

// conflict says which line is not there, and what is: at the place where the
// hunk agrees longest, or else where it says.
func (a *applier) conflict(from []*Line, old []string, said, best, n int) error {
	if n == 0 {
		best = said
		if best < a.next {
			return mcp.Errorf("CONFLICT", "it starts at line %d, before the end of the hunk before it, and is nowhere behind that", said+1)
		}
	}
	want := from[n]
	where := best + n
	found := fmt.Sprintf("the file has only %d lines", len(a.lines))
	if where < len(a.plain) {
		got := a.plain[where]
		found = fmt.Sprintf("line %d of the file is %s", where+1, text.Quote(strings.TrimSuffix(got, "\n")))
		switch {
		case got+"\n" == old[n]:
			found += ` and has no newline behind it, which the patch must say by a line "\ No newline at end of file"`
		case got == old[n]+"\n":
			found += " and has a newline behind it, though the patch says there is none"
		}
	}
	agrees := ""
	if n > 0 {
		agrees = fmt.Sprintf("it agrees from line %d of the file on, but ", best+1)
	}
	return mcp.Errorf("CONFLICT", "%sline %d of the patch has %s, and %s", agrees, want.Line, text.Quote(want.Text), found)
}

// take writes what is before a hunk, and the hunk as it is afterwards.
func (a *applier) take(h *Hunk, at int) {
	for _, line := range a.lines[a.next:at] {
		a.write(line)
	}
	a.next = at
	end := "\n"
	if a.adapt && len(a.lines) > 0 {
		end = endOf(a.lines[min(at, len(a.lines)-1)], endOf(a.lines[0], end))
	}
	for i := range h.Lines {
		line := &h.Lines[i]
		if line.Op == '+' {
			if !line.Open {
				a.write(line.Text + end)
				continue
			}
			a.write(line.Text)
			a.open = true
			continue
		}
		there := a.lines[a.next]
		if a.adapt {
			end = endOf(there, end)
		}
		if line.Op == ' ' {
			a.write(there)
			a.open = line.Open
		}
		a.next++
	}
}

// endOf returns a line's end, or another if it has none.
func endOf(line, other string) string {
	switch {
	case strings.HasSuffix(line, "\r\n"):
		return "\r\n"
	case strings.HasSuffix(line, "\n"):
		return "\n"
	}
	return other
}
