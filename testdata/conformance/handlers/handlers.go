// Package handlers holds the bodies of the tools.
package handlers

import (
	"example.com/conformance/generated"
	"github.com/teaagent/teaagent/mcp"
)

// Handlers implements generated.Handlers: a method for every tool, and one for
// the preview of every destructive tool.
type Handlers struct {
	env mcp.Env
}

// New builds the handlers from what the server was started with.
func New(env mcp.Env) (generated.Handlers, error) {
	return &Handlers{env: env}, nil
}
