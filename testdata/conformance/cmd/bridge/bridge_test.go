package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/teaagent/teaagent/mcp/mcptest"
)

var server = mcptest.Program{Dir: "../..", Package: "./cmd/conformance"}

func TestMain(m *testing.M) {
	if os.Getenv("BRIDGE_TEST_STUB") != "" {
		stub()
		return
	}
	code := m.Run()
	server.Remove()
	os.Exit(code)
}

// open starts a bridge to a server.
func open(t *testing.T, command func() *exec.Cmd) *client {
	b := newBridge(command)
	s := httptest.NewServer(b)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
		b.close()
	})
	return &client{t: t, url: s.URL + "/mcp"}
}

// TestLegacy goes through a session with the real server: it opens, asks, is
// answered in a POST of its own, and ends.
func TestLegacy(t *testing.T) {
	server.Path(t)
	c := open(t, func() *exec.Cmd { return server.Command(t, mcptest.Options{}) })
	c.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`).want(http.StatusBadRequest)

	r := c.post(`{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`)
	r.want(http.StatusOK, `"id":"a"`, `"protocolVersion":"2025-11-25"`)
	if c.session = r.header.Get("Mcp-Session-Id"); c.session == "" {
		t.Fatal("no session")
	}
	c.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`).want(http.StatusAccepted)
	c.post(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"test_simple_text"}}`).want(http.StatusOK, `"id":2`, `simple text`)
	c.post(`{"jsonrpc":"2.0","id":2,"method":"prompts/list"}`).want(http.StatusOK, `"id":2`, `-32601`)

	r = c.post(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"test_tool_with_progress","_meta":{"progressToken":"p"}}}`)
	for _, progress := range []string{"0", "50", "100"} {
		r.want(http.StatusOK, `"progressToken":"p"`, `"progress":`+progress+`,`)
	}
	r.want(http.StatusOK, `"id":3`, `"result"`)

	r = c.post(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"test_elicitation","arguments":{"message":"Who?"}}}`)
	question := r.want(http.StatusOK, `"elicitation/create"`, `"Who?"`)
	c.post(`{"jsonrpc":"2.0","id":` + at(t, question, "id") + `,"result":{"action":"accept","content":{"username":"u","email":"u@example.com"}}}`).want(http.StatusAccepted)
	r.want(http.StatusOK, `"id":4`, `u u@example.com`)

	end, _ := http.NewRequest(http.MethodDelete, c.url, nil)
	if r := c.do(end, "Mcp-Session-Id", c.session); r.status != http.StatusNoContent {
		t.Errorf("the end of the session: status %d", r.status)
	}
	c.post(`{"jsonrpc":"2.0","id":5,"method":"ping"}`).want(http.StatusNotFound)
}

// TestModern asks the real server without a session: twice for an answer, and
// for what is refused.
func TestModern(t *testing.T) {
	server.Path(t)
	c := open(t, func() *exec.Cmd { return server.Command(t, mcptest.Options{}) })
	c.modern("1", "server/discover", "", "").want(http.StatusOK, `"id":1`, `"supportedVersions":["2026-07-28"`)

	call := `"name":"test_input_required_result_elicitation"`
	r := c.modern(`"x"`, "tools/call", "test_input_required_result_elicitation", call).want(http.StatusOK, `"id":"x"`, `"input_required"`, `"user_name"`)
	state := at(t, r, "result", "requestState")
	call += `,"inputResponses":{"user_name":{"action":"accept","content":{"name":"Ann"}}},"requestState":` + state
	c.modern(`"y"`, "tools/call", "test_input_required_result_elicitation", call).want(http.StatusOK, `"id":"y"`, `"complete"`, `Hello, Ann!`)

	c.modern("2", "ping", "", "").want(http.StatusNotFound, `"id":2`, `-32601`)
	c.modern("3", "tools/call", "test_missing_capability", `"name":"test_missing_capability"`).want(http.StatusBadRequest, `"id":3`, `-32021`, `"sampling":{}`)
	c.post(`{"jsonrpc":"2.0","id":4,"method":"server/discover","params":{}}`, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "server/discover").
		want(http.StatusBadRequest, `"id":4`, `-32602`)
}

// stub is a server that does as the name of the method says, for what no real one
// does when it is asked to.
func stub() {
	lines := bufio.NewScanner(os.Stdin)
	said := []string{}
	var held []json.RawMessage
	reply := func(id json.RawMessage, result string) {
		fmt.Printf("{\"jsonrpc\":\"2.0\",\"id\":%s,%s}\n", id, result)
	}
	for lines.Scan() {
		m, _ := parse(lines.Bytes())
		switch m.Method {
		case "hold":
			held = append(held, m.ID)
			fmt.Printf("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%s,\"progress\":1}}\n", m.Params.Meta["progressToken"])
		case "release": // the last first
			for i := range held {
				reply(held[len(held)-1-i], fmt.Sprintf(`"result":{"number":%d}`, len(held)-i))
			}
			reply(m.ID, `"result":{}`)
		case "fail":
			reply(m.ID, `"error":{"code":`+string(m.Params.Name)+`,"message":"m"}`)
		case "odd":
			fmt.Printf("{ \"x\" : [1.0e2, \"\\u0041\"],\"result\":{\"id\":7},\"jsonrpc\":\"2.0\",\"id\":%s }\n", m.ID)
		case "leave":
			return
		case "said":
			all, _ := json.Marshal(said)
			reply(m.ID, `"result":`+string(all))
		default:
			said = append(said, lines.Text())
		}
	}
}

func openStub(t *testing.T) *client {
	return open(t, func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "BRIDGE_TEST_STUB=1")
		return cmd
	})
}

// TestSharedChild has clients that know nothing of each other use one id.
func TestSharedChild(t *testing.T) {
	c := openStub(t)
	first := c.modern("1", "hold", "", "")
	first.want(http.StatusOK, `"progressToken":1`)
	second := c.modern(`"1"`, "hold", "", "")
	second.want(http.StatusOK, `"progressToken":"1"`)
	third := c.modern("1.0", "hold", "", "")
	third.want(http.StatusOK, `"progressToken":1.0`)
	c.modern("1", "release", "", "").want(http.StatusOK, `"id":1`, `"result":{}`)
	third.want(http.StatusOK, `"id":1.0`, `"number":3`)
	second.want(http.StatusOK, `"id":"1"`, `"number":2`)
	first.want(http.StatusOK, `"id":1,`, `"number":1`)
}

// TestUntouched has all but the id come through as the server wrote it. Only the
// space between tokens goes, which could break a line.
func TestUntouched(t *testing.T) {
	got := openStub(t).modern(`"q"`, "odd", "", "").want(http.StatusOK)
	if want := `{"x":[1.0e2,"\u0041"],"result":{"id":7},"jsonrpc":"2.0","id":"q"}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestStatus(t *testing.T) {
	c := openStub(t)
	for code, status := range map[string]int{"-32601": 404, "-32602": 400, "-32600": 400, "-32021": 400, "-32022": 400, "-32603": 200, "7": 200} {
		c.modern("1", "fail", "", `"name":`+code).want(status, `"code":`+code)
	}
	c.modern("1", "leave", "", "").want(http.StatusBadGateway)
	c.modern("1", "fail", "", `"name":7`).want(http.StatusOK, `"code":7`) // by another child
}

// TestClosedStream cancels the request by its id with the server, as the
// stateless revision has it.
func TestClosedStream(t *testing.T) {
	c := openStub(t)
	ctx, leave := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, strings.NewReader(
		`{"jsonrpc":"2.0","id":"mine","method":"hold","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":1}}}`))
	if err != nil {
		t.Fatal(err)
	}
	c.do(r, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "hold").want(http.StatusOK, `"progress":1`)
	leave()
	for late := time.Now().Add(mcptest.Patience); ; {
		said := c.modern("2", "said", "", "").want(http.StatusOK)
		if strings.Contains(said, `notifications/cancelled`) {
			if !strings.Contains(said, `\"requestId\":1,`) {
				t.Errorf("want the server's id of the request: %s", said)
			}
			return
		}
		if time.Now().After(late) {
			t.Fatalf("the server has not heard of it: %s", said)
		}
	}
}

