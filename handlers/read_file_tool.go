package handlers

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

const (
	// maxReadBytes bounds the text of one answer: clients cut, or refuse, what
	// has more than 25,000 tokens. What is left can be read by another call.
	maxReadBytes = 96 << 10
	// maxLineBytes is for a line by itself, which can't be had in parts.
	maxLineBytes = 256 << 10
)

// ReadFile returns lines of a text file as they are, with a note behind them
// if there are more.
func (h *Handlers) ReadFile(ctx context.Context, a generated.ReadFileArgs) (mcp.Result, error) {
	f, err := mcp.WorkspaceFrom(ctx).Open(a.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if a.Encoding == generated.ReadFileEncodingBase64 {
		return readBytes(f, a)
	}
	r := bufio.NewReaderSize(f, 64<<10)
	if err := skipTo(ctx, r, a); err != nil {
		return nil, err
	}
	var text []byte
	for line := a.Offset; ; line++ {
		part, err := takeLine(r)
		tooLong := len(part) > maxLineBytes
		switch {
		case err != nil && err != io.EOF:
			return nil, fmt.Errorf("read %q: %w", a.Path, err)
		case len(part) == 0:
			return mcp.Text(text), nil
		case line == a.Offset+a.Limit, len(text) > 0 && len(text)+len(part) > maxReadBytes:
			return mcp.Text(fmt.Sprintf("%s\n[cut: there is more; go on with offset %d]", text, line)), nil
		case tooLong:
			return nil, mcp.Errorf("TOO_LARGE", "line %d of %q has more than %d bytes; teaagent_searchText shows parts of it, and offset %d goes on behind it", line, a.Path, maxLineBytes, line+1)
		case bytes.IndexByte(part, 0) >= 0 || !utf8.Valid(part):
			return nil, mcp.Errorf("NOT_TEXT", "%q is not a text file: line %d is not UTF-8; encoding=base64 reads it", a.Path, line)
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
		text = append(text, part...)
	}
}

// skipTo reads up to the first line that is asked for. There must be one,
// unless the file is asked for from its start.
func skipTo(ctx context.Context, r *bufio.Reader, a generated.ReadFileArgs) error {
	lines := int64(0) // that have begun
	for atStart := true; ; {
		if atStart {
			if _, err := r.Peek(1); err == io.EOF {
				break
			}
			if lines++; lines == a.Offset {
				return nil
			}
		}
		_, err := r.ReadSlice('\n')
		switch {
		case err == io.EOF:
			atStart = true
		case err != nil && err != bufio.ErrBufferFull:
			return fmt.Errorf("read %q: %w", a.Path, err)
		case ctx.Err() != nil:
			return ctx.Err()
		default:
			atStart = err == nil
		}
	}
	if a.Offset == 1 {
		return nil
	}
	return mcp.Errorf("OUT_OF_RANGE", "%q has %d lines; offset is %d", a.Path, lines, a.Offset)
}

// takeLine returns the next line with its end, or nothing at the end of the
// file. Of a line that is too long it keeps just enough to show that.
func takeLine(r *bufio.Reader) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(line) <= maxLineBytes {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}
