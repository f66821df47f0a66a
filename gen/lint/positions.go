package lint

import (
	"sort"
	"unicode/utf8"

	"github.com/teaagent/teaagent/gen/spec"
)

// positions turns offsets in a file into places, also where the file is one
// line of megabytes, as answers of servers are.
type positions struct {
	file  string
	data  []byte
	lines []int // where each line starts
	marks []int // characters before every markEvery-th byte
}

const markEvery = 1 << 10

func newPositions(file string, data []byte) *positions {
	p := &positions{file: file, data: data, lines: []int{0}}
	chars := 0
	for i, c := range data {
		if i%markEvery == 0 {
			p.marks = append(p.marks, chars)
		}
		if utf8.RuneStart(c) {
			chars++
		}
		if c == '\n' {
			p.lines = append(p.lines, i+1)
		}
	}
	return p
}

// chars counts the characters before an offset.
func (p *positions) chars(offset int) int {
	mark := min(offset/markEvery, len(p.marks)-1)
	n := p.marks[mark]
	for _, c := range p.data[mark*markEvery : offset] {
		if utf8.RuneStart(c) {
			n++
		}
	}
	return n
}

// at returns the place of an offset within the file.
func (p *positions) at(offset int) spec.Pos {
	line := sort.SearchInts(p.lines, offset+1)
	return spec.Pos{File: p.file, Line: line, Col: 1 + p.chars(offset) - p.chars(p.lines[line-1]), Width: 1}
}
