package handlers

import (
	"encoding/base64"
	"fmt"
	"io"
	"os"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// readBytes returns a part of a file as base64, and in a text of its own which
// part that is and how to get the next.
func readBytes(f *os.File, a generated.ReadFileArgs) (mcp.Result, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", a.Path, err)
	}
	data, err := io.ReadAll(io.NewSectionReader(f, a.Offset-1, a.Length))
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", a.Path, err)
	}
	end := a.Offset - 1 + int64(len(data))
	if len(data) == 0 && a.Offset > 1 {
		return nil, mcp.Errorf("OUT_OF_RANGE", "%q has %d bytes; offset is %d", a.Path, info.Size(), a.Offset)
	}
	note := fmt.Sprintf("[%d of %d bytes, to the end]", len(data), info.Size())
	if end < info.Size() {
		note = fmt.Sprintf("[cut: %d of %d bytes; go on with offset %d]", len(data), info.Size(), end+1)
	}
	return mcp.Content{mcp.Text(base64.StdEncoding.EncodeToString(data)), mcp.Text(note)}, nil
}
