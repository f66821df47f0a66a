package mcptest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Every frame that a server under test sends is checked against the official
// schema of the revision in force: that of the last answer to initialize, or
// that of the request if it stands alone. A result is checked as that of the
// method it answers. The schemas are read from mcp/*.json
// below the folder that $MCP_SCHEMAS names; without it nothing is checked, and
// Schemas says so.
//
// Not checked: lines that are no JSON, frames over a mebibyte, of more than 5,000
// frames of one process those that follow, and which result it is that answers a
// line over a mebibyte. One thing is checked otherwise: an error about a line
// whose id can't be read has the id null up to 2025-06-18, as JSON-RPC says and
// MCP's schemas do not.

const (
	checkedFrame  = 1 << 20
	checkedFrames = 5000
	modern        = "2026-07-28"
	unnegotiated  = "2025-11-25" // whose schema holds before initialize
)

var revisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", modern}

// results are the definitions of what each method is answered by.
var results = map[string][]string{
	"initialize":               {"InitializeResult"},
	"ping":                     {"EmptyResult"},
	"server/discover":          {"DiscoverResult"},
	"tools/list":               {"ListToolsResult"},
	"tools/call":               {"CallToolResult"},
	"resources/list":           {"ListResourcesResult"},
	"resources/templates/list": {"ListResourceTemplatesResult"},
	"resources/read":           {"ReadResourceResult"},
}

// schemas are the official schemas, compiled as they are needed.
type schemas struct {
	mu       sync.Mutex
	compiler *jsonschema.Compiler
	loaded   map[string]bool
	compiled map[string]*jsonschema.Schema
}

var official = sync.OnceValue(func() *schemas {
	if os.Getenv("MCP_SCHEMAS") == "" {
		return nil
	}
	return &schemas{compiler: jsonschema.NewCompiler(), loaded: map[string]bool{}, compiled: map[string]*jsonschema.Schema{}}
})

// validate checks a value against a definition of a revision. A definition that
// the revision does not have is an error of its own.
func (s *schemas) validate(revision, definition string, value any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	place := revision + ".json"
	if !s.loaded[revision] {
		data, err := os.ReadFile(filepath.Join(os.Getenv("MCP_SCHEMAS"), "mcp", place))
		if err != nil {
			return err
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			return err
		}
		if err := s.compiler.AddResource(place, doc); err != nil {
			return err
		}
		s.loaded[revision] = true
	}
	key := "$defs"
	if revision < "2025-11-25" {
		key = "definitions"
	}
	name := place + "#/" + key + "/" + definition
	schema := s.compiled[name]
	if schema == nil {
		var err error
		if schema, err = s.compiler.Compile(name); err != nil {
			return err
		}
		s.compiled[name] = schema
	}
	return schema.Validate(value)
}

// checker follows what a client and its server say.
type checker struct {
	schemas  *schemas
	part     []byte // of a client's line
	long     bool   // the line is too long to be looked at
	revision string
	asked    map[string][]exchange // by the id's source text
	frames   int
}

// exchange is a request that may still be answered.
type exchange struct {
	method string
	modern bool
}

func newChecker() *checker {
	return &checker{schemas: official(), asked: map[string][]exchange{}}
}

// sent takes what the client sends.
func (c *checker) sent(data []byte) {
	if c.schemas == nil {
		return
	}
	for {
		i := bytes.IndexByte(data, '\n')
		if i < 0 {
			break
		}
		if !c.long && len(c.part)+i <= checkedFrame {
			c.requests(append(c.part, data[:i]...))
		}
		c.part, c.long = c.part[:0], false
		data = data[i+1:]
	}
	if c.long = c.long || len(c.part)+len(data) > checkedFrame; !c.long {
		c.part = append(c.part, data...)
	}
}

// requests notes the requests of a line, which may be anything.
func (c *checker) requests(line []byte) {
	var batch []json.RawMessage
	if json.Unmarshal(line, &batch) == nil {
		for _, message := range batch {
			c.request(message)
		}
		return
	}
	c.request(bytes.TrimPrefix(line, []byte("\ufeff")))
}

