package lex

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// Around the size where a table takes over, and where it grows, each key must
// be found again, however it is spelled.
func TestRepeatedKeyInObjectsOfAnySize(t *testing.T) {
	for _, n := range []int{1, 2, 15, 16, 17, 18, 31, 32, 33, 34, 63, 64, 65, 130, 300} {
		for _, spell := range []func(i int) string{
			func(i int) string { return "key" + strconv.Itoa(i) },
			func(i int) string { return `k\u0065y` + strconv.Itoa(i) },
			func(i int) string { return `\n` + strings.Repeat("x", i) },
		} {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, `"%s":{"a":0},`, spell(i))
			}
			members := b.String()
			if err := Valid([]byte("{" + strings.TrimSuffix(members, ",") + "}")); err != nil {
				t.Fatalf("%d keys: %v", n, err)
			}
			for i := range n {
				again := spell(i)
				if i%2 == 1 {
					again = strings.NewReplacer("k", `\u006b`, `k\u0065`, "ke", "x", `\u0078`, `\n`, `\u000a`).Replace(again)
				}
				text := "{" + members + `"` + again + `":0}`
				if err := Valid([]byte(text)); err == nil || !strings.Contains(err.Error(), "repeated key") {
					t.Fatalf("key %d of %d again, as %q: %v", i, n, again, err)
				}
			}
		}
	}
}

// Keys of an outer object are still known after inner objects of all sizes.
func TestRepeatedKeyAfterInnerObjects(t *testing.T) {
	for _, inner := range []int{1, 16, 17, 40, 200} {
		in := string(manyKeys(inner))
		for _, outer := range []int{1, 16, 17, 40} {
			var b strings.Builder
			b.WriteString("{")
			for i := range outer {
				fmt.Fprintf(&b, `"key%d":[%s,%s],`, i, in, in)
			}
			fine := b.String() + `"last":` + in + "}"
			if err := Valid([]byte(fine)); err != nil {
				t.Fatalf("%d keys with objects of %d: %v", outer, inner, err)
			}
			for i := range outer {
				text := b.String() + fmt.Sprintf(`"key%d":0}`, i)
				want := fmt.Sprintf(`repeated key "key%d"`, i)
				if err := Valid([]byte(text)); err == nil || !strings.HasSuffix(err.Error(), want) {
					t.Fatalf("%d keys with objects of %d: got %v, want %s", outer, inner, err, want)
				}
			}
		}
	}
}

// This takes minutes if each key is compared with each other, or if each small
// object after a large one clears a table as large.
func TestVeryManyKeys(t *testing.T) {
	large := string(manyKeys(300_000))
	small := strings.Repeat(","+string(manyKeys(20)), 10_000)
	if err := Valid([]byte("[" + large + small + "]")); err != nil {
		t.Error(err)
	}
	text := strings.TrimSuffix(large, "}") + `,"key\u0078199999":1}`
	if err := Valid([]byte(text)); err == nil || !strings.HasSuffix(err.Error(), `repeated key "keyx199999"`) {
		t.Error(err)
	}
}
