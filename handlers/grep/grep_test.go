package grep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/teaagent/teaagent/mcp"
)

// find searches a text and returns the numbers of the lines that match.
func find(t *testing.T, pattern string, o Options, text string) []int64 {
	t.Helper()
	p, err := Compile(pattern, o)
	if err != nil {
		t.Fatalf("Compile(%q): %v", pattern, err)
	}
	s := Search{Pattern: p, Max: 1000, MaxSize: 1 << 20}
	matches, err := s.Text(context.Background(), strings.NewReader(text))
	if err != nil {
		t.Fatalf("search for %q: %v", pattern, err)
	}
	var lines []int64
	for _, m := range matches {
		lines = append(lines, m.Line)
	}
	return lines
}

func TestText(t *testing.T) {
	const text = "one two\nTwo\n\nthree  \r\nfour\nend"
	for _, tc := range []struct {
		pattern string
		o       Options
		want    []int64
	}{
		{"two", Options{}, []int64{1}},
		{"two", Options{IgnoreCase: true}, []int64{1, 2}},
		{"^T", Options{}, []int64{2}},
		{`\AT`, Options{}, []int64{2}},
		{"o$", Options{}, []int64{1, 2}},
		{`o\z`, Options{}, []int64{1, 2}},
		{"^$", Options{}, []int64{3}},
		{`^\s*$`, Options{}, []int64{3}},
		{" $", Options{}, []int64{4}},
		{`three\s+four`, Options{}, nil},
		{"(?s)two.+three", Options{}, nil},
		{"[^x]four", Options{}, nil},
		{`\r`, Options{}, nil}, // it is part of the line's end
		{"x*", Options{}, []int64{1, 2, 3, 4, 5, 6}},
		{"end$", Options{}, []int64{6}},
		{"e$|r$", Options{}, []int64{5}},
		{"three|end", Options{}, []int64{4, 6}},
		{`\bt\w+`, Options{}, []int64{1, 4}},
		{"o.*t", Options{Literal: true}, nil},
		{"e two", Options{Literal: true}, []int64{1}},
		{"E TWO", Options{Literal: true, IgnoreCase: true}, []int64{1}},
		{"(?i)t(?-i)wo", Options{}, []int64{1, 2}},
	} {
		if got := find(t, tc.pattern, tc.o, text); !slices.Equal(got, tc.want) {
			t.Errorf("%q %+v is in lines %d, want %d", tc.pattern, tc.o, got, tc.want)
		}
	}
}

// TestFold: two letters beyond ASCII are k and s in another case.
func TestFold(t *testing.T) {
	if got := find(t, "desk", Options{IgnoreCase: true}, "a\nde\u017fk\nDESK\nde\u017f\u212a\n"); !slices.Equal(got, []int64{2, 3, 4}) {
		t.Errorf("found in lines %d", got)
	}
	for _, text := range []string{"DE\u017fk", "de\u017f\u212a", "des\u212a"} {
		if got := find(t, "desk", Options{IgnoreCase: true}, text); len(got) != 1 {
			t.Errorf("not found in %q", text)
		}
	}
	if got := find(t, "straße", Options{IgnoreCase: true}, "STRAẞE\nstrasse\nStraße\n"); !slices.Equal(got, []int64{1, 3}) {
		t.Errorf("found in lines %d", got)
	}
}

func TestCompileErrors(t *testing.T) {
	for pattern, want := range map[string]string{
		"(":              "missing closing )",
		`(?=x)`:          "literal=true",
		`a\nb`:           "line break",
		`[\n]`:           "line break",
		"(x{100}){100}":  "invalid repeat count",
		"(x{30}){30}y|z": "", // 900 instructions are fine
		"(.x{900}){1,1}(.y{900}){1,1}(.z{900}){1,1}": "too complex",
	} {
		_, err := Compile(pattern, Options{})
		var coded *mcp.Error
		switch {
		case want == "" && err != nil:
			t.Errorf("Compile(%q): %v", pattern, err)
		case want != "" && (!errors.As(err, &coded) || coded.Code != "INVALID_PATTERN" || !strings.Contains(coded.Message, want)):
			t.Errorf("Compile(%q) = %v, want INVALID_PATTERN with %q", pattern, err, want)
		}
	}
}

