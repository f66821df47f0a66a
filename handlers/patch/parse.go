// Package patch reads unified diffs and applies them to texts. It guesses
// nothing: a line that belongs to no hunk, or a hunk that is not to be found as
// it is written, is an error that says where and what is there instead.
package patch

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/teaagent/teaagent/handlers/text"
	"github.com/teaagent/teaagent/mcp"
)

// File is what a patch does to one file.
type File struct {
	Old, New string // paths as they are written; "" if there is none before, or after
	Rename   bool   // both are there, and differ
	Hunks    []Hunk
	Line     int // of the patch, where it starts, from 1

	git      bool // has a line "diff --git"
	from, to bool // has the lines "rename from" and "rename to"
}

// Hunk is a run of lines with its changes.
type Hunk struct {
	Header             string
	Line               int // of the patch
	OldStart, OldLines int
	NewStart, NewLines int
	Lines              []Line
}

// Line is one line of a hunk.
type Line struct {
	Op   byte   // ' ', '-' or '+'
	Text string // without its line end
	Open bool   // there is no newline behind it: it ends its file
	Line int    // of the patch
}

type parser struct {
	lines []string
	at    int // index of the next line
	files []File
}

// Parse reads a patch. Lines before the first file are passed over, as are those
// of git's that change nothing; all others must mean something.
func Parse(patch string) ([]File, error) {
	p := &parser{lines: strings.Split(patch, "\n")}
	if n := len(p.lines); p.lines[n-1] == "" {
		p.lines = p.lines[:n-1]
	}
	p.dropCR()
	for p.at < len(p.lines) {
		if err := p.step(); err != nil {
			return nil, err
		}
	}
	if len(p.files) == 0 {
		return nil, mcp.Errorf("INVALID_PATCH", `the patch has no file: a file starts with the lines "--- a/PATH" and "+++ b/PATH", and its hunks with "@@ -LINE,COUNT +LINE,COUNT @@"`)
	}
	for i := range p.files {
		if err := p.files[i].check(); err != nil {
			return nil, err
		}
	}
	return p.files, nil
}

// dropCR takes the CR from a patch whose lines all end in CRLF. In others a CR
// is part of its line.
func (p *parser) dropCR() {
	for _, line := range p.lines {
		if !strings.HasSuffix(line, "\r") {
			return
		}
	}
	for i, line := range p.lines {
		p.lines[i] = strings.TrimSuffix(line, "\r")
	}
}

func (p *parser) fail(line int, format string, a ...any) error {
	return mcp.Errorf("INVALID_PATCH", "line %d of the patch: %s. Nothing was written", line, fmt.Sprintf(format, a...))
}

// step reads the next line outside of hunks, and with "@@" the whole hunk.
func (p *parser) step() error {
	line := p.lines[p.at]
	number := p.at + 1
	var file *File
	if len(p.files) > 0 {
		file = &p.files[len(p.files)-1]
	}
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case strings.HasPrefix(line, "diff --git "):
		old, new, ok := gitNames(line[len("diff --git "):])
		if !ok {
			return p.fail(number, "the names in %s can't be told apart", text.Quote(line))
		}
		p.files = append(p.files, File{Old: old, New: new, Line: number, git: true})
	case word == "---" && p.at+1 < len(p.lines) && strings.HasPrefix(p.lines[p.at+1], "+++ "):
		if file == nil || !file.git || len(file.Hunks) > 0 {
			p.files = append(p.files, File{Line: number})
			file = &p.files[len(p.files)-1]
		}
		return p.names(file, rest, p.lines[p.at+1][len("+++ "):])
	case strings.HasPrefix(line, "@@"):
		if file == nil {
			return p.fail(number, `a hunk without a file: the lines "--- a/PATH" and "+++ b/PATH" go before it`)
		}
		return p.hunk(file)
	case file == nil:
		// an introduction, as of a mail
	case file.git && len(file.Hunks) == 0 && word != "---" && word != "+++":
		if err := p.extended(file, line); err != nil {
			return err
		}
	case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "diff ") || strings.HasPrefix(line, "Index: ") || strings.HasPrefix(line, "====") || line == "-- " && p.signature():
	default:
		return p.fail(number, "%s belongs to no hunk%s", text.Quote(line), miscount(file, number))
	}
	p.at++
	return nil
}

