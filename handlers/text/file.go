// Package text changes text files and leaves the rest of them as it is: their
// encoding, their byte order mark, the end of every line.
package text

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/teaagent/teaagent/mcp"
)

// File is a text file's content.
type File struct {
	Text string // without the byte order mark

	mark  string
	order interface { // of UTF-16; nil for UTF-8
		binary.ByteOrder
		binary.AppendByteOrder
	}
}

// Decode reads UTF-8, and UTF-16 that has a byte order mark. Anything else is
// refused, with the code BINARY or ENCODING: a change would break it.
func Decode(data []byte) (*File, error) {
	f := &File{}
	for _, known := range []File{{mark: "\xef\xbb\xbf"}, {mark: "\xff\xfe", order: binary.LittleEndian}, {mark: "\xfe\xff", order: binary.BigEndian}} {
		if bytes.HasPrefix(data, []byte(known.mark)) {
			*f = known
			break
		}
	}
	body := data[len(f.mark):]
	switch {
	case f.order == nil && !utf8.Valid(body):
		if bytes.IndexByte(body, 0) >= 0 {
			return nil, mcp.Errorf("BINARY", "the file is binary")
		}
		return nil, mcp.Errorf("ENCODING", "the file is neither UTF-8 nor UTF-16 with a byte order mark; convert it first")
	case f.order == nil:
		f.Text = string(body)
	default:
		units := make([]uint16, len(body)/2)
		for i := range units {
			units[i] = f.order.Uint16(body[2*i:])
		}
		f.Text = string(utf16.Decode(units))
		if !bytes.Equal(f.Encode(f.Text), data) { // half a character somewhere
			return nil, mcp.Errorf("ENCODING", "the file starts like UTF-16, but goes on with what is none")
		}
	}
	if strings.IndexByte(f.Text, 0) >= 0 {
		return nil, mcp.Errorf("BINARY", "the file is binary")
	}
	return f, nil
}

// Encode returns another text in the file's encoding.
func (f *File) Encode(text string) []byte {
	b := []byte(f.mark)
	if f.order == nil {
		return append(b, text...)
	}
	for _, unit := range utf16.Encode([]rune(text)) {
		b = f.order.AppendUint16(b, unit)
	}
	return b
}
