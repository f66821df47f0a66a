package gen

import "testing"

// BenchmarkLint is teagen lint of a thousand tools, as clients get them too.
func BenchmarkLint(b *testing.B) {
	dir := synthetic(b, 1000)
	for b.Loop() {
		r, err := Lint(Options{Dir: dir})
		if err != nil || r.Failed() {
			b.Fatal(err, messages(r.Findings))
		}
	}
}
