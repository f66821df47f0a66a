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

// maxReadBytes bounds the text of one answer; what is left can be read by
// another call.
const maxReadBytes = 256 << 10

// ReadFile returns lines of a text file as they are, with a note behind them
// if there are more.
func (h *Handlers) ReadFile(ctx context.Context, a generated.ReadFileArgs) (mcp.Result, error) {
	f, err := mcp.WorkspaceFrom(ctx).Open(a.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 64<<10)
	last := a.Offset + a.Limit - 1
	var text []byte
	for line := int64(1); ; line++ {
		part, err := takeLine(r, line >= a.Offset, maxReadBytes)
		if err != nil && err != io.EOF {
			return nil, err
		}
		if len(part) == 0 && err == io.EOF {
			if line <= a.Offset && line > 1 && a.Offset > 1 {
				return nil, mcp.Errorf("OUT_OF_RANGE", "%q has %d lines; offset is %d", a.Path, line-1, a.Offset)
			}
			return mcp.Text(text), nil
		}
		if line > last || len(text)+len(part) > maxReadBytes && len(text) > 0 {
			return mcp.Text(fmt.Sprintf("%s\n[cut: there is more; go on with offset %d]", text, line)), nil
		}
		if bytes.IndexByte(part, 0) >= 0 || !utf8.Valid(part) {
			return nil, mcp.Errorf("NOT_TEXT", "%q is not a text file: line %d is not UTF-8", a.Path, line)
		}
		text = append(text, part...)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
}

// takeLine returns the next line with its end, or nothing of it if it is not
// kept. A line longer than max is too long to be returned at all.
func takeLine(r *bufio.Reader, keep bool, max int) (line []byte, err error) {
	seen := false
	for {
		part, err := r.ReadSlice('\n')
		seen = seen || len(part) > 0
		if keep {
			if len(line)+len(part) > max {
				return nil, mcp.Errorf("TOO_LARGE", "a line has more than %d bytes", max)
			}
			line = append(line, part...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if seen && !keep {
			return []byte{'\n'}, err
		}
		return line, err
	}
}
