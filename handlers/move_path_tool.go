package handlers

import (
	"context"
	"fmt"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// MovePath gives a file or directory another path.
func (h *Handlers) MovePath(ctx context.Context, a generated.MovePathArgs) (generated.MovePathResult, error) {
	r := generated.MovePathResult{Path: a.To}
	trashed, err := mcp.WorkspaceFrom(ctx).Move(a.From, a.To, a.Replace)
	r.Trashed = someText(trashed)
	return r, err
}

// PreviewMovePath says what MovePath would move, and what it would replace.
func (h *Handlers) PreviewMovePath(ctx context.Context, a generated.MovePathArgs) (mcp.Preview, error) {
	return previewPlacing(ctx, "move", a.From, a.To, a.Replace)
}

// previewPlacing is the preview of a move or copy.
func previewPlacing(ctx context.Context, verb, from, to string, replace bool) (mcp.Preview, error) {
	w := mcp.WorkspaceFrom(ctx)
	if err := w.Vacant(from, to, replace); err != nil {
		return mcp.Preview{}, err
	}
	text, err := survey(ctx, from)
	if err != nil {
		return mcp.Preview{}, err
	}
	p := mcp.Preview{Text: fmt.Sprintf("Would %s %s to %q.", verb, text, to)}
	if _, err := w.Lstat(to); err == nil {
		text, err := survey(ctx, to)
		if err != nil {
			return mcp.Preview{}, err
		}
		p.Text += " What is there would go to the trash: " + text + "."
	}
	return p, nil
}

func someText(text string) mcp.Optional[string] {
	if text == "" {
		return mcp.Optional[string]{}
	}
	return mcp.Some(text)
}