func (c *checker) request(message []byte) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Meta map[string]json.RawMessage `json:"_meta"`
		}
	}
	if json.Unmarshal(message, &m) != nil || m.ID == nil || m.Method == "" {
		return
	}
	e := exchange{method: m.Method}
	for _, key := range []string{"protocolVersion", "clientCapabilities", "clientInfo", "logLevel"} {
		if _, ok := m.Params.Meta["io.modelcontextprotocol/"+key]; ok {
			e.modern = true // of whatever revision: the refusal of others is one of the newest
		}
	}
	c.asked[string(m.ID)] = append(c.asked[string(m.ID)], e)
}

// frame checks a line of the server.
func (c *checker) frame(line string) error {
	if c.schemas == nil || len(line) > checkedFrame || c.frames >= checkedFrames {
		return nil
	}
	c.frames++
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
	if err != nil {
		return nil // tests that want frames say so themselves
	}
	if batch, ok := value.([]any); ok {
		if c.revision != "2025-03-26" {
			return fmt.Errorf("a batch in revision %q", c.revision)
		}
		var parts []json.RawMessage
		json.Unmarshal([]byte(line), &parts)
		for i := range batch {
			if err := c.message(parts[i], batch[i]); err != nil {
				return err
			}
		}
		return nil
	}
	return c.message([]byte(line), value)
}

func (c *checker) message(source []byte, value any) error {
	message, ok := value.(map[string]any)
	if !ok {
		return errors.New("a frame that is no object")
	}
	var ids struct{ ID json.RawMessage }
	json.Unmarshal(source, &ids)
	revision := c.revision
	if revision == "" {
		revision = unnegotiated
	}
	_, result := message["result"]
	_, failure := message["error"]
	switch {
	case result && failure: // which no schema forbids
		return errors.New("an answer with both a result and an error")
	case message["method"] != nil:
		return c.outgoing(revision, message)
	case message["error"] != nil:
		return c.failure(revision, string(ids.ID), message)
	}
	return c.result(revision, string(ids.ID), message)
}

// outgoing checks what a server says unasked.
func (c *checker) outgoing(revision string, message map[string]any) error {
	method, _ := message["method"].(string)
	definition := map[string]string{
		"elicitation/create":      "ElicitRequest",
		"notifications/progress":  "ProgressNotification",
		"notifications/cancelled": "CancelledNotification",
	}[method]
	if definition == "" {
		return fmt.Errorf("no test knows of the method %v", message["method"])
	}
	kind := "JSONRPCNotification"
	if message["id"] != nil {
		kind = "JSONRPCRequest"
	}
	return errors.Join(c.schemas.validate(revision, kind, message), c.schemas.validate(revision, definition, message))
}

func (c *checker) failure(revision, id string, message map[string]any) error {
	definition := "JSONRPCErrorResponse"
	if revision < "2025-11-25" {
		definition = "JSONRPCError"
	}
	if id == "null" && c.revision <= "2025-06-18" {
		message["id"] = "null" // see above
	}
	for _, e := range c.asked[id] {
		if e.modern {
			revision, definition = modern, "JSONRPCErrorResponse"
			fault, _ := message["error"].(map[string]any)
			switch fmt.Sprint(fault["code"]) {
			case "-32021":
				definition = "MissingRequiredClientCapabilityError"
			case "-32022":
				definition = "UnsupportedProtocolVersionError"
			}
		}
	}
	return c.schemas.validate(revision, definition, message)
}

// result checks an answer by what was asked with its id, or, if that was asked
// more than once, by any of it.
func (c *checker) result(revision, id string, message map[string]any) error {
	var errs []error
	for _, e := range c.asked[id] {
		in := revision
		if e.modern {
			in = modern
		}
		if e.method == "initialize" {
			if result, ok := message["result"].(map[string]any); ok {
				if version, ok := result["protocolVersion"].(string); ok {
					in, c.revision = version, version
				}
			}
		}
		err := c.answer(in, e.method, message)
		if err == nil {
			return nil
		}
		errs = append(errs, err)
	}
	if errs == nil { // asked in a line that was too long to look at, or by another
		return c.schemas.validate(revision, envelope(revision), message)
	}
	return errors.Join(errs...)
}