// signature reports whether what is left is the end of a mail of git's.
func (p *parser) signature() bool {
	rest := p.lines[p.at+1:]
	if len(rest) > 3 || len(rest) == 0 || !strings.HasPrefix(rest[0], "2.") {
		return false
	}
	p.at = len(p.lines) - 1
	return true
}

// miscount explains a line that follows a hunk.
func miscount(f *File, number int) string {
	if len(f.Hunks) == 0 {
		return ""
	}
	h := &f.Hunks[len(f.Hunks)-1]
	return fmt.Sprintf(": the hunk of line %d says %d old and %d new lines, which end before line %d; count its lines again", h.Line, h.OldLines, h.NewLines, number)
}

// extended reads a line of git's between a file's first line and its hunks.
func (p *parser) extended(f *File, line string) error {
	number := p.at + 1
	key, value, _ := strings.Cut(line, " ")
	two, name, _ := strings.Cut(value, " ")
	var err error
	switch {
	case key == "new" && two == "file":
		f.Old = ""
		err = p.mode(strings.TrimPrefix(name, "mode "))
	case key == "deleted" && two == "file":
		f.New = ""
	case key == "rename" && two == "from":
		f.Old, f.Rename, f.from = unquote(name), true, true
	case key == "rename" && two == "to":
		f.New, f.Rename, f.to = unquote(name), true, true
	case key == "index" || key == "similarity" || key == "dissimilarity" || strings.TrimSpace(line) == "":
	case key == "copy":
		err = p.fail(number, "copies are not made; write the copy as a new file")
	case key == "old" && two == "mode", key == "new" && two == "mode":
		err = p.fail(number, "the mode of a file can't be changed; leave the two mode lines out")
	case line == "GIT binary patch" || key == "Binary":
		err = p.fail(number, "binary files can't be patched")
	default:
		err = p.fail(number, "%s means nothing here", text.Quote(line))
	}
	return err
}

func (p *parser) mode(mode string) error {
	if mode == "100644" {
		return nil
	}
	return p.fail(p.at+1, "a file of mode %s can't be made, only a plain one: write 100644", text.Quote(mode))
}

// names reads the lines "---" and "+++".
func (p *parser) names(f *File, old, new string) error {
	old, new = clean(old), clean(new)
	switch {
	case old == "/dev/null" && new == "/dev/null":
		return p.fail(p.at+1, "both names are /dev/null")
	case f.Rename: // its names are known, and written without a/ and b/
	case f.git:
		// The line "diff --git" has said them; here they have the last word.
		if (old == "/dev/null") != (f.Old == "") || (new == "/dev/null") != (f.New == "") {
			if f.Old == "" || f.New == "" {
				return p.fail(p.at+1, "the names do not fit the lines before, which say that the file is new or deleted")
			}
		}
		fallthrough
	default:
		f.Old, f.New = old, new
		if old == "/dev/null" {
			f.Old = ""
		}
		if new == "/dev/null" {
			f.New = ""
		}
	}
	p.at += 2
	return nil
}

// clean takes a timestamp and quotes from a name.
func clean(name string) string {
	if !strings.HasPrefix(name, `"`) {
		name, _, _ = strings.Cut(name, "\t")
	}
	return unquote(strings.TrimRight(name, "\r"))
}

// unquote reads a name that git has put in quotes, whose escapes are Go's.
func unquote(name string) string {
	if strings.HasPrefix(name, `"`) {
		if plain, err := strconv.Unquote(name); err == nil {
			return plain
		}
	}
	return name
}

// gitNames tells the two names of a line "diff --git" apart. Unless they are in
// quotes they must be the same but for a/ and b/; those of a rename are told
// again further down.
func gitNames(names string) (old, new string, ok bool) {
	if strings.HasPrefix(names, `"`) {
		prefix, err := strconv.QuotedPrefix(names)
		if err != nil || len(prefix)+1 >= len(names) {
			return "", "", false
		}
		return unquote(prefix), unquote(names[len(prefix)+1:]), true
	}
	if half := len(names) / 2; len(names)%2 == 1 && names[half] == ' ' {
		return names[:half], names[half+1:], true
	}
	old, new, ok = strings.Cut(names, " ")
	return old, unquote(new), ok
}

var hunkHeader = regexp.MustCompile(`^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@`)

