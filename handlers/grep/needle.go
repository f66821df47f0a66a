package grep

import (
	"bytes"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// needle is a text that a match must contain. Finding one takes bytes.Index a
// hundredth of the time that the expression needs, and most files have none.
type needle struct {
	text string
	fold bool // in any case; text is lower-case ASCII then
}

const (
	maxNeedles = 8 // more are slower to look for than the expression
	minNeedle  = 2 // a shorter one is in every line
)

// needlesOf returns texts of which every match contains one, or nil.
func needlesOf(re *syntax.Regexp) []needle {
	switch re.Op {
	case syntax.OpLiteral:
		n := needle{text: string(re.Rune)}
		if re.Flags&syntax.FoldCase != 0 {
			n = needle{text: strings.ToLower(longestASCII(re.Rune)), fold: true}
		}
		if len(n.text) < minNeedle || strings.ContainsRune(n.text, utf8.RuneError) {
			return nil
		}
		return []needle{n}
	case syntax.OpCapture, syntax.OpPlus:
		return needlesOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needlesOf(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []needle
		for _, sub := range re.Sub {
			if found := needlesOf(sub); found != nil && (best == nil || shortest(found) > shortest(best)) {
				best = found
			}
		}
		return best
	case syntax.OpAlternate:
		var all []needle
		for _, sub := range re.Sub {
			found := needlesOf(sub)
			if found == nil || len(all)+len(found) > maxNeedles {
				return nil
			}
			all = append(all, found...)
		}
		return all
	}
	return nil
}

func shortest(needles []needle) int {
	n := len(needles[0].text)
	for _, other := range needles[1:] {
		n = min(n, len(other.text))
	}
	return n
}

func longestASCII(runes []rune) string {
	var best, current []rune
	for _, r := range runes {
		if r >= utf8.RuneSelf {
			current = nil
			continue
		}
		if current = append(current, r); len(current) > len(best) {
			best = current
		}
	}
	return string(best)
}

// finder looks for the needles in one text, from front to back.
type finder struct {
	needles []needle
	text    []byte
	folded  []byte // the text in lower case, for needles that fold
	next    []int  // where each needle is next; -1 if nowhere
}

// reset starts on a text. It returns false if the needles can't be relied on:
// two letters beyond ASCII are the same as "k" and "s" in another case.
func (f *finder) reset(needles []needle, text []byte) bool {
	f.needles, f.text, f.folded = needles, text, f.folded[:0]
	f.next = f.next[:0]
	for _, n := range needles {
		if n.fold && len(f.folded) == 0 && len(text) > 0 {
			if bytes.Contains(text, []byte("\u212a")) || bytes.Contains(text, []byte("\u017f")) {
				return false
			}
			f.folded = appendLower(f.folded, text)
		}
		f.next = append(f.next, f.find(n, 0))
	}
	return true
}

// from returns the first place at or after pos where a needle is, or -1.
func (f *finder) from(pos int) int {
	first := -1
	for i, at := range f.next {
		if at >= 0 && at < pos {
			at = f.find(f.needles[i], pos)
			f.next[i] = at
		}
		if at >= 0 && (first < 0 || at < first) {
			first = at
		}
	}
	return first
}

func (f *finder) find(n needle, pos int) int {
	text := f.text
	if n.fold {
		text = f.folded
	}
	at := bytes.Index(text[pos:], []byte(n.text))
	if at < 0 {
		return -1
	}
	return pos + at
}

// appendLower appends a text with its ASCII letters in lower case.
func appendLower(b, text []byte) []byte {
	b = append(b, text...)
	for i, c := range b {
		b[i] = lower[c]
	}
	return b
}

var lower = func() (table [256]byte) {
	for i := range table {
		table[i] = byte(i)
		if 'A' <= i && i <= 'Z' {
			table[i] += 'a' - 'A'
		}
	}
	return table
}()
