package mcp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// How a session is led is a byte of the fuzzer's: the revision that initialize
// asks for, and these.
const (
	howRevision = 7 // 0 is no initialize, 5 to 7 are revisions that nobody knows
	howElicits  = 1 << 3
	howCancels  = 1 << 4 // right behind the request
	howSeed     = 1 << 5
	howPrompt   = 1 << 6
	howTampers  = 1 << 7 // with requestState
)

var fuzzRevisions = []string{"", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "1900-01-01", ""}

const (
	modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"progressToken":7}`
	accepted   = `{"action":"accept","content":{"name":"x","approve":true,"scope":"session"}}`
)

// fuzzMetas are metadata that any request may have. They end params.
var fuzzMetas = []string{
	`"_meta":{}`, modernMeta, `"_meta":null`, `"_meta":{"progressToken":"a\u0062"}`, `"_meta":{"progressToken":1e400,"x/y":[null]}`,
	`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`, `"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}`,
	`"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}`,
	`"_meta":{"io.modelcontextprotocol/protocolVersion":5,"io.modelcontextprotocol/clientCapabilities":[],"io.modelcontextprotocol/logLevel":"debug"}`,
}

// fuzzRequest fuzzes the params of a method, from the seeds, which are members.
func fuzzRequest(f *testing.F, method string, seeds ...string) {
	for i, seed := range append(seeds, "") {
		for j, meta := range fuzzMetas {
			params := "{" + strings.Trim(seed+","+meta, ",") + "}"
			f.Add(uint8(i*len(fuzzMetas)+j)&^howCancels, []byte(params), []byte(accepted))
		}
		f.Add(uint8(howTampers|howPrompt), []byte("{"+strings.Trim(seed+","+modernMeta, ",")+"}"), []byte(accepted))
		f.Add(uint8(4|howElicits), []byte("{"+seed+"}"), []byte(accepted))
		f.Add(uint8(4|howElicits|howCancels), []byte("{"+seed+"}"), []byte(accepted))
	}
	for _, params := range []string{"null", "[]", "5", `"x"`, "{}}", `{},"id":5`, `{},"result":{}`, "{", "\xff", `{"a":` + nested(100) + `}`} {
		f.Add(uint8(3), []byte(params), []byte(`{"action":"cancel"}`))
	}
	f.Fuzz(func(t *testing.T, how uint8, params, answer []byte) { tryRequest(t, how, method, params, answer) })
}

func FuzzInitialize(f *testing.F) {
	fuzzRequest(f, "initialize", `"protocolVersion":"2025-06-18","capabilities":{"elicitation":{"form":{}}},"clientInfo":{"name":"c","version":"1"}`,
		`"protocolVersion":"2024-11-05","capabilities":{}`, `"protocolVersion":"2026-07-28"`, `"protocolVersion":5`, `"capabilities":{"elicitation":null}`)
}

func FuzzDiscover(f *testing.F) { fuzzRequest(f, "server/discover", `"x":1`) }

func FuzzToolsList(f *testing.F) { fuzzRequest(f, "tools/list", `"cursor":""`, `"cursor":null`) }

func FuzzToolsCall(f *testing.F) {
	fuzzRequest(f, "tools/call",
		`"name":"fz_echo","arguments":{"text":"\ud83d\ude00","n":1e2,"list":[1.5,-0]}`, `"name":"fz_count","arguments":{"n":-6}`, `"name":"fz_count","arguments":{"n":4,"text":"null"}`,
		`"name":"fz_show","arguments":{"text":"a"}`, `"name":"fz_ask","arguments":{"text":"Who?"}`, `"name":"fz_ask","arguments":{"n":1,"text":"Who, and why?"}`, `"name":"fz_ask","arguments":{"n":-1}`, `"name":"fz_echo","arguments":{"n":7,"text":"a"}`, `"name":"fz_drop","arguments":{"confirm":true}`,
		`"name":"fz_drop","arguments":{"dry_run":true,"text":"x"}`, `"name":"fz_fail","arguments":{"text":"\u0000"}`, `"name":"fz_none","arguments":null`, `"arguments":{},"name":5`,
		`"name":"fz_ask","arguments":{},"inputResponses":{"ask-1":`+accepted+`},"requestState":"AAAA"`, `"name":"fz_drop","inputResponses":{"approval":5},"requestState":7`)
}

func FuzzResourcesList(f *testing.F) {
	fuzzRequest(f, "resources/list", `"cursor":"2"`, `"cursor":"3"`, `"cursor":""`, `"cursor":{}`)
}

