// Package handlers holds the bodies of teaagent's tools, one file for each.
package handlers

import (
	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// Handlers has a method for every tool, and one more for the preview of each
// destructive tool.
type Handlers struct {
	env mcp.Env
}

// New returns the handlers of a server that runs in env.
func New(env mcp.Env) (generated.Handlers, error) { return &Handlers{env: env}, nil }
