package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/teaagent/teaagent/mcp"
)

// Edit is a replacement of one text by another.
type Edit struct {
	Old, New string
	All      bool // replace every occurrence; without it there must be one
}

// Replaced says what an edit did.
type Replaced struct {
	Line  int // of the first occurrence, from 1, when the edit was made
	Count int
}

// Replace makes the edits one after the other, or none. Where an edit's old
// text has line feeds alone it matches CRLF as well, and what stands in its
// place gets the line ends of what was there. No text may get longer than max.
func Replace(text string, edits []Edit, max int) (string, []Replaced, error) {
	done := make([]Replaced, len(edits))
	for i, e := range edits {
		var err error
		if text, done[i], err = replace(text, e, max); err != nil {
			coded := err.(*mcp.Error)
			return "", nil, mcp.Errorf(coded.Code, "edit %d of %d: %s. Nothing was written", i+1, len(edits), coded.Message)
		}
	}
	return text, done, nil
}

func replace(raw string, e Edit, max int) (string, Replaced, error) {
	switch e.Old {
	case "":
		return "", Replaced{}, mcp.Errorf("INVALID_ARGUMENT", "oldText is empty")
	case e.New:
		return "", Replaced{}, mcp.Errorf("NO_CHANGE", "oldText and newText are the same")
	}
	v := view{text: raw}
	if !strings.Contains(e.Old, "\r\n") {
		v = viewOf(raw)
		if len(v.crlf) > 0 {
			e.New = strings.ReplaceAll(e.New, "\r\n", "\n")
		}
		if e.New == e.Old {
			return "", Replaced{}, mcp.Errorf("NO_CHANGE", "oldText and newText differ in line ends alone")
		}
	}
	at := occurrences(v.text, e.Old, e.All)
	switch {
	case len(at) == 0:
		return "", Replaced{}, mcp.Errorf("NO_MATCH", "oldText is not in the file: %s", whyNot(v.text, e.Old))
	case len(at) > 1 && !e.All:
		return "", Replaced{}, mcp.Errorf("AMBIGUOUS", "oldText is in the file more than once, at %s; add text around it to say which, or set all=true", lineList(v.text, at))
	}
	if grows := len(e.New) - len(e.Old); grows > 0 && grows > (max-len(raw))/len(at) {
		return "", Replaced{}, mcp.Errorf("TOO_LARGE", "the file would have more than %d bytes", max)
	}
	// What both texts have in common at their ends stays as it is.
	start := common(e.Old, e.New)
	end := commonEnd(e.Old[start:], e.New[start:])
	var b strings.Builder
	from := 0
	for _, i := range at {
		lo, hi := i+start, i+len(e.Old)-end
		b.WriteString(raw[from:v.raw(lo)])
		v.write(&b, e.New[start:len(e.New)-end], lo, hi)
		from = v.raw(hi)
	}
	b.WriteString(raw[from:])
	return b.String(), Replaced{1 + strings.Count(v.text[:at[0]], "\n"), len(at)}, nil
}

// occurrences returns where old is: all places that do not overlap, or, as one
// is wanted, up to 20 that may.
func occurrences(text, old string, all bool) (at []int) {
	step, limit := len(old), len(text)+1
	if !all {
		step, limit = 1, 20
	}
	for from := 0; len(at) < limit; {
		i := strings.Index(text[from:], old)
		if i < 0 {
			break
		}
		at = append(at, from+i)
		from += i + step
	}
	return at
}

// view is a text as it is matched: with LF for every CRLF.
type view struct {
	text string
	crlf []int // offsets in text of the line feeds that are CRLF
}

func viewOf(raw string) view {
	if !strings.Contains(raw, "\r\n") {
		return view{text: raw}
	}
	var v view
	b := make([]byte, 0, len(raw))
	for i := range len(raw) {
		if raw[i] == '\r' && i+1 < len(raw) && raw[i+1] == '\n' {
			v.crlf = append(v.crlf, len(b))
			continue
		}
		b = append(b, raw[i])
	}
	v.text = string(b)
	return v
}

// raw returns the offset in the raw text of an offset in the view.
func (v *view) raw(i int) int {
	before, _ := slices.BinarySearch(v.crlf, i)
	return i + before
}

// write writes a text that stands in for the view's from lo to hi. Its line
// ends are those of the lines that it replaces, one by one; further ones are
// like the last of them, or like that of the line where it stands.
func (v *view) write(b *strings.Builder, text string, lo, hi int) {
	if len(v.crlf) == 0 {
		b.WriteString(text)
		return
	}
	end := v.endNear(hi)
	for {
		line, rest, more := strings.Cut(text, "\n")
		b.WriteString(line)
		if !more {
			return
		}
		if i := strings.IndexByte(v.text[lo:hi], '\n'); i >= 0 {
			end = v.endAt(lo + i)
			lo += i + 1
		}
		b.WriteString(end)
		text = rest
	}
}

// endAt returns the line end that the line feed at i is.
func (v *view) endAt(i int) string {
	if _, ok := slices.BinarySearch(v.crlf, i); ok {
		return "\r\n"
	}
	return "\n"
}

// endNear returns the end of the line that has i, or of the one before.
func (v *view) endNear(i int) string {
	if next := strings.IndexByte(v.text[i:], '\n'); next >= 0 {
		return v.endAt(i + next)
	}
	return v.endAt(max(0, strings.LastIndexByte(v.text[:i], '\n')))
}

func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func commonEnd(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// lineList names the lines of places in a text, in words.
func lineList(text string, at []int) string {
	var b strings.Builder
	b.WriteString("lines ")
	line, from := 1, 0
	for i, place := range at {
		line += strings.Count(text[from:place], "\n")
		from = place
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(&b, line)
	}
	if len(at) == 20 {
		b.WriteString(" and maybe more")
	}
	return b.String()
}