func FuzzResourcesRead(f *testing.F) {
	fuzzRequest(f, "resources/read", `"uri":"fz://a/b"`, `"uri":"fz://blob/x"`, `"uri":"fz://broken"`, `"uri":"\u0000"`, `"uri":["fz://a"]`, `"uri":"fz://a","requestState":"x","inputResponses":{}`)
}

// The methods without params of their own, and those that there are not.
func FuzzMethod(f *testing.F) {
	for i, method := range []string{"ping", "resources/templates/list", "logging/setLevel", "resources/subscribe", "prompts/get", "notifications/cancelled", "subscriptions/listen", "\x00", `a\`, "\xff"} {
		for _, meta := range fuzzMetas {
			f.Add(uint8(i), method, []byte("{"+meta+"}"))
		}
	}
	f.Fuzz(func(t *testing.T, how uint8, method string, params []byte) {
		tryRequest(t, how&^howCancels, method, params, []byte(accepted))
	})
}

var fuzzIDs = []string{"1", `"a\u0062"`, "-0", "1e2", `"😀"`, "9007199254740993", `""`, `"1"`}

// tryRequest sends a request between an initialize and a ping. All are
// answered, once; the request's params, whatever they are, do not matter to the
// others.
func tryRequest(t *testing.T, how uint8, method string, params, answer []byte) {
	params = bytes.ReplaceAll(params, []byte("\n"), []byte(" ")) // it is one line
	if bytes.ContainsRune(answer, '\n') || !jsontext.Value(answer).IsValid() {
		answer = []byte(`{"action":"decline"}`)
	}
	id := fuzzIDs[int(how)%len(fuzzIDs)]
	named, err := json.Marshal(method)
	if err != nil {
		t.Fatal(err)
	}
	s := &fuzzSession{t: t, answers: []string{string(answer)}, waits: map[string]bool{`"over"`: true}}
	trip := fuzzTrip{t: t, s: s, method: string(named), params: string(params), answer: string(answer), tampers: how&howTampers != 0, ids: []string{id}}
	s.then = trip.next
	if revision := fuzzRevisions[how&howRevision]; how&howRevision != 0 {
		capabilities := "{}"
		if how&howElicits != 0 {
			capabilities = `{"elicitation":{}}`
		}
		s.waits[`"init"`] = true
		s.in = fmt.Appendf(s.in, "{\"jsonrpc\":\"2.0\",\"id\":\"init\",\"method\":\"initialize\",\"params\":{\"protocolVersion\":%q,\"capabilities\":%s}}\n", revision, capabilities)
	}
	sent := fmt.Appendf(nil, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":%s,\"params\":%s}", id, named, params)
	s.in = append(append(s.in, sent...), '\n')
	if s.waits[id] = true; how&howCancels != 0 {
		delete(s.waits, id)
		s.in = fmt.Appendf(s.in, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%s}}\n", id)
	}
	s.in = append(s.in, "{\"jsonrpc\":\"2.0\",\"id\":\"over\",\"method\":\"ping\"}\n"...)
	s.serve(how)

	r := referee{t: t, method: method, params: membersOf(sent)["params"], how: how}
	answered := map[string]int{}
	for _, m := range s.lines {
		r.line(m)
		if got := string(m.members["id"]); m.members["method"] == nil {
			answered[got]++
			switch {
			case slices.Contains(trip.ids, got):
				r.answer(m)
			case got == `"over"` && string(m.text) != `{"jsonrpc":"2.0","id":"over","result":{}}`:
				t.Errorf("ping: %s", m.text)
			case got != `"over"` && got != `"init"`:
				t.Errorf("an answer to nothing: %s", m.text)
			}
		}
	}
	for id, n := range answered {
		if n != 1 {
			t.Errorf("%d answers to %s", n, id)
		}
	}
}

// fuzzTrip leads a modern request through its questions: it comes back with the
// answers and the server's requestState, and then once more with the same.
type fuzzTrip struct {
	t                      *testing.T
	s                      *fuzzSession
	method, params, answer string
	tampers                bool
	ids                    []string // of the request and its retries
	last                   string   // params of the last retry
}

func (r *fuzzTrip) next(id string, m fuzzLine) (retry string) {
	if id != r.ids[len(r.ids)-1] {
		return "" // of another request
	}
	result := membersOf(m.members["result"])
	needs := string(result["resultType"]) == `"input_required"`
	if len(r.ids) > 1 && (r.tampers || r.last == "") && (needs || result != nil && result["isError"] == nil) {
		r.t.Errorf("a requestState was taken that is changed, or was used: %s", m.text)
	}
	members := membersOf(jsontext.Value(r.params))
	switch {
	case members["requestState"] != nil, members["inputResponses"] != nil, len(members) == 0, len(r.ids) > 4:
		return ""
	case needs:
		state := bytes.Clone(result["requestState"])
		if i := len(state) / 2; r.tampers {
			state[i] = "AB"[state[i]&1]
		}
		var responses []string
		for key := range membersOf(result["inputRequests"]) {
			responses = append(responses, fmt.Sprintf("%q:%s", key, r.answer))
		}
		retry = fmt.Sprintf(`{"inputResponses":{%s},"requestState":%s,%s`, strings.Join(responses, ","), state, strings.TrimSpace(r.params)[1:])
		r.last = retry
	case r.last != "" && result != nil && result["isError"] == nil:
		retry, r.last = r.last, ""
	default:
		return ""
	}
	next := fmt.Sprintf("%q", fmt.Sprint("retry-", len(r.ids)))
	r.ids = append(r.ids, next)
	r.s.waits[next] = true
	return fmt.Sprintf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":%s,\"params\":%s}\n", next, r.method, retry)
}

// Whole lines, and lines that are none: whatever a client sends, there are no
// more answers than it asked for, under its own ids, and the ping behind it is
// answered.
func FuzzSession(f *testing.F) {
	for i, c := range hostileFrames() {
		if len(c.sent) < 1<<12 {
			f.Add(uint8(i), []byte(strings.ReplaceAll(c.sent, "fx_echoText", "fz_echo")))
		}
	}
	ping, ask := `{"jsonrpc":"2.0","id":1,"method":"ping"}`, request(`"a"`, `"tools/call"`, `{"name":"fz_ask"}`)
	for how, text := range []string{
		"[]", "[" + ping + "]", "[" + ping + "," + ping + "]", "[5," + ping + "," + cancel("1") + ",[]]", "[" + cancel("1") + "]", "[" + ask + "]\n" + cancel(`"a"`), "[" + ping, "[[" + ping + "]]",
		ask + "\n" + ask + "\n" + cancel(`"a"`) + "\n" + ask, ask + "\n" + request("2", `"initialize"`, `{"protocolVersion":"2025-03-26"}`) + "\n[" + ask + "]",
		"[" + request(`"b1"`, `"tools/call"`, `{"name":"fz_ask"}`) + "," + request(`"b2"`, `"tools/call"`, `{"name":"fz_echo"}`) + "," + request(`"b3"`, `"tools/call"`, `{"name":"fz_ask"}`) + "]",
		request("1", `"tools/call"`, `{"name":"fz_ask",`+modernMeta+`}`) + "\n" + request("2", `"server/discover"`, `{`+modernMeta+`}`),
	} {
		for revision := range uint8(5) {
			f.Add(revision|howElicits|uint8(how)<<5, []byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, how uint8, text []byte) {
		if bytes.Contains(text, []byte("over")) {
			return // the id of our ping
		}
		s := &fuzzSession{t: t, answers: []string{accepted, `{"action":"decline"}`}, waits: map[string]bool{`"over"`: true}}
		if how&howRevision != 0 {
			s.in = fmt.Appendf(s.in, "{\"jsonrpc\":\"2.0\",\"id\":\"over/init\",\"method\":\"initialize\",\"params\":{\"protocolVersion\":%q,\"capabilities\":{\"elicitation\":{}}}}\n", fuzzRevisions[how&howRevision])
		}
		s.in = append(append(s.in, text...), "\n{\"jsonrpc\":\"2.0\",\"id\":\"over\",\"method\":\"ping\"}\n"...)
		s.serve(how)
		r := referee{t: t, how: how}
		answers, answered := 0, map[string]int{}
		for _, m := range s.lines {
			r.line(m)
			id := m.members["id"]
			if m.members["method"] != nil || bytes.HasPrefix(id, []byte(`"over`)) {
				continue
			}
			answers++
			if answered[string(id)]++; id != nil && string(id) != "null" && bytes.Count(text, id) < answered[string(id)] {
				t.Errorf("an answer to nothing: %s", m.text)
			}
		}
		// Every line may be an error; every element of a batch, too.
		if most := bytes.Count(text, []byte("\n")) + 1 + bytes.Count(text, []byte(",")); answers > most {
			t.Errorf("%d answers, and no more than %d requests", answers, most)
		}
	})
}
