package mcp

import (
	"log/slog"
)

// Env is what handlers.New gets: the surroundings of the server, in place of
// globals.
type Env struct {
	// Root is the workspace, or nil if the server was started without one.
	// Handlers take theirs from WorkspaceFrom, which keeps to the spec of the
	// tool; this one is for what they set up at the start.
	Root   *Workspace
	Getenv func(string) string
	Log    *slog.Logger // to standard error
}
