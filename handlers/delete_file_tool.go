package handlers

import (
	"context"
	"fmt"
	"io/fs"

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
	info, err := deletable(ctx, a.Path)
	if err != nil {
		return mcp.Preview{}, err
	}
	p := mcp.Preview{Text: fmt.Sprintf("Would delete %q (%d bytes).", a.Path, info.Size())}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		p.Text = fmt.Sprintf("Would delete the symbolic link %q; what it leads to stays.", a.Path)
	case !info.Mode().IsRegular():
		p.Text = fmt.Sprintf("Would delete %q, which is a pipe, socket or device.", a.Path)
	}
	return p, nil
}

// deletable describes a file, and refuses directories.
func deletable(ctx context.Context, path string) (fs.FileInfo, error) {
	info, err := mcp.WorkspaceFrom(ctx).Lstat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, mcp.Errorf("IS_DIRECTORY", "%q is a directory; this tool deletes files only", path)
	}
	return info, nil
}
