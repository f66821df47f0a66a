package lint

import (
	"strings"

	"github.com/teaagent/teaagent/gen/spec"
)

// descStem wants a description to be about what the tool's name and args are
// about: where it names neither, one of the two is out of date.
func descStem(c *Context, t *spec.Tool) {
	words := nameWords(base(t.Name.V, c.Set.Server.Prefix.V))
	if len(words) == 0 || strings.TrimSpace(t.Description.V) == "" {
		return
	}
	var subjects []string
	for _, w := range words[1:] {
		subjects = append(subjects, strings.ToLower(w))
	}
	noun := strings.Join(words[1:], "")
	for _, a := range t.Args {
		for _, w := range nameWords(a.Name.V) {
			subjects = append(subjects, strings.ToLower(w))
		}
	}
	if len(subjects) == 0 {
		return
	}
	for word := range strings.FieldsFuncSeq(strings.ToLower(t.Description.V), notNamed) {
		for _, s := range subjects {
			if sameStem(word, s) {
				return
			}
		}
	}
	if strings.Contains(letters(t.Description.V), strings.ToLower(noun)) && len(noun) > 2 { // getRunTime: the run-time
		return
	}
	c.Report(t.Description.Pos, "the description mentions nothing of what the name and the args are about; name it")
}

// letters returns a text's letters and digits, in lower case.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if notNamed(r) {
			return -1
		}
		return r
	}, strings.ToLower(text))
}

// sameStem reports whether two words in lower case look like forms of one:
// directory and directories, file and filename, match and matching.
func sameStem(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if a == b || a+"s" == b {
		return true
	}
	common := 0
	for common < len(a) && a[common] == b[common] {
		common++
	}
	return common >= 3 && common >= len(a)-2 && (common >= 4 || len(b) <= common+3)
}
