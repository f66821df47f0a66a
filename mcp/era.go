package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/teaagent/teaagent/mcp/internal/jsonrpc"
	"github.com/teaagent/teaagent/mcp/internal/lex"
)

// Two eras share a connection. In the legacy one initialize says once what holds
// for all that follows. A modern request stands alone: its _meta names the
// revision and what the client can do, and nothing is concluded from other
// requests (revision 2026-07-28, basic/index and basic/lifecycle).

// peer is what is known of the client: from initialize, or from a modern
// request for that request alone.
type peer struct {
	revision     Revision
	elicitation  bool   // it can show forms to its user
	capabilities []byte // source text, an object; nil for none
}

// requestMeta is what a request's _meta says, in source texts.
type requestMeta struct {
	source       []byte // the whole of it; nil if there is none
	modern       bool   // one of the keys below is there
	version      []byte // nil if it is no string
	capabilities []byte // nil if they are no object
}

const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaClient       = "io.modelcontextprotocol/clientInfo"
	metaLogLevel     = "io.modelcontextprotocol/logLevel"
	metaServer       = "io.modelcontextprotocol/serverInfo"
)

// read takes apart the _meta that comes next.
func (m *requestMeta) read(l *lex.Lexer) {
	if l.Kind() != '{' {
		l.Skip()
		return
	}
	m.source = l.Skip()
	members(m.source, func(key []byte, l *lex.Lexer) {
		switch kind := l.Kind(); string(key) {
		case metaVersion:
			m.modern = true
			if version := l.Skip(); kind == '"' {
				m.version = version
			}
		case metaCapabilities:
			m.modern = true
			if capabilities := l.Skip(); kind == '{' {
				m.capabilities = capabilities
			}
		case metaClient, metaLogLevel:
			m.modern = true
			l.Skip()
		default:
			l.Skip()
		}
	})
}

// newest reports whether the version is the one that is served.
func (m *requestMeta) newest() bool {
	return string(m.version) == `"2026-07-28"` || m.versionText() == Revision20260728.String()
}

func (m *requestMeta) versionText() string {
	var l lex.Lexer
	l.Reset(m.version)
	return string(l.String())
}

// peerOf returns the client of a request by its _meta: that of initialize for a
// legacy request. A modern one must say all that the revision asks for.
func (c *conn) peerOf(m *requestMeta) (*peer, *jsonrpc.Fault) {
	switch {
	case !m.modern:
		return c.peer.Load(), nil
	case m.version == nil:
		return nil, &jsonrpc.Fault{Code: jsonrpc.InvalidParams, Text: fmt.Sprintf("_meta has no string %q, which every request of revision %s has", metaVersion, Revision20260728)}
	case !m.newest():
		return nil, c.srv.otherVersion(m.versionText())
	case m.capabilities == nil:
		return nil, &jsonrpc.Fault{Code: jsonrpc.InvalidParams, Text: fmt.Sprintf("_meta has no object %q, which every request of revision %s has", metaCapabilities, Revision20260728)}
	}
	if last := c.modern; last != nil && bytes.Equal(last.capabilities, m.capabilities) {
		return last, nil
	}
	p := &peer{revision: Revision20260728}
	p.declare(m.capabilities)
	c.modern = p
	return p, nil
}

// declare takes down what the client says it can do.
func (p *peer) declare(capabilities []byte) {
	p.capabilities = bytes.Clone(capabilities)
	members(p.capabilities, func(key []byte, l *lex.Lexer) {
		if string(key) == "elicitation" && l.Kind() == '{' {
			p.elicitation = elicitsForms(l.Skip())
			return
		}
		l.Skip()
	})
}

// declares reports whether the client has declared a capability.
func (p *peer) declares(name string) (yes bool) {
	members(p.capabilities, func(key []byte, l *lex.Lexer) {
		kind := l.Kind()
		l.Skip()
		yes = yes || string(key) == name && kind == '{'
	})
	return yes
}

// elicitsForms reads capabilities.elicitation: {} means forms, as does a "form" in it.
func elicitsForms(capability []byte) bool {
	forms, others := false, false
	members(capability, func(key []byte, l *lex.Lexer) {
		forms = forms || string(key) == "form"
		others = true
		l.Skip()
	})
	return forms || !others
}

// codeVersion is UnsupportedProtocolVersionError, codeCapability is
// MissingRequiredClientCapabilityError of revision 2026-07-28.
const (
	codeCapability = -32021
	codeVersion    = -32022
)

// otherVersion says which revisions a modern request may name.
func (s *server) otherVersion(requested string) *jsonrpc.Fault {
	// The revision wants the version back as it came; it may be megabytes long.
	requested = s.secrets.brief(requested)
	var e Encoder
	e.Begin('{')
	e.Key("supported")
	e.Begin('[')
	e.Text(Revision20260728.String())
	e.End(']')
	e.Key("requested")
	e.Text(requested)
	e.End('}')
	return &jsonrpc.Fault{
		Code: codeVersion, Data: e.buf,
		Text: fmt.Sprintf("revision %q is not served to requests that stand alone: use %s, or open a session with initialize", requested, Revision20260728),
	}
}

// Hints for clients that cache (revision 2026-07-28, CacheableResult). What the
// specs and flags say stays for as long as the server runs; what is in the
// workspace may change at any time, and is nobody else's.
const (
	cacheForAll = `"ttlMs":3600000,"cacheScope":"public"`
	cacheHour   = `"ttlMs":3600000,"cacheScope":"private"`
	cacheNot    = `"ttlMs":0,"cacheScope":"private"`
)

