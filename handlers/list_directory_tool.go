package handlers

import (
	"context"
	"io/fs"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// ListDirectory returns a page of a directory's entries, in the order of their names.
func (h *Handlers) ListDirectory(ctx context.Context, a generated.ListDirectoryArgs) (generated.ListDirectoryResult, error) {
	var r generated.ListDirectoryResult
	entries, err := mcp.WorkspaceFrom(ctx).ReadDir(a.Path)
	if err != nil {
		return r, err
	}
	after := a.After.Or("")
	for _, entry := range entries {
		if entry.Name() <= after {
			continue
		}
		if len(r.Entries) == int(a.Limit) {
			r.Truncated = true
			break
		}
		r.Entries = append(r.Entries, listed(entry))
	}
	return r, nil
}

func listed(entry fs.DirEntry) generated.ListDirectoryEntry {
	e := generated.ListDirectoryEntry{Name: entry.Name(), Kind: generated.ListDirectoryEntryKindOther}
	switch {
	case entry.IsDir():
		e.Kind = generated.ListDirectoryEntryKindDirectory
	case entry.Type()&fs.ModeSymlink != 0:
		e.Kind = generated.ListDirectoryEntryKindLink
	case entry.Type().IsRegular():
		e.Kind = generated.ListDirectoryEntryKindFile
		if info, err := entry.Info(); err == nil { // gone since: listed without a size
			e.Size = mcp.Some(info.Size())
		}
	}
	return e
}
