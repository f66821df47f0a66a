package mcp

import "fmt"

// Result is what a tool answers with: Text, Content, or the struct that is
// generated from the spec's result.
type Result interface {
	EncodeJSON(*Encoder)
}

// Text is a result of one text.
type Text string

// EncodeJSON writes the text as a JSON string.
func (t Text) EncodeJSON(e *Encoder) { e.Text(string(t)) }

func (t Text) encodeItem(e *Encoder) {
	e.Begin('{')
	e.Key("type")
	e.Text("text")
	e.Key("text")
	e.Text(string(t))
	e.End('}')
}

// Content is a result of several items: texts, images, sounds and resources.
type Content []Item

// EncodeJSON writes the items as a JSON array.
func (c Content) EncodeJSON(e *Encoder) {
	e.Begin('[')
	for _, item := range c {
		item.encodeItem(e)
	}
	e.End(']')
}

// Item is one element of Content: Text, Image, Audio, Embedded or Link.
type Item interface {
	encodeItem(*Encoder)
}

// Image is a picture; MIMEType says in which form.
type Image struct {
	Data     []byte
	MIMEType string
}

func (i Image) encodeItem(e *Encoder) { encodeMedia(e, "image", i.Data, i.MIMEType) }

// Audio is a sound; MIMEType says in which form.
type Audio struct {
	Data     []byte
	MIMEType string
}

func (a Audio) encodeItem(e *Encoder) {
	if !e.knows(Revision20250326) {
		Text(fmt.Sprintf("(a sound, %s, of %d bytes: revision %s of the protocol has none)", a.MIMEType, len(a.Data), e.revision)).encodeItem(e)
		return
	}
	encodeMedia(e, "audio", a.Data, a.MIMEType)
}

func encodeMedia(e *Encoder, kind string, data []byte, mime string) {
	e.Begin('{')
	e.Key("type")
	e.Text(kind)
	e.Key("data")
	e.bytes(data)
	e.Key("mimeType")
	e.Text(mime)
	e.End('}')
}

// Embedded is a resource with its contents.
type Embedded struct {
	Contents ResourceContents
}

func (r Embedded) encodeItem(e *Encoder) {
	e.Begin('{')
	e.Key("type")
	e.Text("resource")
	e.Key("resource")
	r.Contents.encode(e)
	e.End('}')
}

// Link refers to a resource that the client may read.
type Link struct {
	Resource Resource
}

func (l Link) encodeItem(e *Encoder) {
	if !e.knows(Revision20250618) {
		text := l.Resource.Name + ": " + l.Resource.URI
		if l.Resource.Description != "" {
			text += "\n" + l.Resource.Description
		}
		Text(text).encodeItem(e)
		return
	}
	e.Begin('{')
	e.Key("type")
	e.Text("resource_link")
	l.Resource.encodeFields(e)
	e.End('}')
}

// Preview says what a destructive call would do.
type Preview struct {
	Text string // one or a few sentences
	Diff string // a unified diff, where text would change
}

// EncodeJSON writes the preview as outputSchema's "preview" has it.
func (p Preview) EncodeJSON(e *Encoder) {
	e.Begin('{')
	e.Key("text")
	e.Text(p.Text)
	e.field("diff", p.Diff)
	e.End('}')
}