// discover answers server/discover, which stands alone.
func (c *conn) discover(m *jsonrpc.Message, p *peer) {
	e := &c.enc
	e.start(m.ID)
	e.Key("result")
	e.Begin('{')
	e.resultType("complete")
	e.Key("supportedVersions")
	e.Begin('[')
	e.Text(p.revision.String())
	e.End(']')
	c.srv.encodeCapabilities(e)
	e.field("instructions", c.srv.info.Instructions)
	e.source(cacheForAll)
	e.Key("_meta")
	e.Begin('{')
	e.Key(metaServer)
	c.srv.info.encodeInfo(e, p.revision)
	e.End('}')
	e.End('}')
	e.End('}')
	c.answer(m.ID, e)
}

// resultType begins the members of every modern result.
func (e *Encoder) resultType(name string) {
	e.Key("resultType")
	e.Text(name)
}

func (s *server) encodeCapabilities(e *Encoder) {
	e.Key("capabilities")
	e.Begin('{')
	e.source(`"tools":{}`)
	if s.resources != nil {
		e.source(`"resources":{}`)
	}
	e.End('}')
}

// encodeInfo writes the server as an Implementation, with what the revision knows.
func (i *Info) encodeInfo(e *Encoder, r Revision) {
	e.Begin('{')
	e.Key("name")
	e.Text(i.Name)
	if r >= Revision20250618 {
		e.field("title", i.Title)
	}
	e.Key("version")
	e.Text(i.Version)
	if r >= Revision20251125 {
		e.field("description", i.Description)
	}
	e.End('}')
}

// encodeMeta writes the _meta of a modern result that has nothing else there.
func (s *server) encodeMeta(e *Encoder) {
	e.source(`"_meta":{"` + metaServer + `":` + s.identity + `}`)
}

// encodeMeta writes the _meta of a call's result, if there is one: who answers
// in the modern era, what the body has set, and what the runtime has to say.
func (c *Call) encodeMeta(e *Encoder, own func(*Encoder)) {
	c.mu.Lock()
	set := c.resultMeta
	c.mu.Unlock()
	modern := c.peer.revision.Modern()
	if !modern && own == nil && len(set) == 0 {
		return
	}
	e.Key("_meta")
	e.Begin('{')
	if modern {
		e.source(`"` + metaServer + `":` + c.srv.identity)
	}
	for _, m := range set {
		e.Key(m.key)
		e.JSON(m.value)
	}
	if own != nil {
		own(e)
	}
	e.End('}')
}

// Meta returns the _meta of the request that a handler's context belongs to, as
// it came: a JSON object, or nil if there was none.
func Meta(ctx context.Context) json.RawMessage {
	c := callFrom(ctx)
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.settled.Load() {
		return nil // its bytes are another request's by now
	}
	return bytes.Clone(c.meta)
}

// progressToken returns the source text of a _meta's progressToken, or nil.
func progressToken(meta []byte) (token []byte) {
	members(meta, func(key []byte, l *lex.Lexer) {
		kind := l.Kind()
		if value := l.Skip(); string(key) == "progressToken" && (kind == '"' || kind == '0') {
			token = value
		}
	})
	return token
}

// SetMeta puts a value into the _meta of the call's result, over one set before.
// The key has a prefix of yours, as in "com.example/cost": those whose second
// label is mcp or modelcontextprotocol are the protocol's, and those of
// dev.teaagent are this package's (revision 2025-06-18, basic/index, _meta).
func SetMeta(ctx context.Context, key string, value JSON) error {
	c := callFrom(ctx)
	if c == nil {
		return Errorf("META_REFUSED", "the context is not that of a call")
	}
	prefix, name, ok := strings.Cut(key, "/")
	labels := strings.Split(prefix, ".")
	switch {
	case !ok || prefix == "" || name == "" || strings.ContainsFunc(key, notOfKey):
		return Errorf("META_REFUSED", `a key of _meta is like "com.example/cost", not %q`, key)
	case len(labels) > 1 && (labels[1] == "mcp" || labels[1] == "modelcontextprotocol"), prefix == "dev.teaagent":
		return Errorf("META_REFUSED", "%q is reserved: use a prefix of your own", key)
	}
	if err := lex.Valid(value); err != nil {
		return Errorf("META_REFUSED", "the value of %q is no JSON: %w", key, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.settled.Load() {
		return Errorf("META_REFUSED", "the call has ended")
	}
	if i := slices.IndexFunc(c.resultMeta, func(m metaMember) bool { return m.key == key }); i >= 0 {
		c.resultMeta[i].value = value
		return nil
	}
	c.resultMeta = append(c.resultMeta, metaMember{key, value})
	return nil
}

type metaMember struct {
	key   string
	value JSON
}

func notOfKey(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("./_-", r))
}

// missingCapability is the cause of an error about what a client can't do.
type missingCapability struct{ names []string }

func (m *missingCapability) Error() string {
	return "the client did not declare " + strings.Join(m.names, ", ")
}

func (m *missingCapability) encode(e *Encoder) {
	e.Key("requiredCapabilities")
	e.Begin('{')
	for _, name := range m.names {
		e.Key(name)
		e.source("{}")
	}
	e.End('}')
}

// Require returns an error for the handler to return if the client has not
// declared one of these capabilities, such as "sampling" or "elicitation":
// CAPABILITY_MISSING, which a modern client gets as the protocol's own error.
func Require(ctx context.Context, capabilities ...string) error {
	var missing []string
	c := callFrom(ctx)
	for _, name := range capabilities {
		if c == nil || c.peer == nil || !c.peer.declares(name) {
			missing = append(missing, name)
		}
	}
	if missing == nil {
		return nil
	}
	err := &missingCapability{missing}
	return &Error{Code: "CAPABILITY_MISSING", Message: err.Error() + ", which this tool needs", Err: err}
}