// TestNeedles: a pattern that has a text in every match is searched through it.
func TestNeedles(t *testing.T) {
	for pattern, want := range map[string]string{
		"foo":                        "[{foo false}]",
		`\w+Handler\b`:               "[{Handler false}]",
		"ab.*cdef":                   "[{cdef false}]",
		"foo|bar":                    "[{foo false} {bar false}]",
		"(?i)Foo":                    "[{foo true}]",
		"(foo)+x?":                   "[{foo false}]",
		"(foo)*":                     "[]",
		"foo|b?":                     "[]",
		`\d+-\d+`:                    "[]",
		"func (a|b)x":                "[{func  false}]",
		"(?i)straße":                 "[{stra true}]",
		"a|b|c":                      "[]",
		"aa|bb|cc|dd|ee|ff|gg|hh|ii": "[]",
	} {
		p, err := Compile(pattern, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(p.needles); got != want {
			t.Errorf("%s has the needles %s, want %s", pattern, got, want)
		}
	}
}

func TestContext(t *testing.T) {
	p, err := Compile("x", Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := "x1\nb\nc\nd\nx5\nx6\ng\n"
	s := Search{Pattern: p, Context: 2, Max: 10, MaxSize: 1 << 20}
	matches, err := s.Text(context.Background(), strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	want := `[{1 x1 [] [b c]} {5 x5 [c d] [x6 g]} {6 x6 [d x5] [g]}]`
	if got := fmt.Sprint(matches); got != want {
		t.Errorf("found %s, want %s", got, want)
	}
	s.Max = 1
	if matches, _ = s.Text(context.Background(), strings.NewReader(text)); fmt.Sprint(matches) != "[{1 x1 [] [b c]}]" {
		t.Errorf("with Max 1: %v", matches)
	}
	s.Max, s.Skip = 10, 5
	if matches, _ = s.Text(context.Background(), strings.NewReader(text)); fmt.Sprint(matches) != "[{6 x6 [d x5] [g]}]" {
		t.Errorf("behind line 5: %v", matches)
	}
}

func TestLongLines(t *testing.T) {
	p, err := Compile("needle", Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := Search{Pattern: p, Max: 10, MaxSize: 1 << 20}
	text := strings.Repeat("é", 100_000) + "needle" + strings.Repeat("z", 300_000) + "\nneedle\n"
	matches, err := s.Text(context.Background(), strings.NewReader(text))
	if err != nil || len(matches) != 2 || matches[1].Line != 2 {
		t.Fatalf("%d matches, %v", len(matches), err)
	}
	if got := matches[0].Text; len(got) > maxText+10 || !strings.HasPrefix(got, "…éé") || !strings.Contains(got, "needlezz") || !strings.HasSuffix(got, "zz…") {
		t.Errorf("the long line is shown as %q", got)
	}
	if _, err := s.Text(context.Background(), io.LimitReader(zeroes('a'), 2<<20)); err != ErrLongLine {
		t.Errorf("a line of 2 MiB: %v", err)
	}
	if _, err := s.Text(context.Background(), strings.NewReader("needle\n\x00\n")); err != ErrBinary {
		t.Errorf("a NUL: %v", err)
	}
	if _, err := s.Text(context.Background(), iotest.ErrReader(io.ErrClosedPipe)); err != io.ErrClosedPipe {
		t.Errorf("a broken file: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Text(ctx, strings.NewReader(strings.Repeat("a\n", maxLine))); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

// TestBounds: what is kept of a text that matches everywhere is bounded.
func TestBounds(t *testing.T) {
	p, err := Compile("a", Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := Search{Pattern: p, Max: 1000, MaxSize: 5000, Context: 3}
	matches, err := s.Text(context.Background(), strings.NewReader(strings.Repeat(strings.Repeat("a", 300)+"\n", 10_000)))
	size := 0
	for i := range matches {
		size += matches[i].Size()
	}
	if err != nil || size <= 5000 || size > 5000+7*400 {
		t.Errorf("%d bytes of matches, %v", size, err)
	}
}

type zeroes byte

func (z zeroes) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(z)
	}
	return len(p), nil
}

// TestAsLineByLine compares the search, in windows of all sizes, with one that
// takes the lines apart and asks regexp about each.
func TestAsLineByLine(t *testing.T) {
	patterns := []string{
		"a", "ab", "b$", "^a", "^$", `\bab\b`, "a.b", "a|b", "ab|ba|cc", "(?i)AB", "(?i)k|s", "[^a]", `\s`, "a*", `\Ba`, "x{0,2}y", "[^b]$", "(?m)^b$", "c?$", "é", "(?i)É",
	}
	words := []string{"a", "b", "ab", "ba", "c", " ", "\n", "\n", "\r\n", "\r", "xy", "k", "K", "s", "é", "É", "A", "B", "\u212a", "\u017f"}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 0))
		pattern := patterns[r.IntN(len(patterns))]
		o := Options{IgnoreCase: r.IntN(3) == 0, Literal: r.IntN(4) == 0}
		var b strings.Builder
		for range r.IntN(60) {
			b.WriteString(words[r.IntN(len(words))])
		}
		text := b.String()
		p, err := Compile(pattern, o)
		if err != nil {
			t.Fatal(err)
		}
		s := Search{Pattern: p, Max: 1 + r.IntN(30), MaxSize: 1 << 20, Context: r.IntN(4), Skip: int64(r.IntN(3)), buf: make([]byte, 8+r.IntN(40))}
		got, err := s.Text(context.Background(), iotest.HalfReader(strings.NewReader(text)))
		if err != nil {
			t.Fatal(err)
		}
		if want := reference(pattern, o, text, &s); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("seed %d: %q %+v in %q, %+v:\ngot  %v\nwant %v", seed, pattern, o, text, s.Max, got, want)
		}
	}
}

func reference(pattern string, o Options, text string, s *Search) (matches []Match) {
	if o.Literal {
		pattern = regexp.QuoteMeta(pattern)
	}
	if o.IgnoreCase {
		pattern = "(?i:" + pattern + ")"
	}
	re := regexp.MustCompile(pattern)
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
	}
	for i, line := range lines {
		if re.MatchString(line) && int64(i+1) > s.Skip && len(matches) < s.Max {
			matches = append(matches, Match{
				Line: int64(i + 1), Text: line,
				Before: lines[max(0, i-s.Context):i],
				After:  lines[i+1 : min(len(lines), i+1+s.Context)],
			})
		}
	}
	return matches
}

func BenchmarkSearch(b *testing.B) {
	text := strings.Repeat("the quick brown fox jumps over the lazy dog, 1234-56\n", 20_000)
	for name, pattern := range map[string]string{
		"text": "nothing here", "needle": `\w+Handler\b`, "fold": "(?i)nothing", "two": "cat|horse", "class": `\d{5}-\d`, "everyLine": "lazy",
	} {
		p, err := Compile(pattern, Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			s := Search{Pattern: p, Max: 1 << 30, MaxSize: 1 << 30}
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				s.Text(context.Background(), strings.NewReader(text))
			}
		})
	}
}
