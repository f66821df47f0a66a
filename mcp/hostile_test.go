package mcp_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// bad is something that no good client sends. want is what the server sends
// back, in the words of frame.String; a ? stands for the id that can't be told.
type bad struct {
	name string
	sent string // without the last line feed
	want []string
}

func one(name, sent string, want ...string) bad { return bad{name, sent, want} }

// request is a frame with the members that are given as source text.
func request(id, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%s,"params":%s}`, id, method, params)
}

func hostileFrames() []bad {
	ping := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` }
	frames := []bad{
		one("words", "hello", "? -32700"),
		one("half a string", `"hel`, "? -32700"),
		one("log line", "2026/11/30 12:00:00 [INFO] {started}", "? -32700"),
		one("header", "Content-Length: 40\r\n\r\n"+ping("1"), "? -32700", "1 result"),
		one("number", "5", "? -32600"),
		one("string", `"ping"`, "? -32600"),
		one("true", "true", "? -32600"),
		one("null", "null", "? -32600"),
		one("empty array", "[]", "? -32600"),
		one("batch", "["+ping("1")+","+ping("2")+"]", "? -32600"),
		one("empty object", "{}", "? -32600"),
		one("two on a line", ping("1")+ping("2"), "1 -32700"),
		one("two on a line, CR", ping("1")+"\r"+ping("2"), "1 -32700"),
		one("comment", ping("1")+" // please", "1 -32700"),
		one("single quotes", `{'jsonrpc':'2.0'}`, "? -32700"),
		one("trailing comma", `{"jsonrpc":"2.0","id":1,"method":"ping",}`, "1 -32700"),
		one("cut behind the id", `{"jsonrpc":"2.0","id":7,"meth`, "7 -32700"),
		one("cut in the id", `{"jsonrpc":"2.0","id":7`, "? -32700"),
		one("cut in a text id", `{"jsonrpc":"2.0","id":"a`, "? -32700"),

		one("no version", `{"id":1,"method":"ping"}`, "1 -32600"),
		one("old version", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, "1 -32600"),
		one("version is a number", `{"jsonrpc":2.0,"id":1,"method":"ping"}`, "1 -32600"),
		one("no method", `{"jsonrpc":"2.0","id":1}`, "1 -32600"),
		one("method is a number", `{"jsonrpc":"2.0","id":1,"method":1}`, "1 -32600"),
		one("method is null", `{"jsonrpc":"2.0","id":1,"method":null}`, "1 -32600"),
		one("method and result", `{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}`, "1 -32600"),
		one("other members", `{"jsonrpc":"2.0","id":1,"method":"ping","x":[1],"ID":2,"Method":"no"}`, "1 result"),

		one("upper case", `{"JSONRPC":"2.0","ID":1,"METHOD":"ping"}`, "? -32600"),
		one("Method", `{"jsonrpc":"2.0","id":1,"Method":"ping"}`, "1 -32600"),
		one("Id makes a notification", `{"jsonrpc":"2.0","Id":1,"method":"ping"}`),
		one("Params", `{"jsonrpc":"2.0","id":1,"method":"tools/call","Params":{"name":"fx_echoText"}}`, "1 -32602"),
		one("Name", request("1", `"tools/call"`, `{"Name":"fx_echoText","arguments":{"text":"a"}}`), "1 -32602"),

		one("id twice", `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, "1 -32700"),
		one("method twice", `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`, "1 -32700"),
		one("method twice, escaped", `{"jsonrpc":"2.0","id":1,"method":"ping","m\u0065thod":"tools/list"}`, "1 -32700"),
		one("argument twice", call("1", "fx_echoText", `{"text":"a","text":"b"}`), "1 -32700"),
		one("argument twice, deep", call("1", "fx_takeEvery", `{"point":{"x":1,"x":2}}`), "1 -32700"),

		one("id is null", ping("null"), "? -32600"),
		one("id is an object", ping(`{"a":1}`), "? -32600"),
		one("id is an array", ping(`[1]`), "? -32600"),
		one("id is true", ping(`true`), "? -32600"),
		one("id is a fraction", ping(`1.5`), "? -32600"),
		one("id is a small fraction", ping(`1e-5`), "? -32600"),
		one("id is long", ping(`"`+strings.Repeat("x", 10<<20)+`"`), "? -32600"),
		one("id is a long number", ping(strings.Repeat("9", 2000)), "? -32600"),

		one("NUL", "\x00", "? -32700"),
		one("NUL behind", ping("1")+"\x00", "1 -32700"),
		one("NUL in a method", `{"jsonrpc":"2.0","id":1,"method":"pi`+"\x00"+`ng"}`, "1 -32700"),
		one("NUL in a method, escaped", `{"jsonrpc":"2.0","id":1,"method":"ping\u0000"}`, "1 -32601"),
		one("NULs", strings.Repeat("\x00", 100000), "? -32700"),
		one("UTF-16", utf16le(ping("1")+"\n"), "? -32700", "? -32700"),
		one("no UTF-8 in an id", ping("\"\xff\""), "? -32700"),
		one("no UTF-8 in a method", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xc3\"}", "1 -32700"),
		one("no UTF-8 in a key", "{\"jsonrpc\":\"2.0\",\"id\":1,\"\x80\":2}", "1 -32700"),
		one("no UTF-8 in an argument", call("1", "fx_echoText", "{\"text\":\"\xf0\x9f\"}"), "1 -32700"),
		one("overlong UTF-8", call("1", "fx_echoText", "{\"text\":\"\xc0\xaf\"}"), "1 -32700"),
		one("surrogate in UTF-8", call("1", "fx_echoText", "{\"text\":\"\xed\xa0\x80\"}"), "1 -32700"),
		one("lone surrogate", call("1", "fx_echoText", `{"text":"\ud800"}`), "1 -32700"),
		one("surrogates the wrong way round", call("1", "fx_echoText", `{"text":"\udc00\ud800"}`), "1 -32700"),
		one("lone surrogate in an id", ping(`"\udfff"`), "? -32700"),
		one("BOM, not at the start", "\ufeff"+ping("1"), "? -32700"),

		one("deep arrays", strings.Repeat("[", 1<<20), "? -32700"),
		one("deep objects", strings.Repeat(`{"a":`, 1<<20), "? -32700"),
		one("deep params", request("1", `"ping"`, `{"a":`+nested(100000)+`}`), "1 -32700"),
		one("as deep as may be", request("1", `"ping"`, `{"a":`+nested(62)+`}`), "1 result"),
		one("deeper by one", request("1", `"ping"`, `{"a":`+nested(63)+`}`), "1 -32700"),
		one("many keys", request("1", `"ping"`, manyKeys(100000)), "1 result"),
		one("many elements", request("1", `"ping"`, `{"a":[`+strings.Repeat("0,", 1<<20)+`0]}`), "1 result"),

		one("CRLF", ping("1")+"\r", "1 result"),
		one("blank lines", "\n\r\n  \n\t\r\n"),
		one("white space around", " \t"+ping("1")+" \t\r", "1 result"),
		one("white space within", " { \"jsonrpc\" : \"2.0\"\t, \"id\" : 1 , \"method\" : \"ping\" } ", "1 result"),
		one("line separators within", strings.Replace(ping("1"), ",", ",\u2028", 1), "? -32700"),

		one("number for a notification", `{"jsonrpc":"2.0","method":5}`, "? -32600"),
		one("ping as a notification", `{"jsonrpc":"2.0","method":"ping"}`),
		one("call as a notification", `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"fx_failWith","arguments":{"how":"panic"}}}`),
		one("initialize as a notification", `{"jsonrpc":"2.0","method":"initialize","params":{"protocolVersion":"2024-11-05"}}`),
		one("unknown notification", `{"jsonrpc":"2.0","method":"notifications/unheard_of","params":{"a":1}}`),
		one("notification with null", `{"jsonrpc":"2.0","method":"notifications/initialized","params":null}`),
		one("notification with an array", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}`),
		one("cancel with an id", request("1", `"notifications/cancelled"`, `{"requestId":1}`), "1 -32601"),

		one("result nobody asked for", `{"jsonrpc":"2.0","id":1,"result":{}}`),
		one("error nobody asked for", `{"jsonrpc":"2.0","id":"teaagent-1","error":{"code":-32603,"message":"no"}}`),
		one("error without an id", `{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}}`),
		one("error with a null id", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}`),
		one("result and error", `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"no"}}`),
		one("result without an id", `{"jsonrpc":"2.0","result":{}}`),
		one("answer without a version", `{"id":1,"result":{}}`),
		one("cut answer", `{"jsonrpc":"2.0","id":1,"result":{`, "1 -32700"),
	}
	for _, id := range []string{
		"0", "-0", "-1", "1.0", "1e2", "1E+2", "9007199254740993", "-9007199254740993", "9223372036854775807", "9223372036854775808",
		"-9223372036854775809", "123456789012345678901234567890", "1e400", `""`, `" "`, `"1"`, `"a\u0062\/\n\""`, `"\ud83d\ude00"`, `"😀 é"`, `"` + strings.Repeat("i", 500) + `"`,
	} {
		frames = append(frames, one("id "+id[:min(len(id), 40)], ping(id), id+" result"))
	}
	for _, method := range []string{
		"", " ", "pin", "PING", "ping ", "tools/CALL", "tools", "rpc.discover", "no/such/method", "resources/subscribe", "prompts/list", "logging/setLevel",
		"completion/complete", "sampling/createMessage", "roots/list", "elicitation/create", "tasks/list", "notifications/progress", strings.Repeat("m", 1<<20),
	} {
		frames = append(frames, one("method "+method[:min(len(method), 40)], request("1", `"`+method+`"`, "{}"), "1 -32601"))
	}
	for _, method := range []string{"ping", "initialize", "tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read", "no/such/method"} {
		for _, params := range []string{"null", "[]", `["fx_echoText"]`, "5", `"x"`, "true"} {
			frames = append(frames, one(method+" with "+params, request("1", `"`+method+`"`, params), "1 -32602"))
		}
	}
	for _, params := range []string{`{}`, `{"protocolVersion":5}`, `{"protocolVersion":null}`, `{"protocolVersion":["2025-11-25"]}`, `{"ProtocolVersion":"2025-11-25"}`} {
		frames = append(frames, one("initialize with "+params, request("1", `"initialize"`, params), "1 -32602"))
	}
	for _, cursor := range []string{`"x"`, "5", "null", "{}"} {
		for _, method := range []string{"tools/list", "resources/list", "resources/templates/list"} {
			frames = append(frames, one(method+" with the cursor "+cursor, request("1", `"`+method+`"`, `{"cursor":`+cursor+`}`), "1 -32602"))
		}
	}
	for _, params := range []string{`{}`, `{"uri":null}`, `{"uri":5}`, `{"URI":"fx://text"}`, `{"uri":""}`, `{"uri":"fx://text\u0000"}`, `{"uri":"fx://none"}`} {
		frames = append(frames, one("resources/read with "+params, request("1", `"resources/read"`, params), "1 -32602"))
	}
	for _, params := range []string{`{}`, `{"name":null}`, `{"name":5}`, `{"name":["fx_echoText"]}`, `{"arguments":{"text":"a"}}`} {
		frames = append(frames, one("tools/call with "+params, request("1", `"tools/call"`, params), "1 -32602"))
	}
	for _, meta := range []string{`null`, `5`, `[]`, `{"progressToken":null}`, `{"progressToken":{}}`, `{"progressToken":true}`} {
		frames = append(frames, one("tools/call with _meta "+meta, request("1", `"tools/call"`, `{"name":"fx_reportProgress","_meta":`+meta+`}`), "1 result"))
	}
	for _, params := range []string{``, `,"params":{}`, `,"params":{"requestId":null}`, `,"params":{"requestId":{}}`, `,"params":{"requestId":99}`, `,"params":{"requestId":"99","reason":5}`, `,"params":{"RequestId":99}`} {
		frames = append(frames, one("cancelled"+params, `{"jsonrpc":"2.0","method":"notifications/cancelled"`+params+`}`))
	}
	return frames
}

// What no good client sends gets an answer where one is due, and costs nothing
// else: a ping that follows is answered, and nothing was sent beside.
func TestHostileFrames(t *testing.T) {
	for revision, unknown := range map[string]string{"": "null", "2025-06-18": "null", "2025-11-25": "none"} {
		t.Run("after "+revision, func(t *testing.T) {
			t.Parallel()
			p := open(t, revision, "")
			for _, c := range hostileFrames() {
				p.Send(c.sent)
				var got []string
				for range c.want {
					f := next(t, p)
					if len(f.text) > 4096 {
						t.Errorf("%s: an answer of %d bytes", c.name, len(f.text))
					}
					got = append(got, f.String())
				}
				want := strings.Split(strings.ReplaceAll(strings.Join(c.want, "\n"), "?", unknown), "\n")
				if len(c.want) > 0 && !slices.Equal(got, want) {
					t.Errorf("%s: got %q, want %q", c.name, got, want)
				}
				p.Ping()
			}
		})
	}
}

// A frame that is cut anywhere gets one answer. Its id is in it if it was read
// to its end, and never half of it.
func TestCutFrames(t *testing.T) {
	t.Parallel()
	p := open(t, "", "")
	whole := request(`12345`, `"tools/call"`, `{"name":"fx_echoText","arguments":{"text":"\ud83d\ude00é"}}`)
	for n := 1; n < len(whole); n++ {
		p.Send(whole[:n])
		got, want := next(t, p).String(), "null -32700"
		if n > strings.Index(whole, "12345")+len("12345") {
			want = "12345 -32700"
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", whole[:n], got, want)
		}
	}
	p.Ping()
}

// No frame that differs from a good one by a few bytes does any harm.
func TestMutatedFrames(t *testing.T) {
	t.Parallel()
	p := open(t, "2025-11-25", `{"elicitation":{}}`)
	random := rand.New(rand.NewPCG(1, 2))
	seeds := []string{
		call("1", "fx_echoText", `{"text":"\u00e9","times":3}`),
		call(`"x"`, "fx_takeEvery", `{"text":"abc","point":{"x":1.5e3},"tags":["a"],"grid":[[1,2],[]]}`),
		cancel("1"),
		`{"jsonrpc":"2.0","id":"teaagent-1","result":{"action":"accept","content":{"name":"x"}}}`,
		request("2", `"tools/list"`, `{"_meta":{"progressToken":7}}`),
	}
	const alphabet = "{}[]\",:\\0123456789.eE+-tfnu \x00\xff\xc3\u2028"
	answers := 0
	for sent := 1; sent <= 3000; sent++ {
		line := []byte(seeds[random.IntN(len(seeds))])
		for range 1 + random.IntN(3) {
			i := random.IntN(len(line))
			switch random.IntN(3) {
			case 0:
				line[i] = alphabet[random.IntN(len(alphabet))]
			case 1:
				line = slices.Delete(line, i, min(len(line), i+1+random.IntN(4)))
			default:
				line = slices.Insert(line, i, line[i:min(len(line), i+1+random.IntN(8))]...)
			}
			if len(line) == 0 {
				line = []byte(" ")
			}
		}
		p.Send(string(line), `{"jsonrpc":"2.0","id":"over","method":"ping"}`)
		for next(t, p).String() != `"over" result` {
			if answers++; answers > sent {
				t.Fatalf("%d answers to %d lines, the last of which was %q", answers, sent, line)
			}
		}
	}
}

func nested(depth int) string {
	return strings.Repeat("[", depth) + strings.Repeat("]", depth)
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"key%d":%d`, i, i)
	}
	return "{" + b.String()[1:] + "}"
}

func utf16le(s string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(s)) {
		b.WriteByte(byte(unit))
		b.WriteByte(byte(unit >> 8))
	}
	return b.String()
}
