package handlers

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/handlers/text"
	"github.com/teaagent/teaagent/mcp"
)

const maxEdited = 16 << 20 // bytes of a file that is edited, before and after

// EditFile replaces texts of a file, all or none.
func (h *Handlers) EditFile(ctx context.Context, a generated.EditFileArgs) (generated.EditFileResult, error) {
	var r generated.EditFileResult
	w := mcp.WorkspaceFrom(ctx)
	for {
		e, err := edit(w, a)
		if err != nil {
			return r, err
		}
		_, err = w.WriteFileIf(a.Path, e.data, mcp.Expect{SHA256: e.oldHash})
		if _, expects := a.ExpectedSha256.Get(); !expects && isCode(err, "CHANGED") && ctx.Err() == nil {
			continue // somebody was faster: the edits are made in what he wrote, if they fit
		}
		if err != nil {
			return r, err
		}
		r = generated.EditFileResult{Path: a.Path, Bytes: int64(len(e.data)), Sha256: hashOf(e.data)}
		for _, done := range e.done {
			r.Replaced += int64(done.Count)
			r.Lines = append(r.Lines, int64(done.Line))
		}
		return r, nil
	}
}

// PreviewEditFile shows the difference that EditFile would make.
func (h *Handlers) PreviewEditFile(ctx context.Context, a generated.EditFileArgs) (mcp.Preview, error) {
	e, err := edit(mcp.WorkspaceFrom(ctx), a)
	if err != nil {
		return mcp.Preview{}, err
	}
	n := 0
	for _, done := range e.done {
		n += done.Count
	}
	p := mcp.Preview{Text: fmt.Sprintf("Would replace %d texts in %q: %d bytes become %d.", n, a.Path, e.oldSize, len(e.data))}
	p.Text += addDiff(&p, a.Path, a.Path, e.old, e.text)
	return p, nil
}

// edited is a file with its edits made, before it is written.
type edited struct {
	old, text string
	oldSize   int
	oldHash   string
	data      []byte
	done      []text.Replaced
}

func edit(w *mcp.Workspace, a generated.EditFileArgs) (*edited, error) {
	if _, err := w.Writable(a.Path); err != nil {
		return nil, err
	}
	data, err := w.ReadFile(a.Path, maxEdited)
	if err != nil {
		return nil, err
	}
	e := &edited{oldSize: len(data), oldHash: hashOf(data)}
	if want, ok := a.ExpectedSha256.Get(); ok && want != e.oldHash {
		return nil, mcp.Errorf("CHANGED", "%q is not what you expect: the SHA-256 of its content is %s. Nothing was written; read it again", a.Path, e.oldHash)
	}
	f, err := text.Decode(data)
	if err != nil {
		return nil, named(a.Path, err)
	}
	edits := make([]text.Edit, len(a.Edits))
	for i, one := range a.Edits {
		edits[i] = text.Edit{Old: one.OldText, New: one.NewText, All: one.All}
	}
	if e.text, e.done, err = text.Replace(f.Text, edits, maxEdited); err != nil {
		return nil, err
	}
	e.old, e.data = f.Text, f.Encode(e.text)
	return e, nil
}

// named puts a path in front of a coded error, unless it starts with it.
func named(path string, err error) error {
	var coded *mcp.Error
	if !errors.As(err, &coded) {
		return fmt.Errorf("%q: %w", path, err)
	}
	if strings.HasPrefix(coded.Message, fmt.Sprintf("%q", path)) {
		return err
	}
	return &mcp.Error{Code: coded.Code, Message: fmt.Sprintf("%q: %s", path, coded.Message), Err: coded.Err}
}

func isCode(err error, code string) bool {
	var coded *mcp.Error
	return errors.As(err, &coded) && coded.Code == code
}
