package handlers

import (
	"context"
	"io/fs"
	"slices"
	"strings"

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
	listed := make([]generated.ListDirectoryEntry, 0, len(entries))
	for _, entry := range entries {
		if e := describe(entry); e.Name > a.After.Or("") {
			listed = append(listed, e)
		}
	}
	// The order is that of the names as they are sent, or after would lose its
	// place at one that is not UTF-8.
	slices.SortFunc(listed, func(a, b generated.ListDirectoryEntry) int { return strings.Compare(a.Name, b.Name) })
	r.Truncated = len(listed) > int(a.Limit)
	r.Entries = listed[:min(len(listed), int(a.Limit))]
	return r, nil
}

func describe(entry fs.DirEntry) generated.ListDirectoryEntry {
	e := generated.ListDirectoryEntry{Name: strings.ToValidUTF8(entry.Name(), "\ufffd"), Kind: generated.ListDirectoryEntryKindOther}
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
