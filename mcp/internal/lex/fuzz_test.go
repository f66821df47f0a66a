package lex

import (
	"bytes"
	"errors"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func addTexts(f *testing.F) {
	for _, text := range []string{
		typicalArguments, ` {"a":[1,2.5e-3,true,false,null,"x",{},[]],"b":{"a":"\u00e9\n\ud83d\ude00é😀"}} `,
		`{"a":1,"\u0061":2}`, `{"\n":1,"\\n":2}`, `{"a":{"b":1,"b":2}}`, `{"":1,"":2}`,
		`"\ud800"`, `"\udc00\ud800"`, `"\ud800\udc00"`, `"\ud800\u0041"`, "\"\xff\"", "\"\xed\xa0\x80\"", "\"a\x1fb\"",
		`01`, `-0`, `1.`, `1e+`, `-`, `1E400`, `[1,]`, `{"a":1,}`, `{"a"}`, `{"a":}`, `[1 2]`, `1 2`, `tru`, `nulll`, ``, ` `,
		"\ufeff1", `[}`, `{]`, `"`, `"\`, `"\u12`, "\"\x7f\u2028\"", `{"a" :1 , "b": 2 }`, `"0123456789abcdef\"0123456789"`,
		strings.Repeat("[", 64) + strings.Repeat("]", 64), strings.Repeat("[", 65) + strings.Repeat("]", 65),
		string(manyKeys(20)), string(manyKeys(40)[:200]) + `"key\u007819":0}`, strings.Replace(string(manyKeys(20)), "key", `\u006bey`, -1),
	} {
		f.Add([]byte(text))
	}
}

// The same texts are accepted as by jsontext, but for the depth, and they hold
// the same values.
func FuzzLexAgainstJSONText(f *testing.F) {
	addTexts(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		given := bytes.Clone(text)
		err := Valid(text)
		var l Lexer
		l.Reset(text)
		walk(&l)
		if walked := l.End(); (walked == nil) != (err == nil) || err != nil && walked.Error() != err.Error() {
			t.Fatalf("skipped: %v\nwalked: %v", err, walked)
		}
		var e *Error
		switch accepted := jsontext.Value(text).IsValid(); {
		case errors.As(err, &e) && strings.HasPrefix(e.Msg, "nested deeper"):
			if brackets := bytes.Count(text, []byte("[")) + bytes.Count(text, []byte("{")); brackets <= MaxDepth {
				t.Fatalf("%d brackets: %v", brackets, err)
			}
		case accepted && err != nil:
			t.Fatalf("refused: %v", err)
		case !accepted && err == nil:
			t.Fatal("accepted, other than by jsontext")
		case err != nil && (e == nil || e.Offset < 0 || e.Offset > len(text)):
			t.Fatalf("%#v", err)
		case err == nil:
			l.Reset(text)
			compare(t, &l, jsontext.NewDecoder(bytes.NewReader(text)))
			if err := l.End(); err != nil {
				t.Fatal(err)
			}
			l.Reset(text)
			if got := l.Skip(); string(got) != strings.Trim(string(text), " \t\r\n") {
				t.Fatalf("Skip returned %q", got)
			}
		}
		if !bytes.Equal(given, text) {
			t.Fatal("the text was modified")
		}
	})
}

