package lex

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unsafe"
)

func TestValid(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `false`, `0`, `-0`, `10`, `1.50`, `1e5`, `1E+5`, `-0.0e-05`, `1e400`,
		`""`, `"a"`, `"\"\\\/\b\f\n\r\t"`, `"\u0041\u00e9\uD83D\ude00"`, `"\u0000"`, `"\uFFFF"`,
		`"é€😀"`, "\"\x7f\"", `"\ud7ff\ue000"`, "\"\u2028\ufeff\ufffd\"",
		`[]`, `{}`, ` [ ] `, "\t{\r\n} ", `[1,2, 3]`, `[[],{}]`, `{"":0}`, `{"a":{"a":{"a":1}},"b":[{"a":2},{"a":3}]}`,
		`{"a":1,"A":2,"a ":3}`, `{"\n":1,"\\n":2}`, `{"\u006e":1,"\\u006e":2,"\n":3}`,
		"{ \"a\" \n:\t1 , \"b\" : [ 2 ] }",
		strings.Repeat("[", 64) + strings.Repeat("]", 64),
		strings.Repeat(`{"a":`, 64) + "1" + strings.Repeat("}", 64),
	} {
		if err := Valid([]byte(text)); err != nil {
			t.Errorf("%.80q: %v", text, err)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		text, want string
		at         int
	}{
		// The text as a whole.
		{``, `unexpected end of text, expected a value`, 0},
		{" \n", `unexpected end of text, expected a value`, 2},
		{`1 2`, `text goes on after the value`, 2},
		{`{}}`, `text goes on after the value`, 2},
		{"null\x00", `text goes on after the value`, 4},
		{"\x00", `unexpected '\x00', expected a value`, 0},
		{"\ufeff{}", `unexpected '\ufeff', expected a value`, 0},
		{"\v1", `unexpected '\v', expected a value`, 0},
		{"\u00a01", `unexpected '\u00a0', expected a value`, 0},
		{"\xff", `invalid UTF-8`, 0},
		{`// no`, `unexpected '/', expected a value`, 0},
		{`'a'`, `unexpected '\'', expected a value`, 0},
		{`é`, `unexpected 'é', expected a value`, 0},

		// Literals.
		{`tru`, `unexpected end of text, expected true`, 3},
		{`nul1`, `unexpected '1', expected null`, 3},
		{`falsE`, `unexpected 'E', expected false`, 4},
		{`True`, `unexpected 'T', expected a value`, 0},
		{`NaN`, `unexpected 'N', expected a value`, 0},
		{`truefalse`, `text goes on after the value`, 4},

		// Numbers.
		{`-`, `unexpected end of text, expected a digit`, 1},
		{`-a`, `unexpected 'a', expected a digit`, 1},
		{`-Infinity`, `unexpected 'I', expected a digit`, 1},
		{`+1`, `unexpected '+', expected a value`, 0},
		{`.5`, `unexpected '.', expected a value`, 0},
		{`1.`, `unexpected end of text, expected a digit`, 2},
		{`1.e2`, `unexpected 'e', expected a digit`, 2},
		{`1e`, `unexpected end of text, expected a digit`, 2},
		{`1e+`, `unexpected end of text, expected a digit`, 3},
		{`1e+-1`, `unexpected '-', expected a digit`, 3},
		{`01`, `number with a leading zero`, 0},
		{`[-00]`, `number with a leading zero`, 2},
		{`0x10`, `text goes on after the value`, 1},
		{`[1_000]`, `unexpected '_', expected ',' or ']'`, 2},
		{`1.5.5`, `text goes on after the value`, 3},

		// Strings.
		{`"`, `text ends inside a string`, 1},
		{`"abc`, `text ends inside a string`, 4},
		{`"abc\`, `text ends inside a string`, 4},
		{`"abc\"`, `text ends inside a string`, 6},
		{"\"a\nb\"", `unescaped control character '\n' in a string`, 2},
		{"\"a\x00\"", `unescaped control character '\x00' in a string`, 2},
		{"\"0123456789\x1f\"", `unescaped control character '\x1f' in a string`, 11},
		{`"C:\dir"`, `unknown escape in a string, write \\ for a backslash`, 3},
		{`"\'"`, `unknown escape in a string, write \\ for a backslash`, 1},
		{"\"\\\xff\"", `unknown escape in a string, write \\ for a backslash`, 1},
		{`"\U0041"`, `unknown escape in a string, write \\ for a backslash`, 1},
		{`"\u12"`, `\u without four hex digits`, 1},
		{`"\u12`, `\u without four hex digits`, 1},
		{`"\u12g4"`, `\u without four hex digits`, 1},
		{`"\u+123"`, `\u without four hex digits`, 1},
		{`"\ud800"`, `lone surrogate in a string`, 1},
		{`"\udc00"`, `lone surrogate in a string`, 1},
		{`"\udc00\ud800"`, `lone surrogate in a string`, 1},
		{`"\ud800\ud800"`, `lone surrogate in a string`, 1},
		{`"\ud800\u0041"`, `lone surrogate in a string`, 1},
		{`"\ud800\n"`, `lone surrogate in a string`, 1},
		{`"\ud800`, `lone surrogate in a string`, 1},
		{`"\ud800\`, `lone surrogate in a string`, 1},
		{`"\ud800\u`, `lone surrogate in a string`, 1},
		{`"\ud800\ud"`, `lone surrogate in a string`, 1},
		{`"ok \ud83d\ude00 \ud83d"`, `lone surrogate in a string`, 17},
		{"\"a\x80\"", `invalid UTF-8`, 2},
		{"\"0123456é\xff\"", `invalid UTF-8`, 10},
		{"\"\xc0\x80\"", `invalid UTF-8`, 1},         // overlong
		{"\"\xed\xa0\x80\"", `invalid UTF-8`, 1},     // a surrogate
		{"\"\xf4\x90\x80\x80\"", `invalid UTF-8`, 1}, // over U+10FFFF
		{"\"\xe2\x82\"", `invalid UTF-8`, 1},         // cut short
		{"\"\xe2\\n\x82\x82\"", `invalid UTF-8`, 1},  // cut by an escape
		{"{\"\xff\":1}", `invalid UTF-8`, 2},

		// Arrays.
		{`[`, `unexpected end of text, expected a value`, 1},
		{`[1`, `unexpected end of text, expected ',' or ']'`, 2},
		{`[1,`, `unexpected end of text, expected a value`, 3},
		{`[1,]`, `unexpected ']', expected a value`, 3},
		{`[,1]`, `unexpected ',', expected a value`, 1},
		{`[1,,2]`, `unexpected ',', expected a value`, 3},
		{`[1 2]`, `unexpected '2', expected ',' or ']'`, 3},
		{`["a""b"]`, `unexpected '"', expected ',' or ']'`, 4},
		{`[}`, `unexpected '}', expected a value`, 1},
		{`[1}`, `unexpected '}', expected ',' or ']'`, 2},
		{`]`, `unexpected ']', expected a value`, 0},

		// Objects.
		{`{`, `unexpected end of text, expected a key in double quotes`, 1},
		{`{]`, `unexpected ']', expected a key in double quotes`, 1},
		{`{a:1}`, `unexpected 'a', expected a key in double quotes`, 1},
		{`{'a':1}`, `unexpected '\'', expected a key in double quotes`, 1},
		{`{1:1}`, `unexpected '1', expected a key in double quotes`, 1},
		{`{,}`, `unexpected ',', expected a key in double quotes`, 1},
		{`{"a"}`, `unexpected '}', expected ':' after a key`, 4},
		{`{"a" 1}`, `unexpected '1', expected ':' after a key`, 5},
		{`{"a":}`, `unexpected '}', expected a value`, 5},
		{`{"a":1`, `unexpected end of text, expected ',' or '}'`, 6},
		{`{"a":1,}`, `unexpected '}', expected a key in double quotes`, 7},
		{`{"a":1,,"b":2}`, `unexpected ',', expected a key in double quotes`, 7},
		{`{"a":1 "b":2}`, `unexpected '"', expected ',' or '}'`, 7},
		{`{"a":1]`, `unexpected ']', expected ',' or '}'`, 6},

		// Repeated keys.
		{`{"a":1,"a":2}`, `repeated key "a"`, 7},
		{`{"":1,"":2}`, `repeated key ""`, 6},
		{`{"a":1,"b":{"a":2},"a":3}`, `repeated key "a"`, 19},
		{`[{"x":[{"a":1,"a":2}]}]`, `repeated key "a"`, 14},
		{`{"a":1,"\u0061":2}`, `repeated key "a"`, 7},
		{`{"\u0061":1,"a":2}`, `repeated key "a"`, 12},
		{`{"\u0061b\n":1,"a\u0062\u000A":2}`, `repeated key "ab\n"`, 15},
		{`{"\ud83d\uDE00":1,"😀":2}`, `repeated key "😀"`, 18},
		{`{"x` + strings.Repeat("é", 40) + `":1,"x` + strings.Repeat("é", 40) + `":2}`,
			`repeated key "x` + strings.Repeat("é", 31) + `"…`, 87},

		// Depth.
		{strings.Repeat("[", 65), `nested deeper than 64`, 64},
		{strings.Repeat(`{"a":[`, 32) + `{}`, `nested deeper than 64`, 192},
	} {
		err := Valid([]byte(c.text))
		want := fmt.Sprintf("invalid JSON at byte %d: %s", c.at, c.want)
		if err == nil || err.Error() != want {
			t.Errorf("%.80q\n got %v\nwant %s", c.text, err, want)
		}
		var l Lexer
		l.Reset([]byte(c.text))
		walk(&l)
		if err := l.End(); err == nil || err.Error() != want {
			t.Errorf("%.80q, walked\n got %v\nwant %s", c.text, err, want)
		}
	}
}

// A decoder's way through arguments, value by value.
func TestWalk(t *testing.T) {
	text := ` { "pa\u0074h" : "a\tb" , "n" : -1.5e3 , "on" : true,"off":false, "none" :null, "more": {"x": [ 1 ,"]"]} , "list":["é", []]} `
	l := new(Lexer)
	l.Reset([]byte(text))
	is := func(got, want any) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("at byte %d: got %v, want %v; %v", l.Offset(), got, want, l.Err())
		}
	}
	key := func(want string) {
		t.Helper()
		is(l.More(), true)
		is(string(l.Key()), want)
	}
	is(l.Kind(), Kind('{'))
	is(l.Offset(), 1)
	is(l.Enter(), true)
	is(l.Kind(), Kind(0)) // no value before More
	key("path")
	is(l.Kind(), Kind('"'))
	is(string(l.String()), "a\tb")
	is(string(l.Raw()), `"a\tb"`)
	is(l.Kind(), Kind(0))
	key("n")
	is(string(l.Raw()), `"a\tb"`)
	is(l.Kind(), Kind('0'))
	is(string(l.Number()), "-1.5e3")
	is(string(l.Raw()), "-1.5e3")
	key("on")
	is(l.Kind(), Kind('t'))
	is(l.Bool(), true)
	is(string(l.Raw()), "true")
	key("off")
	is(l.Kind(), Kind('f'))
	is(l.Bool(), false)
	is(string(l.Raw()), "false")
	key("none")
	is(l.Kind(), Kind('n'))
	l.Null()
	is(string(l.Raw()), "null")
	key("more")
	is(string(l.Skip()), `{"x": [ 1 ,"]"]}`)
	is(string(l.Raw()), `{"x": [ 1 ,"]"]}`)
	key("list")
	is(l.Kind(), Kind('['))
	is(l.Enter(), true)
	is(l.More(), true)
	is(string(l.Skip()), `"é"`)
	is(l.More(), true)
	is(l.Enter(), true)
	is(l.More(), false)
	is(l.More(), false)
	is(l.More(), false)
	is(l.Offset(), len(text)-1)
	is(l.End(), nil)
	is(l.Offset(), len(text))
	is(l.Kind(), Kind(0))
	is(l.Err(), nil)
}

