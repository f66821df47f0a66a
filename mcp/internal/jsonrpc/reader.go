// Package jsonrpc splits a stream into frames and frames into JSON-RPC 2.0
// messages. It knows nothing of the methods.
package jsonrpc

import (
	"bytes"
	"errors"
	"io"
)

// ErrLeft says that idle returned false: the reader belongs to another
// goroutine now.
var ErrLeft = errors.New("left to another goroutine")

// ErrTooLong says that a line is longer than the reader's limit. The reader
// stays usable: the rest of the line is skipped without being held.
var ErrTooLong = errors.New("line too long")

const (
	firstBuffer = 32 << 10
	keepBuffer  = 1 << 20 // a larger buffer is let go after its line
)

// Reader splits a stream into lines: LF or CRLF, blank ones left out, one BOM
// stripped from the start. The last line counts without its newline.
type Reader struct {
	src     io.Reader
	max     int
	buf     []byte
	r, w    int  // buf[r:w] is read from src and not yet returned
	scanned int  // buf[r:scanned] has no newline
	skip    bool // dropping the rest of a line over the limit
	began   bool
	err     error // from src; returned when the buffer is empty
}

// NewReader returns a Reader of lines of at most max bytes.
func NewReader(src io.Reader, max int) *Reader { return &Reader{src: src, max: max} }

// Next returns the next line without its line end. It aliases the buffer until
// the call after. It calls idle before it blocks on the stream, and returns
// ErrLeft, untouched, if that returns false. With ErrTooLong it returns the
// line's beginning, from which an id may be told.
func (r *Reader) Next(idle func() bool) ([]byte, error) {
	for {
		if i := bytes.IndexByte(r.buf[r.scanned:r.w], '\n'); i >= 0 {
			line, err := r.take(r.buf[r.r : r.scanned+i])
			r.r = r.scanned + i + 1
			r.scanned = r.r
			if line != nil || err != nil {
				return line, err
			}
			continue
		}
		r.scanned = r.w
		if r.skip {
			r.r, r.w, r.scanned = 0, 0, 0
		}
		if r.w-r.r > r.max+1 { // one more for the CR
			line, err := r.take(r.buf[r.r:r.w])
			r.r, r.skip = r.w, true
			return line, err
		}
		if r.err != nil {
			line, err := r.take(r.buf[r.r:r.w])
			if r.r = r.w; line != nil || err != nil {
				return line, err
			}
			return nil, r.err
		}
		if !idle() {
			return nil, ErrLeft
		}
		r.fill()
	}
}

// take takes off what is around a message: a CR, a BOM, white space. It returns
// nil for a blank line, and for what is left of one that is being skipped. The
// length is that of the whole line, so that it does not matter in which pieces
// the line came.
func (r *Reader) take(line []byte) ([]byte, error) {
	if r.skip {
		r.skip = false
		return nil, nil
	}
	var err error
	if line = bytes.TrimSuffix(line, []byte("\r")); len(line) > r.max {
		line, err = line[:min(r.max, firstBuffer)], ErrTooLong
	}
	if !r.began {
		r.began = true
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	if line = bytes.Trim(line, " \t\r"); len(line) == 0 && err == nil {
		return nil, nil
	}
	return line, err
}

// fill reads once from the stream.
func (r *Reader) fill() {
	switch {
	case r.buf == nil, r.r == r.w && cap(r.buf) > keepBuffer:
		r.buf = make([]byte, firstBuffer)
		r.r, r.w, r.scanned = 0, 0, 0
	case r.r == r.w:
		r.r, r.w, r.scanned = 0, 0, 0
	case r.w == len(r.buf):
		if r.r == 0 {
			// Four times, not twice: what a 16 MiB line leaves behind stays small.
			r.move(make([]byte, min(4*len(r.buf), r.max+firstBuffer)))
		} else {
			r.move(r.buf)
		}
	}
	n, err := r.src.Read(r.buf[r.w:])
	r.w += n
	r.err = err
}

// move copies what is not yet returned to the start of buf and goes on there.
func (r *Reader) move(buf []byte) {
	n := copy(buf, r.buf[r.r:r.w])
	r.scanned -= r.r
	r.buf, r.r, r.w = buf, 0, n
}

// Fork returns a Reader that goes on where r is, in a buffer of its own: lines
// that r returned stay as they are. r is not used any more.
func (r *Reader) Fork() *Reader {
	f := *r
	f.move(make([]byte, max(firstBuffer, 2*(r.w-r.r))))
	return &f
}