// hunk reads a hunk with all its lines.
func (p *parser) hunk(f *File) error {
	h := Hunk{Line: p.at + 1, OldLines: 1, NewLines: 1}
	m := hunkHeader.FindStringSubmatch(p.lines[p.at])
	if m == nil {
		return p.fail(h.Line, `%s is no header of a hunk, which is "@@ -LINE,COUNT +LINE,COUNT @@"`, text.Quote(p.lines[p.at]))
	}
	h.Header = m[0]
	for i, n := range []*int{&h.OldStart, &h.OldLines, &h.NewStart, &h.NewLines} {
		if m[i+1] != "" {
			*n, _ = strconv.Atoi(m[i+1]) // at most nine digits
		}
	}
	p.at++
	for old, new := h.OldLines, h.NewLines; old > 0 || new > 0; p.at++ {
		if p.at == len(p.lines) {
			return p.fail(h.Line, "the hunk says %d old and %d new lines, but the patch ends when %d old and %d new ones are missing", h.OldLines, h.NewLines, old, new)
		}
		line := p.lines[p.at]
		if line == "" || line == "\r" { // the blank of an empty line gets lost easily
			line = " " + line
		}
		op := line[0]
		switch {
		case op == '\\':
			if !h.openLast() {
				return p.fail(p.at+1, "%s follows no line", text.Quote(line))
			}
			continue
		case op == ' ' && old > 0 && new > 0:
			old, new = old-1, new-1
		case op == '-' && old > 0:
			old--
		case op == '+' && new > 0:
			new--
		default:
			return p.fail(p.at+1, "%s does not fit the hunk of line %d, of which %d old and %d new lines are missing; count its lines again", text.Quote(line), h.Line, old, new)
		}
		h.Lines = append(h.Lines, Line{Op: op, Text: line[1:], Line: p.at + 1})
	}
	if p.at < len(p.lines) && strings.HasPrefix(p.lines[p.at], `\`) {
		if !h.openLast() {
			return p.fail(p.at+1, "%s follows no line", text.Quote(p.lines[p.at]))
		}
		p.at++
	}
	f.Hunks = append(f.Hunks, h)
	return nil
}

func (h *Hunk) openLast() bool {
	if len(h.Lines) == 0 {
		return false
	}
	h.Lines[len(h.Lines)-1].Open = true
	return true
}

// check fails for a file that is told to be what its hunks are not.
func (f *File) check() error {
	fail := func(format string, a ...any) error {
		return mcp.Errorf("INVALID_PATCH", "the file at line %d of the patch: %s. Nothing was written", f.Line, fmt.Sprintf(format, a...))
	}
	switch {
	case f.Rename && (f.Old == "" || f.New == "" || !f.from || !f.to):
		return fail("a rename has two names")
	case f.Old == "" && f.New == "":
		return fail("it is both new and deleted")
	case f.Old != "" && f.New != "" && !f.Rename && len(f.Hunks) == 0:
		return fail("it has no hunks")
	}
	for _, h := range f.Hunks {
		switch {
		case len(h.Lines) == 0:
			return fail("the hunk of line %d has no lines", h.Line)
		case f.Old == "" && h.OldLines > 0:
			return fail("it is new, but the hunk of line %d has old lines", h.Line)
		case f.New == "" && h.NewLines > 0:
			return fail("it is deleted, but the hunk of line %d has new lines", h.Line)
		}
		for i, line := range h.Lines {
			if !line.Open {
				continue
			}
			for _, next := range h.Lines[i+1:] {
				if next.Op == line.Op || next.Op == ' ' || line.Op == ' ' {
					return fail("line %d has no newline behind it, but is not the last", line.Line)
				}
			}
		}
	}
	return nil
}

// Names returns the file's paths without git's a/ and b/, unless the caller
// knows them with these alone.
func (f *File) Names(known func(string) bool) (old, new string) {
	strip := func(name, prefix string) string {
		bare := strings.TrimPrefix(name, prefix)
		if known(name) && !known(bare) {
			return name
		}
		return bare
	}
	prefixed := (f.Old == "" || strings.HasPrefix(f.Old, "a/")) && (f.New == "" || strings.HasPrefix(f.New, "b/"))
	if f.Rename || !prefixed {
		return f.Old, f.New
	}
	return strip(f.Old, "a/"), strip(f.New, "b/")
}
