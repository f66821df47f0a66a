package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
)

// peer is a server in this process: answer gives the lines for a request.
// What it leaves unanswered ends the stream, so that no test waits.
type peer struct {
	answer func(request) []string

	out bytes.Buffer
}

type request struct {
	ID     int
	Method string
	Params struct {
		Name      string
		Arguments struct{ Path string }
		Cursor    string
	}
}

func (p *peer) Write(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			return 0, err
		}
		for _, l := range p.answer(r) {
			p.out.WriteString(l + "\n")
		}
	}
	return len(b), nil
}

// Read gives few bytes at a time, so that answers arrive in pieces.
func (p *peer) Read(b []byte) (int, error) {
	if p.out.Len() == 0 {
		return 0, io.EOF
	}
	return p.out.Read(b[:min(len(b), 50)])
}

func echo(r request) string { return textAnswer(r.ID, "path="+r.Params.Arguments.Path) }

func textAnswer(id int, text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":%q}]}}`, id, text)
}

func always(r request) []string { return []string{echo(r)} }

// on answers request n (counted from 0) with lines and all others well.
func on(n int, lines func(r request) []string) func(request) []string {
	return func(r request) []string {
		if r.ID == firstID+n {
			return lines(r)
		}
		return always(r)
	}
}

func batch(t *testing.T, c *Conn, calls int) *Batch {
	t.Helper()
	b := c.NewBatch()
	for i := range calls {
		path := fmt.Sprintf("p/%d\n\"é<", i)
		if err := b.Add("t_listThing0001", map[string]string{"path": path}, Text("path="+path)); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func conn(answer func(request) []string) *Conn {
	p := &peer{answer: answer}
	c := NewConn(p, p)
	c.buf = make([]byte, 64) // so small that it must move and grow
	return c
}

// wantError fails unless err says all of what.
func wantError(t *testing.T, err error, what ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error; want one with %q", what)
	}
	for _, w := range what {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q lacks %q", err, w)
		}
	}
}

