package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"sync"
)

const (
	headerMismatch = -32020
	largestBody    = 16 << 20
)

// sessions says which revisions open a session; all others are stateless.
var sessions = map[string]bool{"2024-11-05": true, "2025-03-26": true, "2025-06-18": true, "2025-11-25": true}

// bridge serves the streamable HTTP transport of MCP for a server on stdio.
//
//	POST, stateless revision   one child for all
//	POST initialize            a child of its own, named by Mcp-Session-Id
//	POST with that name        the same child
//	DELETE with that name      the end of that child
//	GET                        405: the server says nothing unasked
type bridge struct {
	command func() *exec.Cmd

	mu       sync.Mutex
	shared   *child
	sessions map[string]*child
}

func newBridge(command func() *exec.Cmd) *bridge {
	return &bridge{command: command, sessions: map[string]*child{}}
}

// close ends every child.
func (b *bridge) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, c := range b.sessions {
		c.end()
		delete(b.sessions, id)
	}
	if b.shared != nil {
		b.shared.end()
		b.shared = nil
	}
}

func (b *bridge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	origin := r.Header.Get("Origin")
	from, err := url.Parse(origin)
	if !local(r.Host) || origin != "" && (err != nil || !local(from.Host)) {
		http.Error(w, "this is for the same machine only", http.StatusForbidden)
		return
	}
	switch {
	case r.URL.Path != "/mcp":
		http.NotFound(w, r)
	case r.Method == http.MethodPost:
		b.post(w, r)
	case r.Method == http.MethodDelete:
		b.mu.Lock()
		id := r.Header.Get("Mcp-Session-Id")
		c := b.sessions[id]
		delete(b.sessions, id)
		b.mu.Unlock()
		if c == nil {
			http.Error(w, "no such session", http.StatusNotFound)
			return
		}
		c.end()
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Allow", "POST, DELETE")
		http.Error(w, "nothing comes unasked", http.StatusMethodNotAllowed)
	}
}

// local says whether a Host or an Origin names this machine. A name that some
// other site made point here does not.
func local(host string) bool {
	name := host
	if n, _, err := net.SplitHostPort(host); err == nil {
		name = n
	}
	return name == "localhost" || name == "127.0.0.1" || name == "::1" || name == "[::1]"
}

func (b *bridge) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largestBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	m, err := parse(body)
	if err != nil {
		code := -32700
		if json.Valid(body) {
			code = -32600
		}
		refuse(w, nil, code, err.Error())
		return
	}
	// The bridge answers by id, so it has to have one that tells requests apart.
	if m.Method != "" && m.ID != nil && !strings.ContainsAny(string(m.ID[:1]), `"-0123456789`) {
		refuse(w, nil, -32600, "id has to be a string or a number")
		return
	}
	stateless := isStateless(r, m)
	if stateless {
		if wrong := compareHeaders(r, m); wrong != "" {
			refuse(w, m.ID, headerMismatch, wrong)
			return
		}
	}
	c, session, status := b.childFor(r, m, stateless)
	if status != http.StatusOK {
		http.Error(w, http.StatusText(status), status)
		return
	}
	if m.Method == "" || m.ID == nil {
		if c.tell(m) != nil {
			http.Error(w, "the server is gone", http.StatusBadGateway)
			return
		}
		w.WriteHeader(http.StatusAccepted)
		return
	}
	p, err := c.ask(m)
	if err != nil {
		http.Error(w, "the server is gone", http.StatusBadGateway)
		return
	}
	defer c.forget(p, stateless)
	if session != "" {
		w.Header().Set("Mcp-Session-Id", session)
	}
	answer(w, r, c, p, stateless)
}

// isStateless says whether a message belongs to the revisions without sessions:
// by its own mark, or by that of its request.
func isStateless(r *http.Request, m *message) bool {
	for _, key := range []string{"protocolVersion", "clientCapabilities", "clientInfo", "logLevel"} {
		if _, ok := m.Params.Meta["io.modelcontextprotocol/"+key]; ok {
			return true
		}
	}
	version := r.Header.Get("MCP-Protocol-Version")
	return version != "" && !sessions[version]
}

