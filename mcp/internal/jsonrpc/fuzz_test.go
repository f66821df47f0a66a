package jsonrpc

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// pieces is a stream that comes in pieces of the sizes given, again and again.
// A piece of no bytes is legal too.
type pieces struct {
	data     []byte
	sizes    []byte
	n        int
	err      error // at the end; comes with the last piece if together
	together bool
}

func (p *pieces) Read(buf []byte) (int, error) {
	if len(p.data) == 0 {
		return 0, p.err
	}
	size := len(p.data)
	if len(p.sizes) > 0 {
		size = min(size, int(p.sizes[p.n%len(p.sizes)]))
		if p.n++; p.n > 4*len(p.data) { // sizes that are all 0 get nowhere
			size = len(p.data)
		}
	}
	n := copy(buf, p.data[:size])
	if p.data = p.data[n:]; len(p.data) == 0 && p.together {
		return n, p.err
	}
	return n, nil
}

type gotLine struct {
	text string
	long bool
}

// model says what lines a stream has.
func model(data string, max int) (lines []gotLine) {
	for i, line := range strings.Split(data, "\n") {
		line = strings.TrimSuffix(line, "\r")
		long := len(line) > max
		if long {
			line = line[:min(max, firstBuffer)]
		}
		if i == 0 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		if line = strings.Trim(line, " \t\r"); line != "" || long {
			lines = append(lines, gotLine{line, long})
		}
	}
	return lines
}

// In whatever pieces a stream comes, and however often the reader is handed
// over while it waits, its lines are the same; and those that a reader returned
// before it was handed over stay as they were.
func FuzzReader(f *testing.F) {
	f.Add([]byte("\xef\xbb\xbf{}\r\n\n  \n{\"a\":1}\nlast"), uint16(0), []byte{1}, uint16(1000), uint64(0), false)
	f.Add([]byte("short\nmuch too long for this\r\nshort\r\n"), uint16(0), []byte{3, 0, 5}, uint16(6), uint64(0b101), true)
	f.Add([]byte("x                    \nx\r\r\n\r\r\r\r\r\r\r\r"), uint16(0), []byte{7}, uint16(4), uint64(0), false)
	f.Add([]byte("12345\r\n123456\r\n12345\r"), uint16(0), []byte{6}, uint16(5), uint64(1), false)
	f.Add([]byte("\xef\xbb\xbf\xef\xbb\xbfa\n\xef\xbb\xbfb"), uint16(0), []byte{1, 2}, uint16(3), uint64(7), true)
	f.Add([]byte("a line of some length\n"), uint16(3000), []byte{255, 1, 100}, uint16(30), uint64(0xaaaa), false)
	f.Add([]byte("0123456789"), uint16(9000), []byte{255}, uint16(firstBuffer), uint64(2), false)
	f.Add([]byte("x"), uint16(65000), []byte{}, uint16(65001), uint64(0), false)
	f.Add([]byte("x"), uint16(65001), []byte{}, uint16(65001), uint64(0), false)
	f.Fuzz(func(t *testing.T, data []byte, again uint16, sizes []byte, max uint16, leave uint64, together bool) {
		for unit := data; len(data) < int(again); { // a long stream from a short input
			if data = append(bytes.Clone(data), unit...); len(unit) == 0 {
				break
			}
			unit = data
		}
		end := io.EOF
		if together {
			end = errors.New("the stream broke")
		}
		given := bytes.Clone(data)
		r := NewReader(&pieces{data: data, sizes: sizes, err: end, together: together}, int(max))
		hands := 0
		hand := func() bool {
			leave = leave>>1 | leave<<63
			hands++
			return leave&1 == 1 && hands < 50
		}
		var got []gotLine
		var held [][]byte // lines in use by whom the reader was handed over from
		var heldText []string
		var err error
		for err != end {
			var line []byte
			line, err = r.Next(func() bool { return !hand() })
			switch err {
			case nil, ErrTooLong:
				got = append(got, gotLine{string(line), err != nil})
				if hand() {
					held, heldText = append(held, line), append(heldText, string(line))
					r = r.Fork()
				}
			case ErrLeft:
				r = r.Fork()
			case end:
			default:
				t.Fatal(err)
			}
			if (err == end || err == ErrLeft) && line != nil {
				t.Fatalf("a line and %v", err)
			}
		}
		for i := range held {
			if string(held[i]) != heldText[i] {
				t.Fatal("a line that was returned has changed")
			}
		}
		want := model(string(given), int(max))
		if len(got) != len(want) {
			t.Fatalf("%d lines, want %d", len(got), len(want))
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("line %d: got %.100q (too long: %v), want %.100q (%v)", i, got[i].text, got[i].long, want[i].text, want[i].long)
			}
		}
		if _, err := r.Next(func() bool { return true }); err != end {
			t.Fatalf("behind the end: %v", err)
		}
	})
}