// A value of another kind than the one asked for is an error that says so.
func TestMismatch(t *testing.T) {
	for _, c := range []struct {
		text string
		read func(*Lexer)
		want string
	}{
		{`1`, func(l *Lexer) { l.String() }, `unexpected '1', expected a string`},
		{`"1"`, func(l *Lexer) { l.Number() }, `unexpected '"', expected a number`},
		{`null`, func(l *Lexer) { l.Bool() }, `unexpected 'n', expected true or false`},
		{`true`, func(l *Lexer) { l.Null() }, `unexpected 't', expected null`},
		{`true`, func(l *Lexer) { l.Enter() }, `unexpected 't', expected an object or an array`},
	} {
		var l Lexer
		l.Reset([]byte(c.text))
		c.read(&l)
		if got := l.End(); got == nil || got.Error() != "invalid JSON at byte 0: "+c.want {
			t.Errorf("%s: got %v, want %s", c.text, got, c.want)
		}
	}
}

// Calls in an order that the grammar does not have must not pass as a reading
// of the text, even where the text itself is fine.
func TestOutOfTurn(t *testing.T) {
	for name, read := range map[string]func(l *Lexer){
		"nothing":              func(l *Lexer) {},
		"two values":           func(l *Lexer) { l.Skip(); l.Skip() },
		"open":                 func(l *Lexer) { l.Enter() },
		"value without More":   func(l *Lexer) { l.Enter(); l.Skip() },
		"More outside":         func(l *Lexer) { l.More(); l.Skip() },
		"More after the end":   func(l *Lexer) { l.Skip(); l.More() },
		"Key outside":          func(l *Lexer) { l.Key(); l.Skip() },
		"value instead of Key": func(l *Lexer) { l.Enter(); l.More(); l.String(); l.More() },
		"More instead of Key":  func(l *Lexer) { l.Enter(); l.More(); l.More() },
		"More before value":    func(l *Lexer) { l.Enter(); l.More(); l.Key(); l.More() },
	} {
		var l Lexer
		l.Reset([]byte(`{"a":1}`))
		read(&l)
		if err := l.End(); err == nil || !strings.HasSuffix(err.Error(), "read out of turn") {
			t.Errorf("%s: %v", name, err)
		}
	}
	var never Lexer
	if never.Skip() != nil || never.End() == nil {
		t.Error("a lexer without Reset read something")
	}
}

