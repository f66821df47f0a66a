package temps

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// Whatever is on the disk: what is a whole line with a name is removed, once;
// what is none is told of; and what can't be removed stays for the next time,
// also below the names of a process that comes between.
func FuzzRecord(f *testing.F) {
	for _, text := range []string{"", "\n", "\"a\"\n", "\"a\"\n\"b\\n\"\n\"cut", "\"a\"\r\n", "no name\n\"a\"\n", "`a`\n", "'a'\n", "\"\"\n", "\"\\xff\\x00\"\n", "\"a\"\"b\"\n", "\x00\n", "\"a\"\n\n\"a\"\n"} {
		f.Add([]byte(text), uint8(0))
		f.Add([]byte(text), uint8(0b101))
	}
	path := filepath.Join(f.TempDir(), "w")
	f.Fuzz(func(t *testing.T, data []byte, stuck uint8) {
		var names, stay []string // as the lines say
		strange := false
		pieces := bytes.Split(data, []byte("\n"))
		for _, line := range pieces[:len(pieces)-1] {
			name, err := strconv.Unquote(string(line))
			switch {
			case len(line) == 0:
			case err != nil:
				strange = true
			default:
				if names = append(names, name); stuck>>(len(names)%8)&1 == 1 {
					stay = append(stay, name)
				}
			}
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		var asked []string
		isStuck := errors.New("is stuck")
		r := New(path, func(name string) error {
			if asked = append(asked, name); stuck>>(len(asked)%8)&1 == 1 {
				return isStuck
			}
			return nil
		})
		err := r.Clean()
		if !slices.Equal(asked, names) || (err != nil) != (strange || len(stay) > 0) || errors.Is(err, isStuck) != (len(stay) > 0) {
			t.Fatalf("Clean removes %q of %q: %v", asked, names, err)
		}
		between := New(path, func(string) error { return isStuck })
		if _, err := between.Add("new\n"); err != nil {
			t.Fatal(err)
		}
		if err := between.Close(); err != nil { // as if it was killed
			t.Fatal(err)
		}
		asked, stuck = nil, 0
		if err := r.Clean(); err != nil || !slices.Equal(asked, append(stay, "new\n")) {
			t.Errorf("then Clean removes %q, not %q and the new one: %v", asked, stay, err)
		}
		if left, err := os.ReadFile(path); err != nil || len(left) > 0 {
			t.Errorf("%q is left (%v)", left, err)
		}
	})
}
