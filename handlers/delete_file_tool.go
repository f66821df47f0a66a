package handlers

import (
	"context"
	"fmt"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// DeleteFile removes a file, or a link; what the link leads to stays.
func (h *Handlers) DeleteFile(ctx context.Context, a generated.DeleteFileArgs) (generated.DeleteFileResult, error) {
	var r generated.DeleteFileResult
	if _, err := deletable(ctx, a.Path); err != nil {
		return r, err
	}
	if err := mcp.WorkspaceFrom(ctx).Remove(a.Path); err != nil {
		return r, err
	}
	r.Deleted = a.Path
	return r, nil
}

// PreviewDeleteFile says which file DeleteFile would remove.
func (h *Handlers) PreviewDeleteFile(ctx context.Context, a generated.DeleteFileArgs) (mcp.Preview, error) {
	size, err := deletable(ctx, a.Path)
	if err != nil {
		return mcp.Preview{}, err
	}
	return mcp.Preview{Text: fmt.Sprintf("Would delete %q (%d bytes).", a.Path, size)}, nil
}

// deletable refuses directories, and returns a file's size.
func deletable(ctx context.Context, path string) (int64, error) {
	info, err := mcp.WorkspaceFrom(ctx).Lstat(path)
	if err != nil {
		return 0, err
	}
	if info.IsDir() {
		return 0, mcp.Errorf("IS_DIRECTORY", "%q is a directory; this tool deletes files only", path)
	}
	return info.Size(), nil
}
