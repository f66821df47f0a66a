package lex

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// benchTexts are the arguments of a typical call, and what a call that writes
// files brings along.
var benchTexts = []struct {
	name string
	text []byte
}{
	{"arguments", []byte(typicalArguments)},
	{"ascii100k", quoted(strings.Repeat("The quick brown fox jumps over it. ", 3000))},
	{"code100k", quoted(strings.Repeat("\tif err != nil {\n\t\treturn \"x\", err\n\t}\n", 2700))},
	{"greek100k", quoted(strings.Repeat("Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. ", 1600))},
	{"objects100k", []byte("[" + strings.Repeat(typicalArguments+",\n", 480) + "null]")},
}

const typicalArguments = `{"path": "internal/server/handler.go", "pattern": "func (s *Server) ", "limit": 200, ` +
	`"offset": 0, "caseSensitive": true, "include": ["*.go", "*.md"], "context": {"before": 2, "after": 3}}`

func quoted(s string) []byte { return AppendQuote(nil, s) }

// walk reads a text as a decoder does.
func walk(l *Lexer) {
	switch l.Kind() {
	case '{':
		for l.Enter(); l.More(); {
			l.Key()
			walk(l)
		}
	case '[':
		for l.Enter(); l.More(); {
			walk(l)
		}
	case '"':
		l.String()
	case '0':
		l.Number()
	case 't', 'f':
		l.Bool()
	default:
		l.Null()
	}
}

func BenchmarkWalk(b *testing.B) {
	for _, c := range benchTexts {
		b.Run(c.name+"/lex", func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				var l Lexer
				l.Reset(c.text)
				walk(&l)
				if err := l.End(); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.name+"/jsontext", func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				d := jsontext.NewDecoder(bytes.NewBuffer(c.text))
				for {
					t, err := d.ReadToken()
					if err == io.EOF {
						break
					}
					if err != nil {
						b.Fatal(err)
					}
					if t.Kind() == '"' {
						_ = t.String()
					}
				}
			}
		})
		b.Run(c.name+"/encoding-json", func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				d := json.NewDecoder(bytes.NewReader(c.text))
				for {
					_, err := d.Token()
					if err == io.EOF {
						break
					}
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func BenchmarkValid(b *testing.B) {
	check := func(b *testing.B, text []byte, valid func([]byte) bool) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if !valid(text) {
				b.Fatal("refused")
			}
		}
	}
	for _, c := range benchTexts {
		b.Run(c.name+"/lex", func(b *testing.B) {
			check(b, c.text, func(s []byte) bool { return Valid(s) == nil })
		})
		b.Run(c.name+"/jsontext", func(b *testing.B) {
			check(b, c.text, func(s []byte) bool { return jsontext.Value(s).IsValid() })
		})
		b.Run(c.name+"/encoding-json", func(b *testing.B) {
			check(b, c.text, json.Valid)
		})
	}
}

func BenchmarkAppendQuote(b *testing.B) {
	for _, c := range benchTexts[1:4] {
		var l Lexer
		l.Reset(c.text)
		s := string(l.String())
		buf := make([]byte, 0, 2*len(s))
		b.Run(c.name+"/lex", func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				AppendQuote(buf, s)
			}
		})
		b.Run(c.name+"/jsontext", func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				if _, err := jsontext.AppendQuote(buf, s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkParseInt(b *testing.B) {
	for _, num := range []string{"200", "-9223372036854775808", "1.50e3"} {
		b.Run(num, func(b *testing.B) {
			text := []byte(num)
			for b.Loop() {
				ParseInt(text)
			}
		})
	}
}

// A million keys must cost a million times one key, and not its square.
func BenchmarkManyKeys(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
	}{{"16", 16}, {"17", 17}, {"1000", 1000}, {"1000000", 1_000_000}} {
		text := manyKeys(c.n)
		b.Run(c.name+"/lex", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := Valid(text); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.name+"/jsontext", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if !jsontext.Value(text).IsValid() {
					b.Fatal("refused")
				}
			}
		})
	}
}

// manyKeys is an object with n keys.
func manyKeys(n int) []byte {
	b := []byte(`{"":0`)
	for i := range n - 1 {
		b = append(b, ',')
		b = AppendQuote(b, "key"+strings.Repeat("x", i%3)+strconv.Itoa(i))
		b = append(b, ":0"...)
	}
	return append(b, '}')
}
