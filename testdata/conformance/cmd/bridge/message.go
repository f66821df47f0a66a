package main

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// message is what the bridge has to know of a JSON-RPC message. What it passes on
// is raw, in which at most an id is another one.
type message struct {
	raw    []byte
	ID     json.RawMessage
	Method string
	Params struct {
		Name, URI     json.RawMessage
		RequestID     json.RawMessage
		ProgressToken json.RawMessage
		Meta          map[string]json.RawMessage `json:"_meta"`
	}
}

// parse reads one message, of which it takes the members it knows and leaves the
// judgement of the rest to the server. Its raw has no line end.
func parse(text []byte) (*message, error) {
	var line bytes.Buffer
	if err := json.Compact(&line, text); err != nil {
		return nil, err
	}
	m := &message{raw: line.Bytes()}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(m.raw, &members); err != nil || members == nil {
		return nil, fmt.Errorf("want a JSON object")
	}
	m.ID = members["id"]
	m.Method = textOf(members["method"])
	var params map[string]json.RawMessage
	json.Unmarshal(members["params"], &params) // what is no object has no members
	m.Params.Name, m.Params.URI = params["name"], params["uri"]
	m.Params.RequestID, m.Params.ProgressToken = params["requestId"], params["progressToken"]
	json.Unmarshal(params["_meta"], &m.Params.Meta)
	return m, nil
}

// textOf is the string that a JSON text is, or empty.
func textOf(value json.RawMessage) string {
	var text string
	json.Unmarshal(value, &text)
	return text
}

// withID is the message with another id, and all else as it came.
func (m *message) withID(id json.RawMessage) []byte {
	return splice(m.raw, id, "id")
}

// withRequestID is the message, speaking of another request.
func (m *message) withRequestID(id json.RawMessage) []byte {
	return splice(m.raw, id, "params", "requestId")
}

// splice puts value where path leads in an object. It is told only of paths that
// are there.
func splice(object []byte, value json.RawMessage, path ...string) []byte {
	start, end := 0, len(object)
	for _, key := range path {
		s, e := member(object[start:end], key)
		start, end = start+s, start+e
	}
	return bytes.Join([][]byte{object[:start], value, object[end:]}, nil)
}

// member says where the value of a key stands in an object: the last, as in
// encoding/json, if there are more.
func member(object []byte, key string) (start, end int) {
	d := json.NewDecoder(bytes.NewReader(object))
	d.Token()
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			break
		}
		if name == key {
			end = int(d.InputOffset())
			start = end - len(value)
		}
	}
	return start, end
}
