package jsonrpc

import (
	"fmt"

	"github.com/teaagent/teaagent/mcp/internal/lex"
)

// JSON-RPC 2.0's own error codes.
const (
	ParseError     = -32700
	InvalidRequest = -32600
	MethodNotFound = -32601
	InvalidParams  = -32602
	InternalError  = -32603
)

// Message is a request (Method and ID), a notification (Method alone), or an
// answer (ID with Result or Error). All but Method are source texts, nil where
// absent; they alias the line.
type Message struct {
	ID     []byte
	Method []byte // unescaped
	Params []byte // an object
	Result []byte
	Error  []byte
}

// Fault says why a line is no message. The id of the message is in its ID, if
// it could be read.
type Fault struct {
	Code int
	Text string
}

// Parse reads a line. Its keys are matched to the letter; unknown ones are
// checked and skipped.
func (m *Message) Parse(line []byte) *Fault {
	var l lex.Lexer
	l.Reset(line)
	*m = Message{}
	var fault *Fault
	wrong := func(format string, args ...any) {
		if fault == nil {
			fault = &Fault{InvalidRequest, fmt.Sprintf(format, args...)}
		}
	}
	if kind := l.Kind(); kind != '{' && kind != 0 {
		l.Skip()
		wrong("a message is a JSON object, not %s", kindName(kind))
	} else {
		m.members(&l, wrong)
	}
	if err := l.End(); err != nil {
		return &Fault{ParseError, err.Error()}
	}
	if fault != nil {
		return fault
	}
	return m.shape()
}

func (m *Message) members(l *lex.Lexer, wrong func(string, ...any)) {
	version := false
	for l.Enter(); l.More(); {
		switch string(l.Key()) {
		case "jsonrpc":
			if version = string(l.Skip()) == `"2.0"`; !version {
				wrong(`"jsonrpc" is not "2.0"`)
			}
		case "id":
			kind := l.Kind()
			id := l.Skip()
			if kind == '0' {
				if _, integral, _ := lex.ParseInt(id); !integral {
					kind = 'f'
				}
			}
			if kind == '"' || kind == '0' {
				m.ID = id
			} else {
				wrong(`"id" is neither a string nor an integer`)
			}
		case "method":
			if l.Kind() == '"' {
				m.Method = append([]byte{}, l.String()...)
			} else {
				l.Skip()
				wrong(`"method" is not a string`)
			}
		case "params":
			m.Params = l.Skip()
		case "result":
			m.Result = l.Skip()
		case "error":
			m.Error = l.Skip()
		default:
			l.Skip()
		}
	}
	if !version { // says nothing after the complaint above
		wrong(`"jsonrpc": "2.0" is missing`)
	}
}

// shape tells the three kinds of message apart.
func (m *Message) shape() *Fault {
	answer := m.Result != nil || m.Error != nil
	switch {
	case m.Method == nil && !answer:
		return &Fault{InvalidRequest, `"method" is missing`}
	case m.Method != nil && answer:
		return &Fault{InvalidRequest, `a message has "method", or "result" or "error", not both`}
	case answer && (m.ID == nil || m.Result != nil && m.Error != nil):
		return &Fault{InvalidRequest, `an answer has "id" and one of "result" and "error"`}
	case m.Params != nil && m.Params[0] != '{':
		return &Fault{InvalidParams, `"params" is not an object`}
	}
	return nil
}

func kindName(kind lex.Kind) string {
	switch kind {
	case '[':
		return "an array (batches are not accepted in this revision of the protocol)"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 'n':
		return "null"
	}
	return "a boolean"
}
