package handlers

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/handlers/tree"
	"github.com/teaagent/teaagent/mcp"
)

// ShowTree returns the names below a directory, one a line, indented by their
// depth.
func (h *Handlers) ShowTree(ctx context.Context, a generated.ShowTreeArgs) (mcp.Result, error) {
	walk, err := tree.New(mcp.WorkspaceFrom(ctx), tree.Options{Dir: a.Path, Ignored: a.Ignored})
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	var shown []string // the directories of the last line
	var lines int64
	line := func(depth int, name string) bool {
		if lines == a.Limit || b.Len() > maxReadBytes {
			fmt.Fprintf(&b, "[cut: there is more; give path a directory below, or a smaller depth]\n")
			return false
		}
		lines++
		b.WriteString(strings.Repeat("  ", depth))
		b.WriteString(strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(name) + "\n")
		return true
	}
	base := 0 // levels of names above those that are shown
	if dir := path.Clean(a.Path); dir != "." {
		base = strings.Count(dir, "/") + 1
	}
	for run := range walk.Runs(ctx) {
		dirs := strings.Split(run.Dir, "/")
		if run.Dir == "." {
			dirs = nil
		}
		dirs = dirs[base:]
		same := 0
		for same < len(dirs) && same < len(shown) && dirs[same] == shown[same] {
			same++
		}
		for i := same; i < len(dirs) && int64(i) < a.Depth; i++ {
			if !line(i, dirs[i]+"/") {
				return mcp.Text(b.String()), nil
			}
		}
		shown = dirs
		if int64(len(dirs)) >= a.Depth {
			continue
		}
		for _, f := range run.Files {
			if !line(len(dirs), f.Name) {
				return mcp.Text(b.String()), nil
			}
		}
	}
	if walk.Skipped > 0 {
		fmt.Fprintf(&b, "[%d directories or names could not be read]\n", walk.Skipped)
	}
	return mcp.Text(b.String()), ctx.Err()
}
