package handlers

import (
	"context"
	"fmt"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// PurgePath deletes a file, link or directory for good.
func (h *Handlers) PurgePath(ctx context.Context, a generated.PurgePathArgs) (generated.PurgePathResult, error) {
	return generated.PurgePathResult{Purged: a.Path}, mcp.WorkspaceFrom(ctx).Purge(a.Path, a.Recursive)
}

// PreviewPurgePath says what PurgePath would delete.
func (h *Handlers) PreviewPurgePath(ctx context.Context, a generated.PurgePathArgs) (mcp.Preview, error) {
	info, err := mcp.WorkspaceFrom(ctx).Lstat(a.Path)
	if err != nil {
		return mcp.Preview{}, err
	}
	if info.IsDir() && !a.Recursive {
		return mcp.Preview{}, mcp.Errorf("IS_DIRECTORY", "%q is a directory; say recursive=true to delete all that is in it", a.Path)
	}
	text, err := survey(ctx, a.Path)
	return mcp.Preview{Text: fmt.Sprintf("Would delete for good %s.", text)}, err
}