// A reader that appends an element for each More must not get one too many.
func TestMoreIsFalseWhereNothingComes(t *testing.T) {
	for _, text := range []string{`[`, `[}`, `[1`, `[1,`, `[1,]`, `[1 2]`, `{`, `{]`, `{1`, `{"a":1`, `{"a":1,`, `{"a":1,}`} {
		var l Lexer
		l.Reset([]byte(text))
		l.Enter()
		more := 0
		for l.More() {
			more++
			if text[0] == '{' {
				l.Key()
			}
			l.Number()
		}
		if want := strings.Count(text[1:], "1") - strings.Count(text, "{1"); more != want || l.Err() == nil || l.End() == nil {
			t.Errorf("%s: %d elements, %v", text, more, l.End())
		}
	}
	var l Lexer
	l.Reset([]byte(`[1`))
	l.Enter()
	l.More()
	l.Number()
	if l.End() == nil {
		t.Error("an open array was taken for the end")
	}
}

func TestErrorStays(t *testing.T) {
	var l Lexer
	l.Reset([]byte(`{"a":"x","a":[1]}`))
	l.Enter()
	l.More()
	l.Key()
	l.String()
	l.More()
	if l.Key() != nil {
		t.Error("a repeated key was returned")
	}
	first := l.Err()
	if l.Kind() != 0 || l.Enter() || l.More() || l.Key() != nil || l.String() != nil || l.Number() != nil ||
		l.Bool() || l.Skip() != nil || l.Raw() != nil {
		t.Error("a call after an error gave more than a zero value")
	}
	l.Null()
	if l.Err() != first || l.End() != first {
		t.Errorf("the first error was %v, now it is %v", first, l.End())
	}
	var e *Error
	if !errors.As(first, &e) || e.Offset != 9 || e.Msg != `repeated key "a"` {
		t.Errorf("got %#v", first)
	}
	for range 1000 {
		l.Reset([]byte(`{"a":1,"b":2,"a":3}`))
		l.Skip()
	}
	l.Reset([]byte(`[]`))
	if l.Skip(); l.End() != nil || l.keys.rest != nil {
		t.Errorf("after Reset: %v, %d keys", l.End(), len(l.keys.rest))
	}
}

