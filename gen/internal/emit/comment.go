package emit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
)

// commentWidth is where comments wrap, in characters.
const commentWidth = 100

// comments returns text as comment lines. Nothing in a text can end its
// comment: lines are split here, and what is not printable becomes a space.
// (One Comment of several lines would come out as /* */.)
func comments(text string) []jen.Code {
	var lines []jen.Code
	for _, line := range filled(text, commentWidth) {
		if line == "" {
			lines = append(lines, jen.Comment("//"))
			continue
		}
		if first, _, _ := strings.Cut(line, " "); first == "+build" {
			line = `\` + line // else gofmt takes the line for a build constraint, and the file with it
		}
		lines = append(lines, jen.Comment("// "+line))
	}
	return lines
}

// filled returns text as lines that a comment can hold: as wide as they may
// be, or one longer word, with no blank ones but between others.
func filled(text string, most int) []string {
	var lines []string
	blank := false
	for line := range strings.SplitSeq(clean(text), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 {
			blank = lines != nil
			continue
		}
		if blank {
			lines = append(lines, "")
			blank = false
		}
		for len(words) > 0 {
			n, width := 1, utf8.RuneCountInString(words[0])
			for n < len(words) && width+1+utf8.RuneCountInString(words[n]) <= most {
				width += 1 + utf8.RuneCountInString(words[n])
				n++
			}
			lines = append(lines, strings.Join(words[:n], " "))
			words = words[n:]
		}
	}
	return lines
}

// clean keeps line feeds and what a Go comment can hold and an editor shows.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\u2028', r == '\u2029', r == '\u0085':
			return '\n'
		case !unicode.IsPrint(r) || r == utf8.RuneError:
			return ' '
		}
		return r
	}, strings.ReplaceAll(text, "\r\n", "\n"))
}
