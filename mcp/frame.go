package mcp

// frame is an object or array being read.
type frame struct {
	keys  Keys
	index int    // of the key or element being read; -1 at a key of other
	other string // a key that Entry stopped at, and that is none of keys
	seen  uint64 // the first 64 keys that came
	later map[int]bool
	array bool
	start int             // of the element being read
	set   map[string]bool // elements so far, canonical, where they must be unique
	twice bool
}

func (d *Decoder) top() *frame { return &d.frames[len(d.frames)-1] }

func (f *frame) key() string {
	if f.index < 0 {
		return f.other
	}
	return f.keys[f.index].Name
}

// find returns the index of the key. Most requests keep the spec's order, so
// it looks behind the previous key first.
func (f *frame) find(name []byte) int {
	n := len(f.keys)
	for i := range n {
		j := f.index + 1 + i
		if j >= n {
			j -= n
		}
		if f.keys[j].Name == string(name) {
			return j
		}
	}
	return -1
}

func (f *frame) mark(i int) {
	if i < 64 {
		f.seen |= 1 << i
		return
	}
	if f.later == nil {
		f.later = map[int]bool{}
	}
	f.later[i] = true
}

func (f *frame) has(i int) bool {
	if i < 64 {
		return f.seen&(1<<i) != 0
	}
	return f.later[i]
}

func (f *frame) remember(element []byte) {
	if f.set == nil {
		f.set = map[string]bool{}
	}
	c := canonical(element)
	f.twice = f.twice || f.set[c]
	f.set[c] = true
}
