package mcp

import (
	"context"
	"errors"
	"strconv"

	"github.com/teaagent/teaagent/mcp/internal/lex"
)

// Resources is implemented by the handlers of a server whose specs declare
// resources beside tools.
type Resources interface {
	// ListResources returns a page of resources in a stable order. cursor is
	// empty for the first page; next is empty after the last. A cursor that is
	// none of its own gets an error that is ErrBadCursor.
	ListResources(ctx context.Context, cursor string) (page []Resource, next string, err error)
	// ReadResource returns what the URI names, or an error that is ErrNoResource.
	ReadResource(ctx context.Context, uri string) ([]ResourceContents, error)
}

// ErrNoResource says that a URI names nothing that can be read.
var ErrNoResource = Errorf("RESOURCE_NOT_FOUND", "no such resource")

// ErrBadCursor says that a cursor did not come from the list before.
var ErrBadCursor = Errorf("BAD_CURSOR", "this cursor is not from here")

// Resource is an entry of resources/list, and what a Link points to.
type Resource struct {
	URI         string
	Name        string
	Title       string
	Description string
	MIMEType    string
	Size        Optional[int64] // in bytes
}

func (r Resource) encodeFields(e *Encoder) {
	e.Key("uri")
	e.Text(r.URI)
	e.Key("name")
	e.Text(r.Name)
	e.field("title", r.Title)
	e.field("description", r.Description)
	e.field("mimeType", r.MIMEType)
	if n, ok := r.Size.Get(); ok {
		e.Key("size")
		e.raw(strconv.AppendInt(nil, n, 10))
	}
}

// ResourceTemplate is an entry of resources/templates/list: a URI template
// (RFC 6570) of what ReadResource takes.
type ResourceTemplate struct {
	URITemplate string
	Name        string
	Title       string
	Description string
	MIMEType    string
}

func (t ResourceTemplate) encodeFields(e *Encoder) {
	e.Key("uriTemplate")
	e.Text(t.URITemplate)
	e.Key("name")
	e.Text(t.Name)
	e.field("title", t.Title)
	e.field("description", t.Description)
	e.field("mimeType", t.MIMEType)
}

// ResourceContents is what a resource holds: Text, or Blob where it is not nil.
type ResourceContents struct {
	URI      string
	MIMEType string
	Text     string
	Blob     []byte
}

func (r ResourceContents) encode(e *Encoder) {
	e.Begin('{')
	e.Key("uri")
	e.Text(r.URI)
	e.field("mimeType", r.MIMEType)
	if r.Blob != nil {
		e.Key("blob")
		e.bytes(r.Blob)
	} else {
		e.Key("text")
		e.Text(r.Text)
	}
	e.End('}')
}

// The methods of resources are calls like those of tools: they run under a
// timeout, can be cancelled, and count among the calls in flight.
const (
	resourcesList = iota
	resourcesTemplates
	resourcesRead
)

var resourceTools = map[string]*tool{
	"resources/list":           {spec: &Spec{Name: "resources/list", Workspace: AccessRead}, call: callResources, index: resourcesList, method: true},
	"resources/templates/list": {spec: &Spec{Name: "resources/templates/list", Workspace: AccessRead}, call: callResources, index: resourcesTemplates, method: true},
	"resources/read":           {spec: &Spec{Name: "resources/read", Workspace: AccessRead}, call: callResources, index: resourcesRead, method: true},
}

// body is a Result that is the answer's whole result, not a tool's.
type body func(*Encoder)

func (b body) EncodeJSON(e *Encoder) { b(e) }

// callResources runs a method of the server's Resources. The call's args are
// the params of its request.
func callResources(c *Call, method int) {
	if c.fail = c.checkDenied(); c.fail != nil {
		return
	}
	provider, ctx := c.srv.resources, c.Context()
	switch method {
	case resourcesList:
		cursor, given, ok := stringParam(c.args, "cursor")
		if given && !ok {
			c.fail = &failure{situation: badRequest, text: `"cursor" is not a string`}
			return
		}
		page, next, err := provider.ListResources(ctx, cursor)
		c.returnBody("", err, cacheNot, func(e *Encoder) {
			e.Key("resources")
			encodeList(e, page, Resource.encodeFields)
			e.field("nextCursor", next)
		})
	case resourcesTemplates:
		if !firstPage(c.args) {
			c.returnBody("", ErrBadCursor, "", nil)
			return
		}
		c.returnBody("", nil, cacheHour, func(e *Encoder) {
			e.Key("resourceTemplates")
			encodeList(e, c.srv.info.Templates, ResourceTemplate.encodeFields)
		})
	case resourcesRead:
		uri, _, ok := stringParam(c.args, "uri")
		if !ok {
			c.fail = &failure{situation: badRequest, text: `"uri" is not a string`}
			return
		}
		contents, err := provider.ReadResource(ctx, uri)
		c.returnBody(uri, err, cacheNot, func(e *Encoder) {
			e.Key("contents")
			e.Begin('[')
			for _, item := range contents {
				item.encode(e)
			}
			e.End(']')
		})
	}
}

// returnBody takes what a method of Resources returned, for a URI if it took one.
// cache is the hint to modern clients.
func (c *Call) returnBody(uri string, err error, cache string, members func(*Encoder)) {
	if err != nil {
		c.fail = &failure{situation: resourceFailed, text: asError(err).Message}
		switch {
		case errors.Is(err, ErrNoResource):
			c.fail.situation = unknownResource
		case errors.Is(err, ErrBadCursor):
			c.fail.situation = badRequest
		}
		c.fail.extra = func(e *Encoder) { e.field("uri", uri) }
		return
	}
	c.result = body(func(e *Encoder) {
		e.Begin('{')
		modern := c.peer.revision.Modern()
		if modern {
			e.resultType("complete")
		}
		members(e)
		if modern {
			e.source(cache)
		}
		c.encodeMeta(e, nil)
		e.End('}')
	})
}

func encodeList[T any](e *Encoder, list []T, fields func(T, *Encoder)) {
	e.Begin('[')
	for _, item := range list {
		e.Begin('{')
		fields(item, e)
		e.End('}')
	}
	e.End(']')
}

// firstPage reports whether the params of a list have no cursor, or the empty one.
func firstPage(params []byte) bool {
	cursor, given, ok := stringParam(params, "cursor")
	return !given || ok && cursor == ""
}

// stringParam returns one of the params of a request, whether it was given, and
// whether it is a string.
func stringParam(params []byte, name string) (value string, given, ok bool) {
	members(params, func(key []byte, l *lex.Lexer) {
		given = given || string(key) == name
		if string(key) == name && l.Kind() == '"' {
			value, ok = string(l.String()), true
			return
		}
		l.Skip()
	})
	return value, given, ok
}

// resourcesOf returns the handlers as a provider of resources, if the specs
// declare some.
func resourcesOf(info *Info, h any) (Resources, error) {
	provider, has := h.(Resources)
	switch {
	case has && !info.Resources:
		return nil, errors.New("the handlers have ListResources and ReadResource, but the specs declare no resources, so no client would see them: add resources: {} to specs/server.yaml and run go generate, or rename the methods")
	case info.Resources && !has:
		return nil, errors.New("the specs declare resources, but the handlers do not implement mcp.Resources")
	}
	return provider, nil
}