func TestGoodAnswersAreAccepted(t *testing.T) {
	var odd []string
	for name, answer := range map[string]func(request) []string{
		"compact": always,
		"other key order, spaces and escapes": func(r request) []string {
			return []string{fmt.Sprintf(`{ "result": { "content": [ {"text" : "%s", "type": "text"} ] }, "id": %d, "jsonrpc": "2.0" }`,
				strings.NewReplacer("\n", `\u000a`, `"`, `\u0022`, "é", `\u00e9`, "<", `\u003c`).Replace("path="+r.Params.Arguments.Path), r.ID)}
		},
		"an id within the result": func(r request) []string {
			return []string{fmt.Sprintf(`{"result":{"_meta":{"id":1000001},"content":[{"type":"text","text":%q}]},"id":%d}`,
				"path="+r.Params.Arguments.Path, r.ID)}
		},
		"notifications between": func(r request) []string {
			return []string{`{"jsonrpc":"2.0","method":"notifications/message","params":{"id":1000000}}`, echo(r)}
		},
		"out of order": func(r request) []string {
			odd = append(odd, echo(r))
			if len(odd) < 10 {
				return nil
			}
			defer func() { odd = nil }()
			return []string{odd[9], odd[3], odd[5], odd[0], odd[1], odd[2], odd[4], odd[8], odd[7], odd[6]}
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := conn(answer)
			if _, err := batch(t, c, 100).Flood(10); err != nil {
				t.Error(err)
			}
			if name == "out of order" {
				return
			}
			took, err := batch(t, c, 20).Serial(0)
			if err != nil || len(took) != 20 {
				t.Errorf("%d of 20 calls were timed, error %v", len(took), err)
			}
			if err := c.Drain(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestBadAnswersAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		answer func(request) []string
		says   []string
	}{
		"dropped": {
			on(7, func(request) []string { return nil }),
			[]string{"not answered", "1000007"}},
		"duplicated": {
			on(7, func(r request) []string { return []string{echo(r), echo(r)} }),
			[]string{"1000007"}},
		"another call's content": {
			on(7, func(r request) []string { return []string{textAnswer(r.ID, "path=p/8\n\"é<")} }),
			[]string{"id 1000007", "wrong answer", "p/8"}},
		"content cut short": {
			on(7, func(r request) []string { return []string{textAnswer(r.ID, "path=p/")} }),
			[]string{"id 1000007", "wrong answer"}},
		"a second content": {
			on(7, func(r request) []string {
				return []string{strings.Replace(echo(r), `}]`, `},{"type":"text","text":"more"}]`, 1)}
			}),
			[]string{"id 1000007", "wrong answer"}},
		"an id that was never sent": {
			on(7, func(r request) []string { r.ID = 1234567; return []string{echo(r)} }),
			[]string{"1234567", "not waiting"}},
		"an answer before its request": {
			on(7, func(r request) []string { r.ID = firstID + 15; return []string{echo(r)} }),
			[]string{"1000015", "not waiting"}},
		"an id as a string": {
			on(7, func(r request) []string {
				return []string{strings.Replace(echo(r), `1000007`, `"1000007"`, 1)}
			}),
			[]string{"never sent"}},
		"an error": {
			on(7, func(r request) []string {
				return []string{fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":"no"}}`, r.ID)}
			}),
			[]string{"id 1000007", "refused"}},
		"a result marked as error": {
			on(7, func(r request) []string {
				return []string{strings.Replace(echo(r), `}]`, `}],"isError":true`, 1)}
			}),
			[]string{"id 1000007", "refused"}},
		"no JSON": {
			on(7, func(r request) []string { return []string{"listening"} }),
			[]string{"not a JSON-RPC message", "listening"}},
		"a request of the server's": {
			on(7, func(r request) []string { return []string{`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`} }),
			[]string{"asks for roots/list"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := batch(t, conn(test.answer), 20).Serial(0)
			wantError(t, err, test.says...)
			_, err = batch(t, conn(test.answer), 20).Flood(5)
			wantError(t, err, test.says...)
		})
	}
}

func TestDuplicateOfTheLastAnswerIsRefusedLater(t *testing.T) {
	last := on(19, func(r request) []string { return []string{echo(r), echo(r)} })
	c := conn(last)
	if _, err := batch(t, c, 20).Flood(20); err != nil {
		t.Fatal(err)
	}
	_, err := batch(t, c, 20).Flood(20)
	wantError(t, err, "id 1000019", "not waiting")

	c = conn(last)
	if _, err := batch(t, c, 20).Serial(0); err != nil {
		t.Fatal(err)
	}
	wantError(t, c.Drain(), "id 1000019", "not waiting")
}

func TestRefusalsAreTold(t *testing.T) {
	refuse := map[string]func(request) []string{
		"protocol error": func(r request) []string {
			return []string{fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":"no"}}`, r.ID)}
		},
		"isError": func(r request) []string {
			return []string{fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[],"isError": true}}`, r.ID)}
		},
	}
	for name, answer := range refuse {
		t.Run(name, func(t *testing.T) {
			b := conn(answer).NewBatch()
			if err := b.Add("t_listThing0001", map[string]int{"count": 99_999}, Refusal); err != nil {
				t.Fatal(err)
			}
			if _, err := b.Serial(0); err != nil {
				t.Error(err)
			}
		})
	}
	b := conn(always).NewBatch()
	if err := b.Add("t_listThing0001", map[string]int{"count": 99_999}, Refusal); err != nil {
		t.Fatal(err)
	}
	_, err := b.Serial(0)
	wantError(t, err, "were accepted")
}

func TestListNeedsEveryToolOnce(t *testing.T) {
	tool := func(name string) string {
		return fmt.Sprintf(`{"name":%q,"inputSchema":{"properties":{"path":{},"note":{}}}}`, name)
	}
	pages := func(pages ...string) func(request) []string {
		return func(r request) []string {
			at, next := 0, ""
			if r.Params.Cursor != "" {
				fmt.Sscan(r.Params.Cursor, &at)
			}
			if at+1 < len(pages) {
				next = fmt.Sprintf(`,"nextCursor":"%d"`, at+1)
			}
			return []string{fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"tools":[%s]%s}}`, r.ID, pages[at], next)}
		}
	}
	names := []string{"a", "b", "c"}
	for name, test := range map[string]struct {
		answer func(request) []string
		says   string
	}{
		"one page":         {pages(tool("b") + "," + tool("a") + "," + tool("c")), ""},
		"two pages":        {pages(tool("a")+","+tool("b"), tool("c")), ""},
		"a tool missing":   {pages(tool("a"), tool("c")), "1 of 3 tools are missing"},
		"a tool twice":     {pages(tool("a")+","+tool("b"), tool("b")+","+tool("c")), `"b" was not expected`},
		"a tool too many":  {pages(tool("a"), tool("b"), tool("c"), tool("d")), `"d" was not expected`},
		"an empty page":    {pages("", tool("a")), "empty page"},
		"an argument gone": {pages(tool("a"), strings.Replace(tool("b"), "note", "nose", 1)), `argument "note"`},
		"no answer":        {func(request) []string { return nil }, "not answered"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := conn(test.answer).List(names, []string{"path", "note"})
			if test.says == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wantError(t, err, test.says)
		})
	}
}
