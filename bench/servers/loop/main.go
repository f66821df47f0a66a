// The benchmark's floor: a server that parses nothing. It finds method and id
// of a line by a plain byte search and answers a canned line of the size that
// the others answer. Usage: loop N.
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"
	"strconv"
	"syscall"

	"github.com/teaagent/teaagent/bench/shape"
)

// The schema is of the size that the others advertise.
const schema = `{"type":"object","properties":{` +
	`"path":{"type":"string","description":"` + shape.PathText + `","minLength":1,"maxLength":4096},` +
	`"note":{"type":"string","description":"` + shape.NoteText + `"},` +
	`"count":{"type":"integer","description":"` + shape.CountText + `","default":10,"minimum":1,"maximum":1000},` +
	`"all":{"type":"boolean","description":"` + shape.AllText + `"},` +
	`"order":{"type":"string","description":"` + shape.OrderText + `","enum":["name","size","time"]},` +
	`"tags":{"type":"array","description":"` + shape.TagsText + `","items":{"type":"string"}}` +
	`},"required":["path"],"additionalProperties":false}`

var (
	idKey    = []byte(`"id":`)
	callKey  = []byte(`"method":"tools/call"`)
	listKey  = []byte(`"method":"tools/list"`)
	badCount = []byte(`"count":` + strconv.Itoa(shape.BadCount))
)

func main() {
	n, err := strconv.Atoi(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	s := server{
		hello: []byte(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"bench","version":"1.0.0"}}`),
		tools: tools(n),
		short: textResult(shape.Canned(), false),
		bad:   textResult("count: 99999 is above the maximum of 1000", true),
	}
	s.serve()
}

func tools(n int) []byte {
	b := make([]byte, 0, n*(len(schema)+200)+64)
	b = append(b, `{"tools":[`...)
	for i := 1; i <= n; i++ {
		if i > 1 {
			b = append(b, ',')
		}
		b = append(b, `{"name":"`...)
		b = append(b, shape.Name(i)...)
		b = append(b, `","description":"`...)
		b = append(b, shape.Description(i)...)
		b = append(b, `","inputSchema":`...)
		b = append(b, schema...)
		b = append(b, '}')
	}
	return append(b, `]}`...)
}

func textResult(text string, isError bool) []byte {
	quoted, err := json.Marshal(text)
	if err != nil {
		log.Fatal(err)
	}
	b := append([]byte(`{"content":[{"type":"text","text":`), quoted...)
	b = append(b, `}]`...)
	if isError {
		b = append(b, `,"isError":true`...)
	}
	return append(b, '}')
}

type server struct {
	hello, tools, short, bad []byte
	big                      []byte // made when first asked for: it is no part of a start

	out []byte
}

// serve answers line by line and writes when no complete line is left.
func (s *server) serve() {
	in := make([]byte, 256<<10)
	held := 0
	for {
		n, err := syscall.Read(0, in[held:])
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n == 0 {
			return
		}
		rest := in[:held+n]
		for {
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				break
			}
			s.answer(rest[:end])
			rest = rest[end+1:]
		}
		held = copy(in, rest)
		if held == len(in) {
			log.Fatal("a line does not fit the buffer")
		}
		s.flush()
	}
}

func (s *server) answer(line []byte) {
	at := bytes.Index(line, idKey)
	if at < 0 {
		return // a notification
	}
	id := line[at+len(idKey):]
	id = id[:bytes.IndexAny(id, ",}")]
	result := s.hello
	switch {
	case len(line) > 64<<10:
		if s.big == nil {
			s.big = textResult(shape.CannedBig(), false)
		}
		result = s.big
	case bytes.Contains(line, callKey):
		result = s.short
		if bytes.Contains(line, badCount) {
			result = s.bad
		}
	case bytes.Contains(line, listKey):
		result = s.tools
	}
	s.out = append(s.out, `{"jsonrpc":"2.0","id":`...)
	s.out = append(s.out, id...)
	s.out = append(s.out, `,"result":`...)
	s.out = append(s.out, result...)
	s.out = append(s.out, "}\n"...)
}

func (s *server) flush() {
	for out := s.out; len(out) > 0; {
		n, err := syscall.Write(1, out)
		if err != nil && err != syscall.EINTR {
			return
		}
		out = out[max(n, 0):]
	}
	s.out = s.out[:0]
}
