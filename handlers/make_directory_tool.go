package handlers

import (
	"context"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// MakeDirectory makes a directory and its parents; one that is there is fine.
func (h *Handlers) MakeDirectory(ctx context.Context, a generated.MakeDirectoryArgs) (generated.MakeDirectoryResult, error) {
	w := mcp.WorkspaceFrom(ctx)
	r := generated.MakeDirectoryResult{Path: a.Path}
	info, err := w.Stat(a.Path)
	if err == nil && !info.IsDir() {
		return r, mcp.Errorf("ALREADY_EXISTS", "%q exists and is not a directory", a.Path)
	}
	r.Created = err != nil
	return r, w.MkdirAll(a.Path)
}
