package mcp

import (
	"fmt"
	"strings"
	"testing"
)

// Of what a command writes, the head and the tail are kept, and how much is not.
func TestKeeper(t *testing.T) {
	for _, size := range []int{1, 3, 7, 100} { // of each write
		for total := range 60 {
			var all strings.Builder
			for i := range total {
				all.WriteByte(byte('a' + i%26))
			}
			k := newKeeper(20, func([]byte) {}, nil)
			for text := all.String(); text != ""; {
				n, _ := k.Write([]byte(text[:min(size, len(text))]))
				text = text[n:]
			}
			want := Output{Text: all.String(), Bytes: int64(total)}
			if total > 20 {
				want.Text = fmt.Sprintf("%s\n… %d bytes left out …\n%s", want.Text[:10], total-20, want.Text[total-10:])
				want.Cut = true
			}
			if got := k.output(); got != want {
				t.Fatalf("%d bytes in pieces of %d: got %+v, want %+v", total, size, got, want)
			}
		}
	}
}

// A secret astride a cut is masked, not cut.
func TestKeeperMasks(t *testing.T) {
	mask := func(s string) string { return strings.ReplaceAll(s, "secret", "*") }
	for total := 0; total < 3*maskAround; total += 997 {
		for at := range 60 {
			text := strings.Repeat("a", at) + "secret" + strings.Repeat("b", total) + "secret" + strings.Repeat("c", at)
			k := newKeeper(60, func([]byte) {}, mask)
			k.Write([]byte(text))
			got := k.output()
			if got.Bytes != int64(len(text)) || got.Cut != (len(text) > 60) {
				t.Fatalf("%d, %d: %d bytes, cut: %v", total, at, got.Bytes, got.Cut)
			}
			if shown := strings.ReplaceAll(got.Text, "secret", ""); strings.Contains(shown, "se") || strings.Contains(shown, "et") && !strings.Contains(shown, "left") || got.Cut && strings.Contains(got.Text, "secret") {
				t.Fatalf("%d, %d: %q", total, at, got.Text)
			}
		}
	}
}