// What is returned may be appended to without harm to the text.
func TestTextStaysAsItIs(t *testing.T) {
	const text = `{"a":"b","c":1,"d":[2]}`
	src := []byte(text)
	var l Lexer
	l.Reset(src)
	l.Enter()
	l.More()
	_ = append(l.Key(), "!!"...)
	_ = append(l.String(), "!!"...)
	_ = append(l.Raw(), "!!"...)
	l.More()
	l.Key()
	_ = append(l.Number(), "!!"...)
	l.More()
	l.Key()
	_ = append(l.Skip(), "!!"...)
	l.More()
	if err := l.End(); err != nil || string(src) != text {
		t.Errorf("%s, %v", src, err)
	}
}

func TestAllocations(t *testing.T) {
	if size := unsafe.Sizeof(Lexer{}); size > 1024 {
		t.Errorf("a Lexer takes %d bytes", size)
	}
	ordinary := []byte(typicalArguments)
	if n := testing.AllocsPerRun(100, func() {
		var l Lexer
		l.Reset(ordinary)
		walk(&l)
		if l.End() != nil {
			t.Fatal(l.End())
		}
	}); n != 0 {
		t.Errorf("an ordinary text cost %v allocations", n)
	}
	var l Lexer
	for name, text := range map[string][]byte{
		"escapes":   []byte(`{"a\n":"b\n","c":"d\u0041\ud83d\ude00"}`),
		"many keys": manyKeys(200),
	} {
		if n := testing.AllocsPerRun(100, func() {
			l.Reset(text)
			walk(&l)
			if l.End() != nil {
				t.Fatal(l.End())
			}
		}); n != 0 {
			t.Errorf("%s cost a used lexer %v allocations", name, n)
		}
	}
}

// A lexer that lives on must not keep what one large text made it need.
func TestResetFreesLargeBuffers(t *testing.T) {
	var l Lexer
	l.Reset([]byte(`"` + strings.Repeat(`\n`, keepBuffers) + `"`))
	l.String()
	l.Reset(manyKeys(10_000))
	l.Skip()
	l.Reset(nil)
	if cap(l.scratch) > 0 || cap(l.keys.rest) > 0 || l.keys.tables != nil {
		t.Errorf("kept %d bytes of scratch, %d keys", cap(l.scratch), cap(l.keys.rest))
	}
}
