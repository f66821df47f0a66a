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

// maxID is the longest id that is taken: it has to fit into an answer.
const maxID = 1024

// Message is a request (Method and ID), a notification (Method alone), or an
// answer (ID with Result or Error). All but Method are source texts, nil where
// absent; they alias the line.
type Message struct {
	ID     []byte
	Method []byte // unescaped; nil if absent
	Params []byte // an object
	Result []byte
	Error  []byte
}

// Fault says why a line is no message. The id of the message is in its ID, if
// it could be read.
type Fault struct {
	Code int
	Text string
	Data []byte // source text of the error's data; nil for none
}

// Parse reads a line. Its keys are matched to the letter; unknown ones are
// checked and skipped.
func (m *Message) Parse(line []byte) *Fault {
	*m = Message{}
	var l lex.Lexer
	l.Reset(line)
	wrong := ""
	if kind := l.Kind(); kind == '{' {
		wrong = m.members(&l, line)
	} else {
		l.Skip()
		wrong = "a message is a JSON object, not " + kindName(kind)
	}
	if err := l.End(); err != nil {
		return &Fault{Code: ParseError, Text: err.Error()}
	}
	if wrong != "" {
		return &Fault{Code: InvalidRequest, Text: wrong}
	}
	return m.shape()
}

// members reads the object, and says what is wrong with it as a message.
func (m *Message) members(l *lex.Lexer, line []byte) (wrong string) {
	version := `"jsonrpc": "2.0" is missing`
	for l.Enter(); l.More(); {
		switch string(l.Key()) {
		case "jsonrpc":
			version = ""
			if string(l.Skip()) != `"2.0"` {
				version = `"jsonrpc" is not "2.0"`
			}
		case "id":
			kind := l.Kind()
			id := l.Skip()
			switch {
			case len(id) > maxID:
				wrong = fmt.Sprintf(`"id" is longer than %d bytes`, maxID)
			case !isID(kind, id):
				wrong = `"id" is neither a string nor an integer`
			case l.Offset() < len(line): // else the line is cut, maybe within a number
				m.ID = id
			}
		case "method":
			if l.Kind() != '"' {
				l.Skip()
				wrong = `"method" is not a string`
				continue
			}
			m.Method = l.String()
			if len(m.Method)+2 < len(l.Raw()) { // it had escapes: the lexer needs the room again
				m.Method = append([]byte{}, m.Method...)
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
	if version != "" {
		return version
	}
	return wrong
}

func isID(kind lex.Kind, id []byte) bool {
	if kind == '0' {
		_, integral, _ := lex.ParseInt(id)
		return integral
	}
	return kind == '"'
}

// IsAnswer reports whether the line was meant as an answer, be it a good one.
func (m *Message) IsAnswer() bool {
	return m.Method == nil && (m.Result != nil || m.Error != nil)
}

// shape tells the three kinds of message apart.
func (m *Message) shape() *Fault {
	answer := m.Result != nil || m.Error != nil
	switch {
	case m.Method == nil && !answer:
		return &Fault{Code: InvalidRequest, Text: `"method" is missing`}
	case m.Method != nil && answer:
		return &Fault{Code: InvalidRequest, Text: `a message has "method", or "result" or "error", not both`}
	case answer && (m.ID == nil || m.Result != nil && m.Error != nil):
		return &Fault{Code: InvalidRequest, Text: `an answer has "id" and one of "result" and "error"`}
	case m.Params != nil && m.Params[0] != '{':
		return &Fault{Code: InvalidParams, Text: `"params" is not an object`}
	}
	return nil
}

func kindName(kind lex.Kind) string {
	switch kind {
	case '[':
		return "an array (batches are taken in revision 2025-03-26 of the protocol alone, and not within one another)"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 'n':
		return "null"
	}
	return "a boolean"
}
