package spec

import "strings"

// Nearest returns the candidate that word most likely stands for, or "" if
// none is near enough to be named, or there are too many to guess among.
func Nearest(word string, candidates []string) string {
	plain := plainSpelling(word)
	if plain == "" || len(plain) > 64 || len(candidates) > 1000 {
		return ""
	}
	for _, c := range candidates {
		if otherNames[plain] == c {
			return c
		}
	}
	best, bestDistance := "", max(1, len(plain)/3)
	for _, c := range candidates {
		d := editDistance(plain, plainSpelling(c))
		if d <= bestDistance && d < len(plain) && (best == "" || d < bestDistance) {
			for _, c := range candidates {
				if otherNames[plain] == c {
					return c
				}
			}
			best, bestDistance = c, d
		}
	}
	if best != "" {
		return best
	}
	for _, c := range candidates { // desc for description, min for minimum
		other := plainSpelling(c)
		if len(plain) >= 3 && strings.HasPrefix(other, plain) {
			return c
		}
	}
	return ""
}

// otherNames are what neighbouring languages call our words, in plain spelling.
var otherNames = map[string]string{
	"arguments": "args", "parameters": "args", "params": "args", "input": "args", "inputschema": "args",
	"output": "result", "outputschema": "result", "results": "result", "response": "result",
	"doc": "description", "summary": "description", "help": "description",
	"float": "number", "double": "number", "text": "string", "list": "array", "map": "object", "dict": "object",
	"min": "minimum", "max": "maximum", "step": "multipleOf", "values": "enum", "timeout": "timeoutSeconds",
}

// plainSpelling ignores what people mix up: read_only, read-only and readOnly.
func plainSpelling(word string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(word))
}

// editDistance counts the bytes to insert, delete, replace or swap with their
// neighbour to get from a to b.
func editDistance(a, b string) int {
	before := make([]int, len(b)+1) // the row before the last one
	last := make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
