package handlers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
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
	data := []byte(a.Content)
	created, err := w.WriteFileIf(a.Path, data, mcp.Expect{SHA256: a.ExpectedSha256.Or(""), Absent: a.MustCreate})
	if err != nil {
		return r, err
	}
	return generated.WriteFileResult{Path: a.Path, Bytes: int64(len(data)), Sha256: hashOf(data), Created: created}, nil
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
	if !isText(old) {
		p.Text += " No diff: the file is binary."
		return p, nil
	}
	p.Text += addDiff(&p, from, a.Path, string(old), a.Content)
	return p, nil
}

// addDiff adds the difference of two texts to a preview, and returns what there
// is to say about it, if it is not shown as a whole.
func addDiff(p *mcp.Preview, from, to, old, text string) string {
	switch {
	case len(old) > maxDiffInput:
		return fmt.Sprintf(" No diff: the file has more than %d bytes.", maxDiffInput)
	case len(text) > maxDiffInput:
		return fmt.Sprintf(" No diff: the new content has more than %d bytes.", maxDiffInput)
	case !isText([]byte(text)):
		return " No diff: the new content is binary."
	}
	room := maxDiffOutput - len(p.Diff)
	diff := udiff.Unified(from, to, old, text)
	if len(diff) <= room {
		p.Diff += diff
		return ""
	}
	cut := strings.LastIndexByte(diff[:max(0, room)], '\n') + 1
	p.Diff += diff[:cut]
	return fmt.Sprintf(" The diff is cut: %d more lines.", strings.Count(diff[cut:], "\n"))
}

// target is where a file is to be written.
type target struct {
	info    fs.FileInfo // of the file that is there, or nil
	missing string      // the directory to be made first, or ""
}

// writable refuses what can't be written, before anything is changed.
func writable(w *mcp.Workspace, a generated.WriteFileArgs) (t target, err error) {
	if t.info, err = w.Writable(a.Path); err != nil {
		return t, err
	}
	expected, expects := a.ExpectedSha256.Get()
	switch {
	case expects && a.MustCreate:
		return t, mcp.Errorf("INVALID_ARGUMENT", "expectedSha256 is of a file that is there, and mustCreate=true wants none: give one of them")
	case a.MustCreate && t.info != nil:
		return t, mcp.Errorf("ALREADY_EXISTS", "%q exists already; without mustCreate=true it is replaced", a.Path)
	case expects:
		return t, w.Check(a.Path, mcp.Expect{SHA256: expected})
	case t.info != nil:
		return t, nil
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

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func isText(data []byte) bool {
	return bytes.IndexByte(data, 0) < 0 && utf8.Valid(data)
}
