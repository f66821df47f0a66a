package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// Want is what the answer to a call must be.
type Want struct {
	refusal bool
	member  []byte // "text":"…" as nearly every encoder writes it
}

// Refusal wants an error of either kind: a JSON-RPC error, or a result marked isError.
var Refusal = Want{refusal: true}

// Text wants a result with one text content of exactly this text.
func Text(text string) Want {
	var b bytes.Buffer
	b.WriteString(`"text":`)
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // a string always encodes
	}
	return Want{member: bytes.TrimSpace(b.Bytes())}
}

// text returns the wanted text.
func (w Want) text() (text string) {
	if err := json.Unmarshal(w.member[len(textKey):], &text); err != nil {
		panic(err) // Text encoded it
	}
	return text
}

// check returns an error unless line is the wanted answer.
func (w Want) check(line []byte) error {
	if w.quick(line) {
		return nil
	}
	m, err := parse(line)
	if err != nil {
		return err
	}
	var result struct {
		Content []struct{ Type, Text string }
		IsError bool
	}
	if m.Error == nil {
		if err := json.Unmarshal(m.Result, &result); err != nil {
			return fmt.Errorf("result: %w: %s", err, excerpt(line))
		}
	}
	failed := m.Error != nil || result.IsError
	switch {
	case w.refusal && failed:
		return nil
	case w.refusal:
		return fmt.Errorf("arguments out of range were accepted: %s", excerpt(line))
	case failed:
		return fmt.Errorf("good arguments were refused: %s", excerpt(line))
	case len(result.Content) != 1 || result.Content[0].Type != "text" || result.Content[0].Text != w.text():
		return fmt.Errorf("wrong answer %s; want the text %s", excerpt(line), excerpt([]byte(w.text())))
	}
	return nil
}

var (
	idKey     = []byte(`"id":`)
	textKey   = []byte(`"text":`)
	errorKey  = []byte(`"error":`)
	isError   = []byte(`"isError":true`)
	methodKey = []byte(`"method":`)
)

// quick recognises the wanted answer by its bytes; false means: parse it.
// No text of the benchmark holds a quoted key, so what is found is the key.
func (w Want) quick(line []byte) bool {
	failed := bytes.Contains(line, isError) || bytes.Contains(line, errorKey)
	if w.refusal {
		return failed
	}
	at := bytes.Index(line, textKey)
	return at >= 0 && !failed && bytes.HasPrefix(line[at:], w.member) &&
		!bytes.Contains(line[at+len(w.member):], textKey)
}

// answerID returns the id of an answer. A notification is no answer and no
// error; a request of the server's own is one, since nobody would serve it.
func answerID(line []byte) (id int, isAnswer bool, err error) {
	if id, ok := quickID(line); ok {
		return id, true, nil
	}
	m, err := parse(line)
	if err != nil {
		return 0, false, err
	}
	if m.Method != "" {
		if m.ID != nil {
			return 0, false, fmt.Errorf("the server asks for %s: %s", m.Method, excerpt(line))
		}
		return 0, false, nil
	}
	id, err = strconv.Atoi(string(m.ID))
	if err != nil {
		return 0, false, fmt.Errorf("answer with an id that was never sent: %s", excerpt(line))
	}
	return id, true, nil
}

// quickID finds an id that stands in line once, in a line without a method.
func quickID(line []byte) (int, bool) {
	at := bytes.Index(line, idKey)
	if at < 0 {
		return 0, false
	}
	id, digits := 0, line[at+len(idKey):]
	for i, d := range digits {
		if d < '0' || d > '9' || i > 9 {
			digits = digits[i:]
			break
		}
		id = id*10 + int(d-'0')
	}
	ends := len(digits) > 0 && (digits[0] == ',' || digits[0] == '}')
	return id, ends && id >= firstID && !bytes.Contains(digits, idKey) && !bytes.Contains(line, methodKey)
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

func parse(line []byte) (m message, err error) {
	if err := json.Unmarshal(line, &m); err != nil {
		return m, fmt.Errorf("not a JSON-RPC message: %w: %s", err, excerpt(line))
	}
	if m.Method == "" && (m.Result == nil) == (m.Error == nil) {
		return m, fmt.Errorf("neither a result nor an error, or both: %s", excerpt(line))
	}
	return m, nil
}

// excerpt shortens what an error quotes.
func excerpt(b []byte) string {
	const most = 300
	if len(b) <= most {
		return string(b)
	}
	return fmt.Sprintf("%s… (%d bytes)", b[:most], len(b))
}
