package lex

import (
	"bytes"
	"hash/maphash"
	"slices"
	"unicode/utf8"
)

// smallObject is how many keys are compared one by one; an object with more
// gets a hash table.
const smallObject = 16

// A keyStack holds the keys of all open objects, so that a repeated one is
// found. It holds places and not bytes: the keys stay in the text. An ordinary
// text does with first and allocates nothing.
type keyStack struct {
	n      int
	base   [MaxDepth]uint32 // where the keys of each depth start
	first  [32]key
	rest   []key               // those that first has no room for
	tables *[MaxDepth][]uint32 // by depth; a slot holds 1 + a place from base, or 0

	escaped bool // some key had escapes; until then plain comparison will do
}

// A key is where a key stands in the text, between its quotes.
type key struct{ start, end uint32 }

func (k key) raw(src []byte) []byte { return src[k.start:k.end] }

func (s *keyStack) enter(depth int) { s.base[depth] = uint32(s.n) }
func (s *keyStack) leave(depth int) { s.n = int(s.base[depth]) }

func (s *keyStack) at(i int) key {
	if i < len(s.first) {
		return s.first[i]
	}
	return s.rest[i-len(s.first)]
}

func (s *keyStack) push(k key) {
	if i := s.n - len(s.first); i < 0 {
		s.first[s.n] = k
	} else {
		s.rest = append(s.rest[:i], k)
	}
	s.n++
}

// add adds a key to the object at depth, and returns false if it is there
// already. name is the key without its escapes.
func (s *keyStack) add(src []byte, depth int, k key, name []byte) bool {
	base := int(s.base[depth])
	n := s.n - base
	if n >= smallObject {
		if n == smallObject || 2*n >= len(s.tables[depth]) {
			s.makeTable(src, depth, 4*n)
		}
		slot, free := s.slot(src, depth, name)
		if !free {
			return false
		}
		*slot = uint32(n + 1)
	} else {
		for i := base; i < s.n; i++ {
			k := s.at(i)
			if (s.escaped || int(k.end-k.start) == len(name)) && spells(k.raw(src), name) {
				return false
			}
		}
	}
	s.push(k)
	s.escaped = s.escaped || len(name) < len(k.raw(src))
	return true
}

// makeTable makes a table for the object at depth, with size slots, a power of
// two. It takes the memory of the last one there, but clears no more than it
// needs, or a large object would make all small ones after it dear.
func (s *keyStack) makeTable(src []byte, depth, size int) {
	if s.tables == nil {
		s.tables = new([MaxDepth][]uint32)
	}
	table := slices.Grow(s.tables[depth][:0], size)[:size]
	clear(table)
	s.tables[depth] = table
	for i := int(s.base[depth]); i < s.n; i++ {
		name := s.at(i).raw(src)
		if bytes.IndexByte(name, '\\') >= 0 {
			name = unescape(nil, name)
		}
		slot, _ := s.slot(src, depth, name)
		*slot = uint32(i+1) - s.base[depth]
	}
}

// seed is random, so that nobody can choose keys that collide.
var seed = maphash.MakeSeed()

// slot returns the slot of name, or where it is free to go.
func (s *keyStack) slot(src []byte, depth int, name []byte) (slot *uint32, free bool) {
	table := s.tables[depth]
	for i := maphash.Bytes(seed, name); ; i++ {
		slot = &table[i&uint64(len(table)-1)]
		if *slot == 0 {
			return slot, true
		}
		if spells(s.at(int(s.base[depth]+*slot-1)).raw(src), name) {
			return slot, false
		}
	}
}

// spells reports whether raw, as it stands in the text, is name once its
// escapes are decoded.
func spells(raw, name []byte) bool {
	for len(raw) > len(name) { // an escape is longer than what it stands for
		i := bytes.IndexByte(raw[:len(name)+1], '\\')
		if i < 0 || string(raw[:i]) != string(name[:i]) {
			return false
		}
		r, n, _ := escape(raw[i:])
		char := utf8.AppendRune(make([]byte, 0, utf8.UTFMax), r)
		if !bytes.HasPrefix(name[i:], char) {
			return false
		}
		raw, name = raw[i+n:], name[i+len(char):]
	}
	return string(raw) == string(name) && bytes.IndexByte(raw, '\\') < 0
}
