package text

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

const (
	maxShown   = 120    // bytes of a line in an error
	maxCompare = 20_000 // lines that are compared by likeness
)

// Quote shows a line in an error.
func Quote(line string) string {
	if len(line) > maxShown {
		return fmt.Sprintf("%q…", strings.ToValidUTF8(line[:maxShown], ""))
	}
	return fmt.Sprintf("%q", line)
}

// whyNot says why a text is not in a file, by what is there instead.
func whyNot(text, old string) string {
	plain := viewOf(old).text
	if i := strings.Index(text, plain); plain != old && i >= 0 {
		return fmt.Sprintf("it is at line %d but with other line ends; oldText has CRLF, and the file has LF there. Give oldText with LF, which matches both", 1+strings.Count(text[:i], "\n"))
	}
	if body := strings.TrimRight(plain, "\n"); body != plain && body != "" && strings.HasSuffix(text, body) {
		return fmt.Sprintf("the file ends with it, at line %d, but without the line end that oldText ends with", 1+strings.Count(text[:len(text)-len(body)], "\n"))
	}
	lines, want := strings.Split(viewOf(text).text, "\n"), strings.Split(plain, "\n")
	for len(want) > 1 && want[len(want)-1] == "" {
		want = want[:len(want)-1]
	}
	if at, _, _ := Search(squeezeAll(lines), squeezeAll(want), 1); len(at) > 0 && strings.TrimSpace(plain) != "" {
		for i, line := range want {
			if found := lines[at[0]+i]; found != line {
				return fmt.Sprintf("line %d differs in white space: the file has %s, oldText has %s", at[0]+i+1, Quote(found), Quote(line))
			}
		}
	}
	if _, best, n := Search(lines, want, 1); n > 0 && n < len(want) && strings.TrimSpace(strings.Join(want[:n], "")) != "" {
		found := "the file ends"
		if best+n < len(lines) {
			found = "the file has " + Quote(lines[best+n])
		}
		return fmt.Sprintf("it agrees from line %d on, but at line %d %s, oldText has %s", best+1, best+n+1, found, Quote(want[n]))
	}
	first := want[0]
	for _, line := range want {
		if strings.TrimSpace(line) != "" {
			first = line
			break
		}
	}
	near := nearest(lines, first)
	if len(near) == 0 {
		return fmt.Sprintf("no line is like %s", Quote(first))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "no place is like %s but, at most,", Quote(first))
	for i, n := range near {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " line %d: %s", n+1, Quote(lines[n]))
	}
	return b.String()
}

func squeezeAll(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = squeeze(line)
	}
	return out
}

// squeeze leaves out white space.
func squeeze(line string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, line)
}

// nearest returns up to three lines that have most pairs of letters in common
// with one, in the order of the file.
func nearest(lines []string, line string) []int {
	want := pairs(line)
	type candidate struct{ line, likeness int }
	var list []candidate
	for i, other := range lines[:min(len(lines), maxCompare)] {
		have := pairs(other)
		shared := 0
		for p := range have {
			if want[p] {
				shared++
			}
		}
		if total := len(want) + len(have); total > 0 && 200*shared/total >= 40 {
			list = append(list, candidate{i, 200 * shared / total})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return b.likeness - a.likeness })
	var near []int
	for _, c := range list[:min(len(list), 3)] {
		near = append(near, c.line)
	}
	slices.Sort(near)
	return near
}

func pairs(line string) map[string]bool {
	line = strings.ToLower(squeeze(line[:min(len(line), 2*maxShown)]))
	set := make(map[string]bool, len(line))
	for i := 2; i <= len(line); i++ {
		set[line[i-2:i]] = true
	}
	return set
}
