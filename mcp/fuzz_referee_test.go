package mcp_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// referee judges what the server says: each line for itself, and the answers to
// a request of a method.
type referee struct {
	t      *testing.T
	method string
	params jsontext.Value // nil if the request is none
	how    uint8
}

// line judges what holds for every message.
func (r *referee) line(m fuzzLine) {
	has := func(name string) bool { return m.members[name] != nil }
	var keys []string
	for key := range m.members {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	switch shape := strings.Join(keys, " "); {
	case string(m.members["jsonrpc"]) != `"2.0"`:
		r.t.Errorf("no JSON-RPC 2.0: %s", m.text)
	case shape == "jsonrpc method params", shape == "id jsonrpc method params", shape == "id jsonrpc result", shape == "error id jsonrpc", shape == "error jsonrpc":
	default:
		r.t.Errorf("no message has the members %s: %s", shape, m.text)
	}
	for name, value := range m.members {
		if name == "id" && string(value) == "null" && has("error") {
			continue
		}
		if name == "method" && has("id") && r.method != "" && r.modern() {
			r.t.Errorf("a modern client is asked: %s", m.text)
		}
		if d := jsontext.NewDecoder(bytes.NewReader(value)); hasNull(d) {
			r.t.Errorf("a null in %s", m.text)
		}
	}
	if has("error") {
		e := membersOf(m.members["error"])
		code, err := strconv.ParseInt(string(e["code"]), 10, 32)
		if err != nil || code >= 0 || e["message"].Kind() != '"' || len(e["message"]) < 5 {
			r.t.Errorf("no error: %s", m.text)
		}
	}
}

func hasNull(d *jsontext.Decoder) bool {
	for {
		token, err := d.ReadToken()
		if err != nil {
			return false
		}
		if token.Kind() == 'n' {
			return true
		}
	}
}

// modern tells whether the request stands alone.
func (r *referee) modern() bool {
	meta := membersOf(membersOf(r.params)["_meta"])
	for _, name := range []string{"protocolVersion", "clientCapabilities", "clientInfo", "logLevel"} {
		if meta["io.modelcontextprotocol/"+name] != nil {
			return true
		}
	}
	return false
}

// revision is the one that holds for the request.
func (r *referee) revision() string {
	switch {
	case r.modern():
		return "2026-07-28"
	case r.how&howRevision > 4:
		return "2025-11-25"
	}
	return fuzzRevisions[r.how&howRevision]
}

// answer judges the answer to the request.
func (r *referee) answer(m fuzzLine) {
	revision := r.revision()
	if e := membersOf(m.members["error"]); e != nil {
		r.failure(m, revision, string(e["code"]))
		return
	}
	result := membersOf(m.members["result"])
	kind, meta := string(result["resultType"]), membersOf(result["_meta"])
	asked := membersOf(membersOf(r.params)["_meta"])
	switch {
	case membersOf(r.params) == nil:
		r.t.Errorf("params %q, and a result: %s", r.params, m.text)
	case result == nil:
		r.t.Errorf("a result that is no object: %s", m.text)
	case !r.modern() && (kind != "" || result["ttlMs"] != nil || meta["io.modelcontextprotocol/serverInfo"] != nil):
		r.t.Errorf("a modern result in %q: %s", revision, m.text)
	case !r.modern():
	case string(asked["io.modelcontextprotocol/protocolVersion"]) != `"2026-07-28"` && !bytes.ContainsRune(asked["io.modelcontextprotocol/protocolVersion"], '\\'),
		asked["io.modelcontextprotocol/clientCapabilities"].Kind() != '{':
		r.t.Errorf("a request that lacks what it needs is served: %s", m.text)
	case membersOf(meta["io.modelcontextprotocol/serverInfo"]) == nil:
		r.t.Errorf("a modern result from nobody: %s", m.text)
	case kind == `"input_required"`:
		if r.method != "tools/call" || len(result["requestState"]) < 20 || len(membersOf(result["inputRequests"])) != 1 {
			r.t.Errorf("what input? %s", m.text)
		}
		return
	case kind != `"complete"`, (r.method != "tools/call") != (result["ttlMs"].Kind() == '0' && result["cacheScope"].Kind() == '"'):
		r.t.Errorf("no modern result: %s", m.text)
	}
	r.members(m, revision, result)
}

func (r *referee) failure(m fuzzLine, revision, code string) {
	switch code {
	case "-32700", "-32600", "-32601", "-32602", "-32603", "-32022", "-32021":
		if revision < "2026" && len(code) == 6 && code > "-32020" && code < "-32100" {
			r.t.Errorf("a modern error in %q: %s", revision, m.text)
		}
	case "-32000", "-32001", "-32002", "-32003":
		if revision > "2025-11-25" || revision > "2024-11-05" && r.how&howSeed == 0 {
			r.t.Errorf("an error of the standard's vocabulary: %s", m.text)
		}
	default:
		r.t.Errorf("an unknown code: %s", m.text)
	}
}

// members judges the result of each method.
func (r *referee) members(m fuzzLine, revision string, result map[string]jsontext.Value) {
	list := func(name string) (items []map[string]jsontext.Value) {
		var raw []jsontext.Value
		if err := json.Unmarshal(result[name], &raw); err != nil || result[name].Kind() != '[' {
			r.t.Errorf("no list %q: %s", name, m.text)
		}
		for _, item := range raw {
			items = append(items, membersOf(item))
		}
		return items
	}
	switch r.method {
	case "initialize":
		var asked, got string
		json.Unmarshal(membersOf(r.params)["protocolVersion"], &asked)
		json.Unmarshal(result["protocolVersion"], &got)
		if want := "2025-11-25"; got != asked && got != want || got == asked && !slices.Contains(fuzzRevisions[1:5], got) {
			r.t.Errorf("asked for %q: %s", asked, m.text)
		}
	case "server/discover":
		if !r.modern() || string(result["supportedVersions"]) != `["2026-07-28"]` || result["capabilities"] == nil {
			r.t.Errorf("discovered is %s", m.text)
		}
	case "tools/list":
		if len(list("tools")) != 6 || result["nextCursor"] != nil {
			r.t.Errorf("not all tools: %s", m.text)
		}
	case "resources/list":
		items, more := list("resources"), result["nextCursor"] != nil
		if cursor := membersOf(r.params)["cursor"]; len(items) != 1 || more == (len(cursor) > len(`""`)) {
			r.t.Errorf("not one page: %s", m.text)
		}
	case "resources/read":
		if items := list("contents"); len(items) != 1 || (items[0]["text"] == nil) == (items[0]["blob"] == nil) || string(items[0]["uri"]) == `""` {
			r.t.Errorf("no contents: %s", m.text)
		}
	case "tools/call":
		items := list("content")
		for _, item := range items {
			if item["type"].Kind() != '"' {
				r.t.Errorf("content without a type: %s", m.text)
			}
		}
		failed := string(result["isError"]) == "true"
		switch structured := result["structuredContent"]; {
		case structured != nil && failed:
			r.t.Errorf("an error with a structured result: %s", m.text)
		case structured != nil && revision < "2025-06-18":
			r.t.Errorf("a structured result in %q: %s", revision, m.text)
		case failed && !strings.HasPrefix(string(items[0]["text"]), `"[`), len(items) == 0, result["isError"] != nil && !failed:
			r.t.Errorf("no result of a tool: %s", m.text)
		}
	}
}
