package handlers

import (
	"context"
	"fmt"
	"strings"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// DeletePath moves a file, link or directory to the trash.
func (h *Handlers) DeletePath(ctx context.Context, a generated.DeletePathArgs) (generated.DeletePathResult, error) {
	r := generated.DeletePathResult{Deleted: a.Path}
	var err error
	r.Trashed, err = mcp.WorkspaceFrom(ctx).Trash(a.Path)
	return r, err
}

// PreviewDeletePath says what DeletePath would take away.
func (h *Handlers) PreviewDeletePath(ctx context.Context, a generated.DeletePathArgs) (mcp.Preview, error) {
	text, err := survey(ctx, a.Path)
	return mcp.Preview{Text: fmt.Sprintf("Would move %s to the trash.", text)}, err
}

// survey says what a path holds: `"a.txt" (5 bytes)`.
func survey(ctx context.Context, path string) (string, error) {
	s, err := mcp.WorkspaceFrom(ctx).Survey(ctx, path)
	switch {
	case err != nil:
		return "", err
	case s.Kind == "file":
		return fmt.Sprintf("%q (%d bytes)", path, s.Bytes), nil
	case s.Kind == "symbolic link":
		return fmt.Sprintf("the symbolic link %q, not what it leads to", path), nil
	case s.Kind != "directory":
		return fmt.Sprintf("%q, a %s", path, s.Kind), nil
	}
	var least string
	if s.More {
		least = "at least "
	}
	text := fmt.Sprintf("the directory %q with %s%d files (%d bytes) and %d directories in it", path, least, s.Files, s.Bytes, s.Dirs)
	if len(s.First) > 0 {
		quoted := make([]string, len(s.First))
		for i, name := range s.First {
			quoted[i] = fmt.Sprintf("%q", name)
		}
		text += ", among them " + strings.Join(quoted, ", ")
	}
	return text, nil
}
