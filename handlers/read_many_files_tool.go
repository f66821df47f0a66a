package handlers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// ReadManyFiles returns the texts of several files, together at most
// maxReadBytes. One that can't be read does not keep the others back.
func (h *Handlers) ReadManyFiles(ctx context.Context, a generated.ReadManyFilesArgs) (generated.ReadManyFilesResult, error) {
	var r generated.ReadManyFilesResult
	left := maxReadBytes
	for _, path := range a.Paths {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		file := generated.ReadManyFilesFile{Path: path}
		text, more, err := readStart(mcp.WorkspaceFrom(ctx), path, left)
		var coded *mcp.Error
		switch {
		case errors.As(err, &coded):
			file.Error = mcp.Some(coded.Error())
		case err != nil:
			file.Error = mcp.Some("[FAILED] " + err.Error())
		default:
			file.Text = mcp.Some(string(text))
			left -= len(text)
			if more {
				file.Truncated = mcp.Some(true)
			}
		}
		r.Files = append(r.Files, file)
	}
	return r, nil
}

// readStart returns at most max bytes of a text file, whole lines if there is
// more, and whether there is.
func readStart(w *mcp.Workspace, path string, max int) (text []byte, more bool, err error) {
	f, err := w.Open(path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	text, err = io.ReadAll(io.LimitReader(f, int64(max)+1))
	if err != nil {
		return nil, false, fmt.Errorf("read %q: %w", path, err)
	}
	if len(text) > max {
		text, more = text[:bytes.LastIndexByte(text[:max], '\n')+1], true
	}
	if bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text) {
		return nil, false, mcp.Errorf("NOT_TEXT", "%q is not a text file; teaagent_readFile with encoding=base64 reads it", path)
	}
	return text, more, nil
}
