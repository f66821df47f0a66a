package lint

import (
	"os"
	"strings"
	"testing"
)

// TestFirstWords holds desc-imperative to the first words of descriptions of
// all sorts, with the traps of real manifests: nouns that look like verbs,
// labels, adverbs, slashes.
func TestFirstWords(t *testing.T) {
	data, err := os.ReadFile("testdata/first_words.txt")
	if err != nil {
		t.Fatal(err)
	}
	distinct := make(map[string]bool)
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		part := strings.Split(line, " | ")
		if len(part) != 3 {
			t.Fatalf("odd line %q", line)
		}
		want, name, words := part[0], part[1], strings.Fields(part[2])
		distinct[words[0]] = true
		got, ok := imperative(words, nameWords(name))
		switch {
		case ok:
			got = "ok"
		case got == "":
			got = "-"
		}
		if got != want {
			t.Errorf("%s: %q gives %s, not %s", name, part[2], got, want)
		}
	}
	if len(distinct) < 200 {
		t.Errorf("only %d first words", len(distinct))
	}
}
