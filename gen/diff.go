package gen

import (
	"fmt"
	"io"
	"strings"

	"github.com/aymanbagabas/go-udiff"
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
	text := udiff.Unified(c.Path, c.Path+" (as the specs say)", string(c.old), string(c.new))
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
