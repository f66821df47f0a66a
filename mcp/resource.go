package mcp

import (
	"context"
	"encoding/base64"
	"strconv"
)

// Resources is implemented by handlers that serve resources beside tools. A
// server whose handlers do not implement it advertises none.
type Resources interface {
	// ListResources returns a page of resources in a stable order. cursor is
	// empty for the first page; next is empty after the last.
	ListResources(ctx context.Context, cursor string) (page []Resource, next string, err error)
	// ListTemplates returns the URI templates (RFC 6570) that ReadResource takes.
	ListTemplates(ctx context.Context) ([]ResourceTemplate, error)
	// ReadResource returns what the URI names, or an error that is ErrNoResource.
	ReadResource(ctx context.Context, uri string) ([]ResourceContents, error)
}

// ErrNoResource says that a URI names nothing that can be read.
var ErrNoResource = Errorf("RESOURCE_NOT_FOUND", "no such resource")

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

// ResourceTemplate is an entry of resources/templates/list.
type ResourceTemplate struct {
	URITemplate string
	Name        string
	Title       string
	Description string
	MIMEType    string
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
		e.Text(base64.StdEncoding.EncodeToString(r.Blob))
	} else {
		e.Key("text")
		e.Text(r.Text)
	}
	e.End('}')
}