// TestRefused is what the server never sees.
func TestRefused(t *testing.T) {
	c := openStub(t)
	list := `{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
	call := `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"a","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
	for _, test := range []struct {
		what, body string
		headers    []string
		status     int
		code       string
	}{
		{"a host from elsewhere", list, []string{"Host", "evil.example.com"}, http.StatusForbidden, ""},
		{"a host that starts like ours", list, []string{"Host", "localhost.evil.example.com"}, http.StatusForbidden, ""},
		{"an origin from elsewhere", list, []string{"Origin", "http://evil.example.com"}, http.StatusForbidden, ""},
		{"no origin", list, []string{"Origin", "null"}, http.StatusForbidden, ""},
		{"no version", list, []string{"Mcp-Method", "tools/list"}, http.StatusBadRequest, `"code":-32020`},
		{"another version", list, []string{"Mcp-Method", "tools/list", "MCP-Protocol-Version", "2025-11-25"}, http.StatusBadRequest, `"code":-32020`},
		{"another method", list, []string{"Mcp-Method", "tools/call", "MCP-Protocol-Version", "2026-07-28"}, http.StatusBadRequest, `"code":-32020`},
		{"another name", call, []string{"Mcp-Method", "tools/call", "Mcp-Name", "b", "MCP-Protocol-Version", "2026-07-28"}, http.StatusBadRequest, `"code":-32020`},
		{"no JSON", `{`, nil, http.StatusBadRequest, `"code":-32700`},
		{"a batch", `[]`, nil, http.StatusBadRequest, `"code":-32600`},
		{"an id that is none", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, nil, http.StatusBadRequest, `"code":-32600`},
		{"a session of nobody", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, []string{"Mcp-Session-Id", "x"}, http.StatusNotFound, ""},
		{"no session", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, nil, http.StatusBadRequest, ""},
	} {
		t.Run(test.what, func(t *testing.T) {
			c := &client{t: t, url: c.url}
			c.post(test.body, test.headers...).want(test.status, test.code)
		})
	}
	get, _ := http.NewRequest(http.MethodGet, c.url, nil)
	if r := c.do(get); r.status != http.StatusMethodNotAllowed {
		t.Errorf("GET: status %d", r.status)
	}
}