// compareHeaders says which header tells another thing than the body, or nothing.
// What the body does not say is for the server to judge.
func compareHeaders(r *http.Request, m *message) string {
	version, said := r.Header.Get("MCP-Protocol-Version"), m.Params.Meta["io.modelcontextprotocol/protocolVersion"]
	if version == "" || said != nil && version != textOf(said) {
		return "MCP-Protocol-Version is not the version in _meta"
	}
	if m.Method != "" && r.Header.Get("Mcp-Method") != m.Method {
		return "Mcp-Method is not the method"
	}
	switch m.Method {
	case "tools/call", "prompts/get":
		if r.Header.Get("Mcp-Name") != textOf(m.Params.Name) {
			return "Mcp-Name is not the name"
		}
	case "resources/read":
		if r.Header.Get("Mcp-Name") != textOf(m.Params.URI) {
			return "Mcp-Name is not the URI"
		}
	}
	return ""
}

// childFor finds or starts the child that a message is for, and the session that
// it opens, if it does. Any status but OK is the answer.
func (b *bridge) childFor(r *http.Request, m *message, stateless bool) (c *child, session string, status int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if stateless {
		if b.shared != nil {
			select {
			case <-b.shared.gone: // the next one gets another
				b.shared.end()
				b.shared = nil
			default:
				return b.shared, "", http.StatusOK
			}
		}
		b.shared, status = b.start()
		return b.shared, "", status
	}
	id := r.Header.Get("Mcp-Session-Id")
	switch c := b.sessions[id]; {
	case c != nil:
		return c, "", http.StatusOK
	case id != "":
		return nil, "", http.StatusNotFound
	case m.Method != "initialize":
		return nil, "", http.StatusBadRequest
	}
	if c, status = b.start(); status == http.StatusOK {
		session = rand.Text()
		b.sessions[session] = c
	}
	return c, session, status
}

func (b *bridge) start() (*child, int) {
	c, err := startChild(b.command())
	if err != nil {
		log.Print(err)
		return nil, http.StatusBadGateway
	}
	return c, http.StatusOK
}

// answer writes what the child says of a request: as it is if the response comes
// first, and else as a stream that the response ends.
func answer(w http.ResponseWriter, r *http.Request, c *child, p *post, stateless bool) {
	stream := false
	for {
		var m *message
		select {
		case m = <-p.frames:
		case <-r.Context().Done():
			return
		case <-c.gone:
			select {
			case m = <-p.frames:
			default:
				if !stream {
					http.Error(w, "the server is gone", http.StatusBadGateway)
				}
				return
			}
		}
		last := m.Method == ""
		if last && !stream {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(statusOf(m, stateless))
			w.Write(m.raw)
			return
		}
		if !stream {
			stream = true
			w.Header().Set("Content-Type", "text/event-stream")
			w.Header().Set("Cache-Control", "no-store")
		}
		fmt.Fprintf(w, "event: message\ndata: %s\n\n", m.raw)
		http.NewResponseController(w).Flush()
		if last {
			return
		}
	}
}

// statusOf is the status that goes with a response: the stateless revision wants
// some errors to be seen without reading the body.
func statusOf(m *message, stateless bool) int {
	var body struct {
		Error struct{ Code int }
	}
	if json.Unmarshal(m.raw, &body); !stateless {
		return http.StatusOK
	}
	switch body.Error.Code {
	case -32601:
		return http.StatusNotFound
	case -32700, -32600, -32602, headerMismatch, -32021, -32022:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// refuse answers for the server, which has not seen the request.
func refuse(w http.ResponseWriter, id json.RawMessage, code int, text string) {
	if id == nil {
		id = json.RawMessage("null")
	}
	quoted, _ := json.Marshal(text)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	w.Write(bytes.Join([][]byte{
		[]byte(`{"jsonrpc":"2.0","id":`), id, fmt.Appendf(nil, `,"error":{"code":%d,"message":%s}}`, code, quoted),
	}, nil))
}