// compare walks two streams of the same valid text.
func compare(t *testing.T, l *Lexer, d *jsontext.Decoder) {
	next := func() jsontext.Token {
		token, err := d.ReadToken()
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	token := next()
	kind := l.Kind()
	if kind != Kind(token.Kind()) {
		t.Fatalf("kind %q, jsontext has %q", kind, token.Kind())
	}
	same := func(what string, got []byte) {
		if got == nil || string(got) != token.String() {
			t.Fatalf("%s %q, jsontext has %q", what, got, token.String())
		}
	}
	switch kind {
	case '{', '[':
		for l.Enter(); l.More(); {
			if kind == '{' {
				token = next()
				same("key", l.Key())
			}
			compare(t, l, d)
		}
		if end := next().Kind(); byte(end) != byte(kind)+2 {
			t.Fatalf("%q ends, jsontext has %q", kind, end)
		}
	case '"':
		same("string", l.String())
		again, err := jsontext.AppendUnquote(nil, l.Raw())
		if err != nil || string(again) != token.String() {
			t.Fatalf("raw string %q", l.Raw())
		}
	case '0':
		same("number", l.Number())
		same("raw number", l.Raw())
	case 't', 'f':
		if l.Bool() != token.Bool() {
			t.Fatalf("jsontext has %v", token)
		}
		same("raw", l.Raw())
	case 'n':
		l.Null()
		same("raw", l.Raw())
	}
}

// Whatever a reader calls, and in whatever order, it does not get to a good end
// with a text that is not valid.
func FuzzAnyCalls(f *testing.F) {
	f.Add([]byte(`{"a":}`), []byte("{mk0m."))
	f.Add([]byte(`{"a":1,"b":[true,null]}`), []byte("{mk0mk[mbmnmm"))
	f.Add([]byte(`["a""b"]`), []byte("[m\"\"m"))
	f.Add([]byte(`[1`), []byte("[m0"))
	f.Add([]byte(`{"a" "b"}`), []byte("{mk\"m"))
	f.Fuzz(func(t *testing.T, text, calls []byte) {
		var l Lexer
		l.Reset(text)
		for _, c := range calls {
			failed := l.Err() != nil
			ok := false
			switch c {
			case '{', '[':
				ok = l.Enter()
			case 'm':
				ok = l.More()
			case 'k':
				ok = l.Key() != nil
			case '"':
				ok = l.String() != nil
			case '0':
				ok = l.Number() != nil
			case 'b':
				ok = l.Bool()
			case 'n':
				l.Null()
			case '.':
				ok = l.Skip() != nil
			case 'r':
				ok = l.Raw() != nil
			default:
				ok = l.Kind() != 0
			}
			if failed && ok {
				t.Fatalf("%q returned something after %v", c, l.Err())
			}
			if l.Offset() > len(text) {
				t.Fatalf("consumed %d of %d bytes", l.Offset(), len(text))
			}
		}
		if l.End() == nil && Valid(text) != nil {
			t.Fatalf("accepted; rightly: %v", Valid(text))
		}
	})
}

func FuzzParseInt(f *testing.F) {
	for _, num := range []string{
		"0", "-0", "1", "1.0", "1e2", "100e-2", "1.5", "1e400", "1e999999999", "0e999999999", "1e-999999999",
		"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
		"922337203685477580.7e1", "18446744073709551616", "99999999999999999999", "0.00012e5", "10203040e-1", "1E+18", "1e19",
	} {
		f.Add(num)
	}
	f.Fuzz(func(t *testing.T, num string) {
		var l Lexer
		l.Reset([]byte(num))
		if l.Number() == nil || string(l.Raw()) != num {
			return
		}
		v, integral, fits := ParseInt([]byte(num))
		want, wantIntegral, wantFits := referenceInt(num)
		if v != want || integral != wantIntegral || fits != wantFits {
			t.Fatalf("%s: got %d %v %v, want %d %v %v", num, v, integral, fits, want, wantIntegral, wantFits)
		}
	})
}

// referenceInt is ParseInt by way of math/big, which is spared the exponents
// that num has too few digits to make up for.
func referenceInt(num string) (v int64, integral, fits bool) {
	if i := strings.IndexAny(num, "eE"); i >= 0 {
		exp, err := strconv.ParseInt(num[i+1:], 10, 64)
		if large := int64(len(num) + 20); err != nil || exp < -large || exp > large {
			zero := strings.Trim(num[:i], "-0.") == ""
			return 0, zero || num[i+1] != '-', zero
		}
	}
	r, ok := new(big.Rat).SetString(num)
	switch {
	case !ok:
		panic("math/big can't read " + num)
	case !r.IsInt():
		return 0, false, false
	case !r.Num().IsInt64():
		return 0, true, false
	}
	return r.Num().Int64(), true, true
}

func FuzzAppendQuote(f *testing.F) {
	for _, s := range []string{
		"", "plain", "0123456789\"0123456789\\", "\x00\b\t\n\f\r\x1f\x7f", "<&>'/\u2028\u2029", "é€😀\ufffd",
		"\xff", "a\xe2\x82", "\xe2\x82\n\xac", "\xed\xa0\x80", "\xf4\x90\x80\x80", "01234567\x80",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		quoted := AppendQuote([]byte("x\xff"), s)
		if !bytes.Equal(quoted, AppendQuote([]byte("x\xff"), []byte(s))) {
			t.Fatal("a string and its bytes give different texts")
		}
		quoted, ok := bytes.CutPrefix(quoted, []byte("x\xff"))
		if !ok {
			t.Fatal("what was there before was modified")
		}
		var l Lexer
		l.Reset(quoted)
		got := string(l.String())
		if err := l.End(); err != nil {
			t.Fatal(err)
		}
		if want := string([]rune(s)); got != want {
			t.Fatalf("read back %q, want %q", got, want)
		}
		if want, _ := jsontext.AppendQuote(nil, s); string(quoted) != string(want) {
			t.Fatalf("quoted %s, by jsontext %s", quoted, want)
		}
	})
}
