package handlers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	udiff "github.com/aymanbagabas/go-udiff"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

const (
	maxDiffInput  = 1 << 20  // of either text; longer ones are not compared
	maxDiffOutput = 32 << 10 // of a diff that is shown
)

// WriteFile makes a file, or replaces its content in one step.
func (h *Handlers) WriteFile(ctx context.Context, a generated.WriteFileArgs) (generated.WriteFileResult, error) {
	var r generated.WriteFileResult
	w := mcp.WorkspaceFrom(ctx)
	target, err := writable(w, a)
	if err != nil {
		return r, err
	}
	if target.missing != "" {
		if err := w.MkdirAll(target.missing); err != nil {
			return r, err
		}
	}
	if err := w.WriteFile(a.Path, []byte(a.Content)); err != nil {
		return r, err
	}
	return generated.WriteFileResult{Path: a.Path, Bytes: int64(len(a.Content)), Created: target.info == nil}, nil
}

// PreviewWriteFile shows the difference that WriteFile would make.
func (h *Handlers) PreviewWriteFile(ctx context.Context, a generated.WriteFileArgs) (mcp.Preview, error) {
	w := mcp.WorkspaceFrom(ctx)
	target, err := writable(w, a)
	if err != nil {
		return mcp.Preview{}, err
	}
	p := mcp.Preview{Text: fmt.Sprintf("Would create %q (%d bytes).", a.Path, len(a.Content))}
	if target.missing != "" {
		p.Text += fmt.Sprintf(" Would make the directory %q for it.", target.missing)
	}
	old, from := []byte(nil), "/dev/null"
	if target.info != nil {
		size := target.info.Size()
		p.Text = fmt.Sprintf("Would replace %q: %d bytes become %d.", a.Path, size, len(a.Content))
		if size > maxDiffInput {
			p.Text += fmt.Sprintf(" No diff: the file has more than %d bytes.", maxDiffInput)
			return p, nil
		}
		if old, err = w.ReadFile(a.Path, maxDiffInput); err != nil {
			return mcp.Preview{}, err
		}
		if string(old) == a.Content {
			p.Text = fmt.Sprintf("Would leave %q as it is: it has this content.", a.Path)
			return p, nil
		}
		from = a.Path
	}
	switch {
	case len(a.Content) > maxDiffInput:
		p.Text += fmt.Sprintf(" No diff: the new content has more than %d bytes.", maxDiffInput)
	case !isText(old):
		p.Text += " No diff: the file is binary."
	case !isText([]byte(a.Content)):
		p.Text += " No diff: the new content is binary."
	default:
		p.Diff = udiff.Unified(from, a.Path, string(old), a.Content)
		if len(p.Diff) > maxDiffOutput {
			cut := strings.LastIndexByte(p.Diff[:maxDiffOutput], '\n') + 1
			p.Text += fmt.Sprintf(" The diff is cut: %d more lines.", strings.Count(p.Diff[cut:], "\n"))
			p.Diff = p.Diff[:cut]
		}
	}
	return p, nil
}

// target is where a file is to be written.
type target struct {
	info    fs.FileInfo // of the file that is there, or nil
	missing string      // the directory to be made first, or ""
}

// writable refuses what can't be written, before anything is changed.
func writable(w *mcp.Workspace, a generated.WriteFileArgs) (t target, err error) {
	if t.info, err = w.Writable(a.Path); err != nil || t.info != nil {
		return t, err
	}
	dir, _ := path.Split(a.Path)
	if dir = strings.TrimRight(dir, "/"); dir == "" {
		return t, nil
	}
	info, err := w.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && a.CreateDirs:
		t.missing = dir
	case errors.Is(err, fs.ErrNotExist):
		return t, mcp.Errorf("NOT_FOUND", "there is no directory %q for the file; createDirs=true makes it", dir)
	case err != nil:
		return t, err
	case !info.IsDir():
		return t, mcp.Errorf("NOT_A_DIRECTORY", "%q is not a directory", dir)
	}
	return t, nil
}

func isText(data []byte) bool {
	return bytes.IndexByte(data, 0) < 0 && utf8.Valid(data)
}
