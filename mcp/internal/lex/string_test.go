package lex

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestString(t *testing.T) {
	for _, c := range [][2]string{
		{`""`, ""},
		{`"plain"`, "plain"},
		{`"é€😀"`, "é€😀"},
		{`"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t"},
		{`"\u0041\u00e9\u20AC\uD83D\uDE00\u0000"`, "Aé€😀\x00"},
		{`"\\u0041"`, `\u0041`},
		{`"\ufffd\uffff"`, "\ufffd\uffff"},
		{`"before \n between \t after"`, "before \n between \t after"},
	} {
		var l Lexer
		l.Reset([]byte(c[0]))
		got := l.String()
		if err := l.End(); err != nil || string(got) != c[1] || got == nil {
			t.Errorf("%s: got %q, want %q; %v", c[0], got, c[1], err)
		}
		l.Reset([]byte("{" + c[0] + ":0}"))
		l.Enter()
		l.More()
		if got := l.Key(); string(got) != c[1] || got == nil {
			t.Errorf("key %s: got %q, want %q; %v", c[0], got, c[1], l.Err())
		}
	}
}

// The eight bytes at a time must stop where one at a time would, for the bytes
// around each limit and in each place.
func TestPlainRun(t *testing.T) {
	const bytes = "\x00\x01\x1f !\"#[\\]a\x7f\x80\x9c\xa0\xa2\xdc\xff"
	slow := func(s string, i int) (int, bool) {
		high := false
		for ; i < len(s) && s[i] != '"' && s[i] != '\\' && s[i] >= ' '; i++ {
			high = high || s[i] >= 0x80
		}
		return i, high
	}
	check := func(s string) {
		for i := range len(s) + 1 {
			end, high := plainRun(s, i)
			wantEnd, wantHigh := slow(s, i)
			if end != wantEnd || high != wantHigh {
				t.Fatalf("%q from %d: got %d %v, want %d %v", s, i, end, high, wantEnd, wantHigh)
			}
			if e, h := plainRun([]byte(s), i); e != end || h != high {
				t.Fatalf("%q from %d: %d %v as a string, %d %v as bytes", s, i, end, high, e, h)
			}
		}
	}
	for i := range 20 {
		for j := range len(bytes) {
			for k := range len(bytes) {
				check(strings.Repeat("a", i) + bytes[j:j+1] + bytes[k:k+1] + strings.Repeat("b", 20-i))
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		s := make([]byte, random.IntN(30))
		for i := range s {
			s[i] = bytes[random.IntN(len(bytes))]
		}
		check(string(s))
	}
}

func TestAppendQuote(t *testing.T) {
	for _, c := range [][2]string{
		{"", `""`},
		{"plain", `"plain"`},
		{"\"\\/", `"\"\\/"`},
		{"\b\f\n\r\t", `"\b\f\n\r\t"`},
		{"\x00\x01\x0b\x1f\x7f", `"\u0000\u0001\u000b\u001f` + "\x7f\""},
		{"<a href='x'>&</a>", `"<a href='x'>&</a>"`},
		{"é\u2028\u2029😀", "\"é\u2028\u2029😀\""},
		{"0123456789\n0123456789", `"0123456789\n0123456789"`},
		{"a\xffb\xc0\x80\n", "\"a\ufffdb\ufffd\ufffd\\n\""},
		{"\xe2\x82\n\xac", "\"\ufffd\ufffd\\n\ufffd\""},
		{"\xed\xa0\x80", "\"\ufffd\ufffd\ufffd\""},
		{"\ufffd", "\"\ufffd\""},
	} {
		if got := string(AppendQuote(nil, c[0])); got != c[1] {
			t.Errorf("%q: got %s, want %s", c[0], got, c[1])
		}
		if got := string(AppendQuote([]byte("\xff"), []byte(c[0]))); got != "\xff"+c[1] {
			t.Errorf("%q as bytes, after another byte: got %q, want %q", c[0], got, "\xff"+c[1])
		}
	}
}
