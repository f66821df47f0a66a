package spec

import "unicode"

// Hidden reports whether a character shows nothing, or reorders what is shown
// around it: controls but for tab and line feed, bidirectional controls,
// zero-width and tag characters, fillers, private use. In a text that both a
// person and a model read, the two would see different things.
func Hidden(r rune) bool {
	switch {
	case r == '\t' || r == '\n':
		return false
	case r < 0x7f:
		return r < ' '
	case unicode.In(r, unicode.Prepended_Concatenation_Mark):
		return false // Cf, but they are seen
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp):
		return true
	}
	switch r {
	case 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x2800, 0x3164, 0xffa0:
		return true // joiner and fillers
	}
	return r >= 0x180b && r <= 0x180f || // Mongolian variation selectors
		r >= 0xfe00 && r <= 0xfe0d || r >= 0xe0100 && r <= 0xe01ef // variation selectors, but for text and emoji style
}
