// Package redact keeps secrets out of texts: values that are known, in the
// codings in which they usually appear, and what has the shape of a token.
package redact

import (
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// MinLength is how many bytes a secret of the environment must have: a shorter
// one can't be told from ordinary text.
const MinLength = 8

// minArgument is the same for values of arguments, which appear near their call.
const minArgument = 4

const anonymous = "[redacted]"

// Secret is a value with the name of the variable that holds it.
type Secret struct{ Name, Value string }

// Set is an immutable set of secrets. Nil is an empty one, for which Text still
// masks what looks like a token.
type Set struct {
	needles [256][]needle // by their first byte, longest first
	masks   []string
	count   int
}

// needle is a secret in one coding.
type needle struct{ text, mask string }

// New returns the set of the environment's secrets. short are the names of those
// that are not in it, being too short; empty ones are not set, and in neither.
func New(env []Secret) (set *Set, short []string) {
	set = &Set{masks: []string{anonymous}}
	for _, s := range env {
		switch {
		case s.Value == "":
		case len(s.Value) < MinLength:
			short = append(short, s.Name)
		default:
			set.add(s.Value, "[redacted:"+s.Name+"]")
		}
	}
	set.sort()
	return set, short
}

// With returns a set that has the values of secret arguments, too.
func (s *Set) With(values ...string) *Set {
	more := &Set{masks: []string{anonymous}}
	if s != nil {
		*more = *s
		for i := range more.needles {
			more.needles[i] = slices.Clip(more.needles[i])
		}
	}
	for _, v := range values {
		if len(v) >= minArgument {
			more.add(v, anonymous)
		}
	}
	more.sort()
	return more
}

func (s *Set) add(value, mask string) {
	s.count++
	if !slices.Contains(s.masks, mask) {
		s.masks = append(s.masks, mask)
	}
	for _, text := range codings(value) {
		s.needles[text[0]] = append(s.needles[text[0]], needle{text, mask})
	}
}

// sort puts the longest first: of a secret that contains another, no rest is left.
func (s *Set) sort() {
	for _, list := range s.needles {
		slices.SortStableFunc(list, func(a, b needle) int { return len(b.text) - len(a.text) })
	}
}

// Empty reports whether there are no values.
func (s *Set) Empty() bool { return s == nil || s.count == 0 }

// Text masks secrets and what looks like a token.
func (s *Set) Text(text string) string { return s.maskCut(s.mask(text, len(text), true)) }

// Values masks secrets alone.
func (s *Set) Values(text string) string {
	if s.Empty() {
		return text
	}
	return s.mask(text, len(text), false)
}

// Head is Text cut to about max bytes, with an ellipsis. A secret astride the cut
// is masked whole, and no more is looked at than is needed for that.
func (s *Set) Head(text string, max int) string {
	if len(text) <= max {
		return s.Text(text)
	}
	return s.maskCut(s.mask(text, max, true))
}

const ellipsis = "…"

// minPart is how much of a secret at a cut is masked; less may be chance.
const minPart = 4

// maskCut masks what is left of a secret where somebody has cut a text, with an
// ellipsis, before it came here.
func (s *Set) maskCut(text string) string {
	if s.Empty() || !strings.Contains(text, ellipsis) {
		return text
	}
	parts := strings.Split(text, ellipsis)
	for _, list := range s.needles {
		for _, n := range list {
			for i := range parts {
				if i < len(parts)-1 {
					parts[i] = cutEnd(parts[i], n)
				}
				if i > 0 {
					parts[i] = cutBeginning(parts[i], n)
				}
			}
		}
	}
	return strings.Join(parts, ellipsis)
}

// cutEnd masks the beginning of a secret at the end of a text.
func cutEnd(text string, n needle) string {
	for k := min(len(text), len(n.text)-1); k >= minPart; k-- {
		if strings.HasSuffix(text, n.text[:k]) {
			return text[:len(text)-k] + n.mask
		}
	}
	return text
}

// cutBeginning masks the end of a secret at the beginning of a text.
func cutBeginning(text string, n needle) string {
	for k := min(len(text), len(n.text)-1); k >= minPart; k-- {
		if strings.HasPrefix(text, n.text[len(n.text)-k:]) {
			return n.mask + text[k:]
		}
	}
	return text
}

// mask masks what begins before the end that is given, and leaves out what does
// not.
func (s *Set) mask(text string, end int, shapes bool) string {
	var b strings.Builder
	from := 0 // text[from:i] is to be copied
	i := 0
	for i < end && (end == len(text) || b.Len() < end) {
		at, to, mask := s.match(text, i, shapes)
		if mask == "" {
			i++
			continue
		}
		b.WriteString(text[from:at])
		b.WriteString(mask)
		i, from = to, to
	}
	if i >= len(text) {
		if from == 0 {
			return text
		}
		b.WriteString(text[from:])
		return b.String()
	}
	for i > from && !utf8.RuneStart(text[i]) {
		i--
	}
	b.WriteString(text[from:i])
	b.WriteString(ellipsis)
	return b.String()
}

// match returns what is to be replaced at a place, and by what; an empty mask
// says nothing is. What is a mask already is replaced by itself.
func (s *Set) match(text string, i int, shapes bool) (from, to int, mask string) {
	c := text[i]
	if s != nil {
		if c == '[' {
			for _, m := range s.masks {
				if strings.HasPrefix(text[i:], m) {
					return i, i + len(m), m
				}
			}
		}
		for k := range s.needles[c] {
			if n := &s.needles[c][k]; strings.HasPrefix(text[i:], n.text) {
				return i, i + len(n.text), n.mask
			}
		}
	}
	if shapes {
		for _, shape := range byFirst[c] {
			if from, to, ok := shape.find(text, i); ok {
				return from, to, anonymous
			}
		}
	}
	return 0, 0, ""
}

// Writer returns a writer that masks each Write as a whole: a line of a log.
func Writer(w io.Writer, set func() *Set) io.Writer { return &writer{w, set} }

type writer struct {
	w   io.Writer
	set func() *Set
}

func (w *writer) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.w, w.set().Text(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
