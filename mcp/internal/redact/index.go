package redact

import (
	"maps"
	"slices"
	"strings"
)

// needle is a secret in one coding.
type needle struct{ text, mask string }

// pairs is a set of pairs of bytes. Nearly every place of a text is done with by one
// look at it.
type pairs [1 << 16 / 64]uint64

func (p *pairs) add(pair uint16)      { p[pair/64] |= 1 << (pair % 64) }
func (p *pairs) has(pair uint16) bool { return p[pair/64]&(1<<(pair%64)) != 0 }

// index holds needles by two of their bytes.
type index struct {
	pairs   pairs
	needles map[uint16][]needle
	longest int
}

// pair is two bytes of a text, which has them.
func pair(text string, i int) uint16 { return uint16(text[i])<<8 | uint16(text[i+1]) }

func (x *index) add(at uint16, n needle) {
	if x.needles == nil {
		x.needles = map[uint16][]needle{}
	}
	x.pairs.add(at)
	x.needles[at] = append(x.needles[at], n)
	x.longest = max(x.longest, len(n.text))
}

// sort puts the longest first: of a secret that contains another, no rest is left.
func (x *index) sort() {
	for _, list := range x.needles {
		slices.SortStableFunc(list, func(a, b needle) int { return len(b.text) - len(a.text) })
	}
}

// clone returns an index that shares nothing with this one: sets are immutable.
func (x *index) clone() index {
	c := *x
	c.needles = maps.Clone(x.needles)
	for at, list := range c.needles {
		c.needles[at] = slices.Clone(list)
	}
	return c
}

func (x *index) at(pair uint16) []needle {
	if !x.pairs.has(pair) {
		return nil
	}
	return x.needles[pair]
}

// prefix returns the longest needle with which the text goes on at i.
func (x *index) prefix(text string, i int) *needle {
	if i+1 >= len(text) {
		return nil
	}
	list := x.at(pair(text, i))
	for k := range list {
		if strings.HasPrefix(text[i:], list[k].text) {
			return &list[k]
		}
	}
	return nil
}
