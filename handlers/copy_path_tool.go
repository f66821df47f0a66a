package handlers

import (
	"context"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// CopyPath copies a file or directory.
func (h *Handlers) CopyPath(ctx context.Context, a generated.CopyPathArgs) (generated.CopyPathResult, error) {
	r := generated.CopyPathResult{Path: a.To}
	n, err := mcp.WorkspaceFrom(ctx).Copy(ctx, a.From, a.To, a.Replace)
	if err != nil {
		return r, err
	}
	r.Files, r.Bytes, r.Trashed = n.Files, n.Bytes, someText(n.Trashed)
	if n.Skipped > 0 {
		r.Skipped = mcp.Some(n.Skipped)
	}
	return r, nil
}

// PreviewCopyPath says what CopyPath would copy, and what it would replace.
func (h *Handlers) PreviewCopyPath(ctx context.Context, a generated.CopyPathArgs) (mcp.Preview, error) {
	return previewPlacing(ctx, "copy", a.From, a.To, a.Replace)
}
