package handlers

import (
	"context"
	"io/fs"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/handlers/tree"
	"github.com/teaagent/teaagent/mcp"
)

// maxListBytes bounds the paths and lines of one answer. Clients cut answers at
// about 25,000 tokens, and a structured one is sent twice: as data and as text.
const maxListBytes = 48 << 10

// FindFiles returns a page of the files that match a glob, in the order of
// their paths. A link counts as a file if it leads to one in the workspace.
func (h *Handlers) FindFiles(ctx context.Context, a generated.FindFilesArgs) (generated.FindFilesResult, error) {
	var r generated.FindFilesResult
	glob, err := tree.ParseGlob(a.Pattern)
	if err != nil {
		return r, err
	}
	options := tree.Options{Dir: a.Path, Ignored: a.Ignored, Glob: glob}
	if after, ok := a.After.Get(); ok {
		options.From = after + "\x00" // the next string in byte order
	}
	w := mcp.WorkspaceFrom(ctx)
	walk, err := tree.New(w, options)
	if err != nil {
		return r, err
	}
	size := 0
	for run := range walk.Runs(ctx) {
		for _, e := range run.Files {
			name := run.Path(e)
			if e.Type == fs.ModeSymlink {
				if info, err := w.Stat(name); err != nil || !info.Mode().IsRegular() {
					continue
				}
			}
			size += len(name) + 3
			if len(r.Paths) == int(a.Limit) || size > maxListBytes && len(r.Paths) > 0 {
				r.Truncated = true
				return r, nil
			}
			r.Paths = append(r.Paths, name)
		}
	}
	if walk.Skipped > 0 {
		r.Skipped = mcp.Some(walk.Skipped)
	}
	return r, tooSlow(ctx)
}

// tooSlow says what to do if a walk was stopped by the clock.
func tooSlow(ctx context.Context) error {
	switch err := ctx.Err(); err {
	case nil, context.Canceled:
		return err
	default:
		return mcp.Errorf("TIMEOUT", "there is too much to look through; name a directory with path, or narrow the pattern or glob: %w", err)
	}
}