// envelope is the definition of an answer that is no error.
func envelope(revision string) string {
	if revision < "2025-11-25" {
		return "JSONRPCResponse"
	}
	return "JSONRPCResultResponse"
}

func (c *checker) answer(revision, method string, message map[string]any) error {
	if err := c.schemas.validate(revision, envelope(revision), message); err != nil {
		return err
	}
	definitions := results[method]
	if definitions == nil {
		return fmt.Errorf("no test knows how %s is answered", method)
	}
	if result, ok := message["result"].(map[string]any); ok && revision == modern && result["resultType"] == "input_required" && method == "tools/call" {
		definitions = []string{"InputRequiredResult"}
	}
	for _, definition := range definitions {
		if err := c.schemas.validate(revision, definition, message["result"]); err != nil {
			return err
		}
	}
	return nil
}

// Schemas is a test that the official schemas are there and that the check of
// frames by them can fail. It is skipped, and says why, where $MCP_SCHEMAS is not
// set: then no test of the package checks frames.
func Schemas(t *testing.T) {
	t.Helper()
	if official() == nil {
		t.Skip("MCP_SCHEMAS is not set: the frames of this package's tests are not checked against the protocol's official schemas")
	}
	for _, revision := range revisions {
		c := newChecker()
		ask := func(id, method, meta string) {
			c.sent([]byte(`{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{` + meta + `}}` + "\n"))
		}
		meta := ""
		if revision == modern {
			meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + modern + `"}`
		} else {
			ask("0", "initialize", "")
			if err := c.frame(`{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"` + revision + `","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`); err != nil {
				t.Errorf("%s: %v", revision, err)
			}
		}
		ask("1", "tools/call", meta)
		ask("4", "tools/call", `"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01"}`)
		ask("2", "tools/list", meta)
		for frame, good := range map[string]bool{
			`{"jsonrpc":"2.0","id":1,"result":{"content":[],"resultType":"complete"}}`:                                                                           true,
			`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required"}}`:                                                                                  revision == modern,
			`{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`:                                                                                                   revision != modern,
			`{"jsonrpc":"2.0","id":1,"result":{}}`:                                                                                                               false,
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"audio"}],"resultType":"complete"}}`:                                                           false,
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"audio","data":"AA==","mimeType":"audio/wav"}],"resultType":"complete"}}`:                      revision > "2024-11-05",
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"resource_link","uri":"x:y","name":"z"}],"resultType":"complete"}}`:                            revision > "2025-03-26",
			`{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"resultType":"complete","ttlMs":0,"cacheScope":"public"}}`: true,
			`{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a"}],"resultType":"complete","ttlMs":0,"cacheScope":"public"}}`:                                 false,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"m"}}`:                                                                                     true,
			`{"jsonrpc":"2.0","id":1,"error":{"code":"-32602","message":"m"}}`:                                                                                   false,
			`{"jsonrpc":"2.0","id":4,"error":{"code":-32022,"message":"m","data":{"supported":["2026-07-28"],"requested":"2099-01-01"}}}`:                        true,
			`{"jsonrpc":"2.0","id":4,"error":{"code":-32022,"message":"m"}}`:                                                                                     false,
			`{"jsonrpc":"2.0","id":4,"error":{"code":-32021,"message":"m"}}`:                                                                                     false,
			`{"jsonrpc":"2.0","id":4,"error":"m"}`:                                                                                                               false,
			`{"jsonrpc":"2.0","id":1,"result":{"content":[],"resultType":"complete"},"error":{"code":1,"message":"m"}}`:                                          false,
			`{"jsonrpc":"2.0","method":5}`:        false,
			`{"jsonrpc":"2.0","id":3,"result":5}`: false,
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.5}}`: true,
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":0.5}}`:                   false,
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`:                               revision <= "2025-06-18" || revision == modern, // which no session was opened with
		} {
			if err := c.frame(frame); (err == nil) != good {
				t.Errorf("%s: %s: %v, and good is %v", revision, frame, err, good)
			}
		}
	}
}
