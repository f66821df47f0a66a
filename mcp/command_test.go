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
			k := newKeeper(20, func([]byte) {})
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