// What Parse takes is what jsontext takes, of the shape that JSON-RPC and MCP
// ask for; what it returns is what the line says.
func FuzzParse(f *testing.F) {
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":"a\u0062","method":"p\u0069ng","params":{"_meta":{"x":[1,2.5e3,null]}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","id":9223372036854775808,"result":{}}`, `{"jsonrpc":"2.0","id":1e2,"error":{"code":1}}`,
		`{"jsonrpc":"2.0","error":{}}`, `{"jsonrpc":"2.0","id":1.5,"method":"x"}`, `{"jsonrpc":"2.0","id":null,"method":"x"}`,
		`{"jsonrpc":"2.0","id":1,"method":"x","result":1}`, `{"jsonrpc":"2.0","id":1,"result":1,"error":null}`,
		`{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}`, `{"jsonrpc":"2.0","id":1,"method":"x","params":[]}`,
		`{"jsonrpc":"2.0","id":12`, `{"jsonrpc":"2.0","id":12 `, `{"id":1,"method":"x"}`, `{"JSONRPC":"2.0","Id":1,"METHOD":"x"}`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `5`, `"x"`, `null`, ``, ` `, "\x00", "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\"}",
		`{"jsonrpc":"2.\u0030","id":"\ud800","method":"x"}`, `{"jsonrpc":"2.0","id":"` + strings.Repeat("i", 1023) + `","method":"x"}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		given := bytes.Clone(line)
		var m Message
		fault := m.Parse(line)
		if !bytes.Equal(given, line) {
			t.Fatal("the line was modified")
		}
		deep := bytes.Count(line, []byte("["))+bytes.Count(line, []byte("{")) > 64
		members, valid := split(line)
		if !valid || deep {
			if fault == nil && !valid {
				t.Fatal("taken, other than by jsontext")
			}
			if fault != nil && (fault.Code != ParseError || fault.Text == "") && !valid {
				t.Fatalf("no JSON, but %v", fault)
			}
			if string(m.ID) != "" && !bytes.Contains(line, m.ID) {
				t.Fatalf("id %q is not from here", m.ID)
			}
			return
		}
		if fault != nil && fault.Code == ParseError {
			t.Fatalf("refused, other than by jsontext: %s", fault.Text)
		}
		want := judge(members)
		switch {
		case (fault == nil) != (want == 0), fault != nil && fault.Code != want:
			t.Fatalf("got %v, want %d", fault, want)
		case members == nil:
			return
		}
		if id := members["id"]; goodID(id) && string(m.ID) != string(id) || !goodID(id) && m.ID != nil {
			t.Fatalf("id %q, want %q", m.ID, id)
		}
		method, _ := jsontext.AppendUnquote(nil, members["method"])
		if members["method"].Kind() == '"' && (m.Method == nil || string(m.Method) != string(method)) {
			t.Fatalf("method %q, want %q", m.Method, method)
		}
		for name, got := range map[string][]byte{"params": m.Params, "result": m.Result, "error": m.Error} {
			if (got == nil) != (members[name] == nil) || string(got) != string(members[name]) {
				t.Fatalf("%s %q, want %q", name, got, members[name])
			}
		}
	})
}

// split returns the members of an object, or nil for another value.
func split(line []byte) (members map[string]jsontext.Value, valid bool) {
	value := jsontext.Value(line)
	if !value.IsValid() {
		return nil, false
	}
	if value.Kind() != '{' {
		return nil, true
	}
	members = map[string]jsontext.Value{}
	d := jsontext.NewDecoder(bytes.NewReader(line))
	d.ReadToken()
	for d.PeekKind() == '"' {
		key, _ := d.ReadToken()
		name := key.String()
		text, _ := d.ReadValue()
		members[name] = bytes.Clone(text)
	}
	return members, true
}

// judge returns the code of what is wrong with a message, or 0.
func judge(members map[string]jsontext.Value) int {
	_, hasID := members["id"]
	method, hasMethod := members["method"]
	_, hasResult := members["result"]
	_, hasError := members["error"]
	params, hasParams := members["params"]
	switch {
	case string(members["jsonrpc"]) != `"2.0"`,
		hasID && !goodID(members["id"]),
		hasMethod && method.Kind() != '"',
		hasMethod && (hasResult || hasError),
		!hasMethod && hasResult == hasError,
		!hasMethod && !hasID:
		return InvalidRequest
	case hasParams && params.Kind() != '{':
		return InvalidParams
	}
	return 0
}

// goodID takes strings and whole numbers. A number is whole if its last
// digit that is not 0 is not behind the point.
func goodID(id jsontext.Value) bool {
	if len(id) == 0 || len(id) > 1024 {
		return false
	}
	if id.Kind() == '"' {
		return true
	}
	if id.Kind() != '0' {
		return false
	}
	digits, exponent, _ := strings.Cut(strings.ToLower(string(id)), "e")
	whole, fraction, _ := strings.Cut(digits, ".")
	all := strings.TrimLeft(whole, "-") + fraction
	significant := strings.TrimRight(all, "0")
	if significant == "" || exponent == "" && fraction == "" {
		return true
	}
	e, err := strconv.ParseInt("0"+strings.TrimLeft(exponent, "+-"), 10, 32)
	if err != nil {
		e = 1 << 31
	}
	if strings.HasPrefix(exponent, "-") {
		e = -e
	}
	behind := int64(len(fraction) - (len(all) - len(significant)))
	return behind <= e
}
