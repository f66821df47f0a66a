// Package shape is the one tool that every server of the benchmark offers N
// times under N names. It has six arguments and answers a text that only a
// server can give that has decoded them:
//
//	path   string, required, 1 to 4096 characters
//	note   string of any length; large arguments travel here
//	count  integer, 1 to 1000, 10 if absent
//	all    boolean
//	order  name, size or time
//	tags   array of strings
package shape

import (
	_ "embed"
	"fmt"
	"strings"
)

// Source is this file, for a server that is generated into a module of its own.
//
//go:embed shape.go
var Source []byte

// Bounds and default of the arguments.
const (
	MaxPath      = 4096
	MinCount     = 1
	MaxCount     = 1000
	DefaultCount = 10
)

// Orders are the members of the argument order.
var Orders = []string{"name", "size", "time"}

// Descriptions of the arguments, the same in every server.
const (
	PathText  = "Path relative to the workspace root."
	NoteText  = "Text to repeat in the answer."
	CountText = "Number of entries to return."
	AllText   = "Whether to include hidden entries."
	OrderText = "What to sort the entries by."
	TagsText  = "Tags that an entry must have."
)

// Name returns the name of the i-th tool, counted from 1.
func Name(i int) string { return fmt.Sprintf("t_listThing%04d", i) }

// Description returns the description of the i-th tool.
func Description(i int) string {
	return fmt.Sprintf("List the entries of thing %d below a path and say what was asked for.", i)
}

// Answer returns the text that a tool answers.
func Answer(path string, count int64, all bool, order string, tags int, note string) string {
	var b strings.Builder
	b.Grow(len(path) + len(note) + 64)
	fmt.Fprintf(&b, "path=%s count=%d all=%t order=%s tags=%d note=", path, count, all, order, tags)
	b.WriteString(note)
	return b.String()
}

// Args are the arguments of one call; a nil pointer leaves its argument out.
type Args struct {
	Path  string   `json:"path"`
	Note  *string  `json:"note,omitempty"`
	Count *int64   `json:"count,omitempty"`
	All   *bool    `json:"all,omitempty"`
	Order *string  `json:"order,omitempty"`
	Tags  []string `json:"tags,omitempty"`
}

// Call returns the arguments of the i-th of many calls, no two alike within
// a thousand thousands: an answer that belongs to another call is noticed.
func Call(i int) Args {
	note, count, all, order := "as asked", int64(i%MaxCount+1), i%2 == 0, Orders[i%len(Orders)]
	return Args{
		Path:  fmt.Sprintf("src/pkg%06d/file.go", i%1_000_000),
		Note:  &note,
		Count: &count,
		All:   &all,
		Order: &order,
		Tags:  []string{"alpha", "beta", "gamma"}[:i%3+1],
	}
}

// Want returns the text that answers a call with these arguments.
func (a Args) Want() string {
	return Answer(a.Path, or(a.Count, DefaultCount), or(a.All, false), or(a.Order, ""), len(a.Tags), or(a.Note, ""))
}

func or[T any](p *T, absent T) T {
	if p == nil {
		return absent
	}
	return *p
}

// BigNote returns the note of the calls that carry a large argument: 100 kB of
// lines with a quote and a letter beyond ASCII in each.
func BigNote() string {
	const line = "The quick brown fox said \"hé\" and jumped over the lazy dog, line after line.\n"
	return strings.Repeat(line, 100_000/len(line)+1)[:100_000]
}

// Canned is the text that a server answers to every call if it parses nothing,
// and CannedBig the one to a call with a large argument.
func Canned() string    { return Call(0).Want() }
func CannedBig() string { return Call(0).Want() + BigNote() }

// BadCount is a count that every server must refuse.
const BadCount = 99_999
