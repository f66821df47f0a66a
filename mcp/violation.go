package mcp

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/teaagent/teaagent/mcp/internal/lex"
)

// Violation is one way in which arguments break their schema.
type Violation struct {
	Pointer string // JSON pointer (RFC 6901) into the arguments
	Want    string // "an integer from 1 to 10000"
	Got     string // "20000"; for secret args only its kind; empty if nothing came
}

// String says the violation in one line.
func (v Violation) String() string {
	place := v.Pointer
	if place == "" {
		place = "arguments"
	}
	if v.Got == "" {
		return place + ": " + v.Want
	}
	return fmt.Sprintf("%s: want %s, got %s", place, v.Want, v.Got)
}

const (
	maxViolations = 50 // reported one by one; the rest are counted
	maxEcho       = 60 // bytes of a value that an error shows
)

// violate reports that the value at the decoder's place breaks a rule.
func (d *Decoder) violate(want, got string) {
	d.report(Violation{d.pointer(), want, got})
}

// mismatch reports a value of the wrong type, and consumes it.
func (d *Decoder) mismatch(want string, secret bool) {
	d.pending = false
	d.violate(want, d.came(secret))
}

// came consumes the next value and says what it is.
func (d *Decoder) came(secret bool) string {
	kind := d.lex.Kind()
	switch kind {
	case '{':
		d.lex.Skip()
		return "an object"
	case '[':
		d.lex.Skip()
		return "an array"
	case 'n':
		d.lex.Null()
		return "null"
	case '"':
		if secret {
			d.lex.Skip()
			return "a string"
		}
		d.lex.String()
		return "the string " + d.lastText(false)
	}
	d.lex.Skip()
	if kind == '0' {
		if secret {
			return "a number"
		}
		return "the number " + d.lastText(false)
	}
	return d.lastText(secret)
}

// lastText returns the source text of the last scalar, for an error to show.
func (d *Decoder) lastText(secret bool) string {
	if secret {
		return "another value (not shown: it is secret)"
	}
	return d.brief(string(d.lex.Raw()))
}

// unknown reports a key that the object does not have, and skips its value.
func (d *Decoder) unknown(name string, keys Keys) {
	d.lex.Skip()
	names := make([]string, 0, len(keys)+2)
	for _, k := range keys {
		names = append(names, k.Name)
	}
	if len(d.frames) == 1 && d.guard >= guardConfirm {
		names = append(names, "confirm")
		if d.guard == guardPreview {
			names = append(names, "dry_run")
		}
	}
	want := "no such key"
	if near := nearest(name, names); near != "" {
		want += " (did you mean " + strconv.Quote(near) + "?)"
	} else if len(names) > 0 && len(names) <= 12 {
		want += " (there are " + quoteAll(names) + ")"
	}
	pointer := d.parent() + "/" + escapePointer(d.brief(name))
	d.report(Violation{pointer, want, ""})
}

func (d *Decoder) report(v Violation) {
	d.count++
	if len(d.violations) < maxViolations {
		d.violations = append(d.violations, v)
	}
}

// pointer returns the JSON pointer of the value being read.
func (d *Decoder) pointer() string { return d.join(d.frames) }

// parent returns the JSON pointer of the innermost object being read.
func (d *Decoder) parent() string { return d.join(d.frames[:len(d.frames)-1]) }

func (d *Decoder) join(frames []frame) string {
	var b strings.Builder
	for i := range frames {
		b.WriteByte('/')
		if f := &frames[i]; f.array {
			b.WriteString(strconv.Itoa(f.index))
		} else {
			b.WriteString(escapePointer(d.brief(f.key())))
		}
	}
	return b.String()
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

func escapePointer(s string) string { return pointerEscapes.Replace(s) }

// brief masks what a violation shows, then cuts it.
func (d *Decoder) brief(s string) string { return d.known.brief(s) }

func shorten(s string) string { return shortenTo(s, maxEcho) }

// shortenTo cuts a text in its middle, between characters.
func shortenTo(s string, max int) string {
	if len(s) <= max {
		return s
	}
	head, tail := max*2/3, len(s)-max/3
	for !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return s[:head] + "…" + s[tail:]
}

func quoteAll(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = string(lex.AppendQuote(nil, name))
	}
	return strings.Join(quoted, ", ")
}

func intList(values []int64) string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = strconv.FormatInt(v, 10)
	}
	return strings.Join(list, ", ")
}

// nearest returns the name that is most probably meant, or "" if none is near.
func nearest(name string, names []string) string {
	if len(name) > 64 {
		return ""
	}
	type candidate struct {
		name     string
		distance int
	}
	var near []candidate
	for _, n := range names {
		if len(n) > 64 {
			continue
		}
		d := distance(strings.ToLower(name), strings.ToLower(n))
		if d <= max(1, len(n)/3) && d < len(n) {
			near = append(near, candidate{n, d})
		}
	}
	if near == nil {
		return ""
	}
	sort.SliceStable(near, func(i, j int) bool { return near[i].distance < near[j].distance })
	return near[0].name
}

// distance is Levenshtein's, over bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
