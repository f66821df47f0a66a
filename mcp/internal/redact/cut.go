package redact

import "strings"

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
	for i := range parts {
		if i < len(parts)-1 {
			parts[i] = s.cutEnd(parts[i])
		}
		if i > 0 {
			parts[i] = s.cutBeginning(parts[i])
		}
	}
	return strings.Join(parts, ellipsis)
}

// cutEnd masks the beginning of a secret at the end of a text.
func (s *Set) cutEnd(text string) string {
	for _, m := range s.masks {
		if strings.HasSuffix(text, m) {
			return text
		}
	}
	for i := max(0, len(text)-s.begins.longest); i <= len(text)-minPart; i++ {
		for _, n := range s.begins.at(pair(text, i)) {
			if strings.HasPrefix(n.text, text[i:]) {
				return text[:i] + n.mask
			}
		}
	}
	return text
}

// cutBeginning masks the end of a secret at the beginning of a text.
func (s *Set) cutBeginning(text string) string {
	for _, m := range s.masks {
		if strings.HasPrefix(text, m) {
			return text
		}
	}
	for i := min(len(text), s.begins.longest); i >= minPart; i-- {
		for _, n := range s.ends.at(pair(text, i-2)) {
			if strings.HasSuffix(n.text, text[:i]) {
				return n.mask + text[i:]
			}
		}
	}
	return text
}
