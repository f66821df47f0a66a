package gen

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/pmezard/go-difflib/difflib"
)

// diffLines is how many lines of a file's diff are worth reading: what follows
// mostly repeats the same edit.
const diffLines = 60

// Diff writes, as a unified diff, what Generate would do to the file. A file
// that is missing or orphaned is only named, by Kind.
func (c Change) Diff(w io.Writer) error {
	if c.Kind != Changed {
		return nil
	}
	text, err := difflib.GetUnifiedDiffString(difflib.UnifiedDiff{
		A:        lines(c.old),
		B:        lines(c.new),
		FromFile: c.Path,
		ToFile:   c.Path + " (as the specs say)",
		Context:  2,
	})
	if err != nil {
		return fmt.Errorf("compare %s: %w", c.Path, err)
	}
	n := 0
	for line := range strings.Lines(text) {
		if n++; n > diffLines {
			_, err := fmt.Fprintf(w, "… %d more lines\n", strings.Count(text, "\n")-diffLines)
			return err
		}
		if _, err := io.WriteString(w, line); err != nil {
			return err
		}
	}
	return nil
}

// lines splits a text after its line feeds. A last line without one says so,
// as in other diffs: else it would look like the line that has one.
func lines(data []byte) []string {
	var out []string
	for line := range bytes.Lines(data) {
		if line[len(line)-1] != '\n' {
			line = append(bytes.Clone(line), "\n\\ No newline at end of file\n"...)
		}
		out = append(out, string(line))
	}
	return out
}
