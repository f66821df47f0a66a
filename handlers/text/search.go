package text

// Search looks for a run of lines. It returns up to limit places where they are,
// and where the longest beginning of them is otherwise: its first line and its
// length. It takes time in proportion to both texts, whatever they are.
func Search(lines, run []string, limit int) (at []int, best, length int) {
	if len(run) == 0 {
		return nil, 0, 0
	}
	// Knuth, Morris and Pratt: back[k] is the length of the longest beginning of
	// the run that also ends its first k lines, but for all k of them.
	back := make([]int, len(run)+1)
	for i, k := 1, 0; i < len(run); i++ {
		for k > 0 && run[i] != run[k] {
			k = back[k]
		}
		if run[i] == run[k] {
			k++
		}
		back[i+1] = k
	}
	k := 0
	for i, line := range lines {
		for k > 0 && (k == len(run) || line != run[k]) {
			k = back[k]
		}
		if line == run[k] {
			k++
		}
		if k > length {
			best, length = i-k+1, k
		}
		if k == len(run) {
			if at = append(at, i-k+1); len(at) == limit {
				break
			}
		}
	}
	return at, best, length
}
