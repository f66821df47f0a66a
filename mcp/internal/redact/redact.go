// Package redact keeps secrets out of texts: values that are known, in the
// codings in which they usually appear, and what has the shape of a token.
package redact

import (
	"io"
	"math"
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
	look   pairs // what anything that is masked, or a mask, may begin with
	begins index // the needles by their first two bytes
	ends   index // by their last two
	masks  []string
	count  int
}

// New returns the set of the environment's secrets. short are the names of those
// that are not in it, being too short; empty ones are not set, and in neither.
func New(env []Secret) (set *Set, short []string) {
	set = &Set{look: shapePairs, masks: []string{anonymous}}
	for _, s := range env {
		switch {
		case s.Value == "":
		case len(s.Value) < MinLength:
			short = append(short, s.Name)
		default:
			set.add(s.Value, "[redacted:"+s.Name+"]")
		}
	}
	set.begins.sort()
	return set, short
}

// With returns a set that has the values of secret arguments, too.
func (s *Set) With(values ...string) *Set {
	more := &Set{look: shapePairs, masks: []string{anonymous}}
	if s != nil {
		*more = Set{s.look, s.begins.clone(), s.ends.clone(), slices.Clip(s.masks), s.count}
	}
	for _, v := range values {
		if len(v) >= minArgument {
			more.add(v, anonymous)
		}
	}
	more.begins.sort()
	return more
}

func (s *Set) add(value, mask string) {
	s.count++
	if !slices.Contains(s.masks, mask) {
		s.masks = append(s.masks, mask)
	}
	for _, text := range codings(value) {
		n := needle{text, mask}
		s.look.add(pair(text, 0))
		s.begins.add(pair(text, 0), n)
		s.ends.add(pair(text, len(text)-2), n)
	}
}

// Empty reports whether there are no values.
func (s *Set) Empty() bool { return s == nil || s.count == 0 }

// Text masks secrets and what looks like a token.
func (s *Set) Text(text string) string {
	for range maxRounds {
		masked := s.maskCut(s.mask(text, len(text), math.MaxInt, true))
		if masked == text {
			break
		}
		text = masked
	}
	return text
}

// maxRounds is how often a text in which something was found is looked at again: a
// mask may end what hid the shape of another token.
const maxRounds = 4

// Values masks secrets alone.
func (s *Set) Values(text string) string {
	if s.Empty() {
		return text
	}
	return s.mask(text, len(text), math.MaxInt, false)
}

// Head is Text cut to max bytes, or as much more as the last mask and an ellipsis
// have. A secret astride the cut is masked whole, and no more is looked at than
// is needed for that.
func (s *Set) Head(text string, max int) string {
	return s.maskCut(s.mask(text, min(len(text), max), max, true))
}

// mask masks what begins before an end, and leaves out the rest, as well as what
// would make the result longer than most.
func (s *Set) mask(text string, end, most int, shapes bool) string {
	var b strings.Builder
	var later place // found, but not yet reached
	from := 0       // text[from:i] is to be copied
	look := &shapePairs
	if s != nil {
		look = &s.look
	}
	i := 0
	for i < end && b.Len()+i-from < most {
		if (i+1 == len(text) || !look.has(pair(text, i))) && (later.mask == "" || i != later.from) {
			i++
			continue
		}
		found := s.match(text, i, from, shapes)
		switch {
		case later.mask != "" && i == later.from && (found.mask == "" || found.from > i):
			found = later
		case found.mask == "":
			i++
			continue
		case found.from > i: // what is before it may be a secret, too
			if later.from > i {
				found.from, found.to = min(later.from, found.from), max(later.to, found.to)
			}
			later = found
			i++
			continue
		}
		if later.from < found.to && found.to < later.to {
			found.to = later.to
		}
		b.WriteString(text[from:i])
		b.WriteString(found.mask)
		i = s.reach(text, i, found)
		from = i
	}
	if i >= len(text) && from == 0 {
		return text
	}
	if i >= len(text) {
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

// place is a part of a text and what is to stand there instead; one without a mask
// is none.
type place struct {
	from, to int
	mask     string
	is       bool // the mask stands there already
}

// match returns what is to be masked at a place, or behind a beginning there that
// stays. The longest counts. after is where the last mask ended.
func (s *Set) match(text string, i, after int, shapes bool) (found place) {
	if i+1 == len(text) {
		return place{}
	}
	if s != nil {
		if text[i] == '[' {
			for _, m := range s.masks {
				if strings.HasPrefix(text[i:], m) {
					return place{i, i + len(m), m, true}
				}
			}
		}
		if n := s.begins.prefix(text, i); n != nil {
			found = place{i, i + len(n.text), n.mask, false}
		}
	}
	if shapes {
		for _, shape := range byPair[pair(text, i)] {
			if from, to, ok := shape.find(text, i, after); ok && to > found.to && (found.mask == "" || from == i) {
				found = place{from, to, anonymous, false}
			}
		}
	}
	return found
}

// reach returns where what is masked ends: behind the secrets that begin in it.
func (s *Set) reach(text string, i int, found place) int {
	to := found.to
	if s == nil || found.is {
		return to
	}
	for i++; i < to; i++ {
		if n := s.begins.prefix(text, i); n != nil {
			to = max(to, i+len(n.text))
		}
	}
	return to
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
