package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// client is a client over HTTP.
type client struct {
	t       testing.TB
	url     string
	session string // of the legacy era
}

// reply is the answer to a POST, of which the messages can still be coming.
type reply struct {
	t      testing.TB
	status int
	header http.Header
	body   io.ReadCloser
	lines  *bufio.Reader
}

// post sends a message, with headers in pairs after it.
func (c *client) post(message string, headers ...string) *reply {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.url, strings.NewReader(message))
	if err != nil {
		c.t.Fatal(err)
	}
	if c.session != "" {
		r.Header.Set("Mcp-Session-Id", c.session)
	}
	return c.do(r, headers...)
}

func (c *client) do(r *http.Request, headers ...string) *reply {
	c.t.Helper()
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { res.Body.Close() })
	return &reply{t: c.t, status: res.StatusCode, header: res.Header, body: res.Body, lines: bufio.NewReader(res.Body)}
}

// modern sends a request of the stateless revision, with the headers that go with
// it. params are members, without braces and _meta.
func (c *client) modern(id, method, name, params string) *reply {
	c.t.Helper()
	if params != "" {
		params += ","
	}
	return c.post(`{"jsonrpc":"2.0","id":`+id+`,"method":"`+method+`","params":{`+params+
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},"progressToken":`+id+`}}}`,
		"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method, "Mcp-Name", name)
}

// next is the next message of a reply, whether it streams or not.
func (r *reply) next() string {
	r.t.Helper()
	if r.header.Get("Content-Type") != "text/event-stream" {
		text, err := io.ReadAll(r.lines)
		if err != nil {
			r.t.Fatal(err)
		}
		return string(text)
	}
	for {
		line, err := r.lines.ReadString('\n')
		if err != nil {
			r.t.Fatalf("the stream ends: %v", err)
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			return strings.TrimSuffix(data, "\n")
		}
	}
}

// want asserts a reply's status and that its next message has these parts.
func (r *reply) want(status int, parts ...string) string {
	r.t.Helper()
	text := r.next()
	if r.status != status {
		r.t.Errorf("status %d, want %d: %s", r.status, status, text)
	}
	for _, part := range parts {
		if !strings.Contains(text, part) {
			r.t.Errorf("%s\nlacks %s", text, part)
		}
	}
	return text
}

// at is the raw value at a path of keys in a JSON text.
func at(t testing.TB, text string, path ...string) string {
	t.Helper()
	value := json.RawMessage(text)
	for _, key := range path {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(value, &members); err != nil || members[key] == nil {
			t.Fatalf("%s has no %s", value, key)
		}
		value = members[key]
	}
	return string(value)
}
