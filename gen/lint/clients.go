package lint

import (
	"regexp"
	"unicode/utf8"

	"github.com/teaagent/teaagent/gen/spec"
)

// The limits of clients; rules_clients.go says whose they are.
const (
	maxName         = 46 // VS Code puts up to 18 characters before it, within 64
	maxServerName   = 60
	maxMCPName      = 64
	keptMCPName     = 128
	manyTools       = 40
	maxTools        = 128
	maxText         = 1024
	maxInstructions = 2048
)

var callable = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func nameCharacters(c *Context, t *spec.Tool) {
	shaped := c.Set.Server.Prefix.V == "" || verbNoun.MatchString(base(t.Name.V, c.Set.Server.Prefix.V))
	if !shaped && c.settings.ran["name-shape"] && !allows(t.Lint, "name-shape") && !allows(c.Set.Server.Lint, "name-shape") {
		return // that rule has said so
	}
	if t.Name.V != "" && !callable.MatchString(t.Name.V) && !tooLong(c, t) {
		c.Report(t.Name.Pos, "name %q is not made of letters, digits, _ and -, at most 64; models cannot call it", t.Name.V)
	}
}

func nameLength(c *Context, t *spec.Tool) {
	if n := utf8.RuneCountInString(t.Name.V); n > maxName {
		c.Report(t.Name.Pos, "the name has %d characters; write at most %d", n, maxName)
	}
}

// tooLong reports whether the name is too long by itself, and said to be so.
func tooLong(c *Context, t *spec.Tool) bool {
	return c.settings.ran["name-length"] && utf8.RuneCountInString(t.Name.V) > maxName
}

func nameServerLength(c *Context, t *spec.Tool) {
	server := c.Set.Server.Name.V
	if n := len(server) + 1 + len(t.Name.V); server != "" && n > maxServerName && !tooLong(c, t) {
		c.Report(t.Name.Pos, "%s_%s has %d characters; Cursor takes at most %d", server, t.Name.V, n, maxServerName)
	}
}

// mcpName is what Claude Code calls a tool.
func mcpName(c *Context, t *spec.Tool) string {
	if c.Set.Server.Name.V == "" || t.Name.V == "" {
		return ""
	}
	return "mcp__" + c.Set.Server.Name.V + "__" + t.Name.V
}

func nameMCPLength(c *Context, t *spec.Tool) {
	if name := mcpName(c, t); len(name) > maxMCPName && len(name) <= keptMCPName && !tooLong(c, t) {
		c.Report(t.Name.Pos, "%s has %d characters; some models take at most %d", name, len(name), maxMCPName)
	}
}

func nameMCPKept(c *Context, t *spec.Tool) {
	if name := mcpName(c, t); len(name) > keptMCPName {
		c.Report(t.Name.Pos, "%s has %d characters; Claude Code leaves out what has more than %d", name, len(name), keptMCPName)
	}
}

func toolsMany(c *Context) {
	if n := len(c.Set.Tools); n > manyTools && n <= maxTools {
		c.Report(serverPlace(c.Set), "%d tools; Cursor shows a model the first %d", n, manyTools)
	}
}

func toolsTooMany(c *Context) {
	if n := len(c.Set.Tools); n > maxTools {
		c.Report(serverPlace(c.Set), "%d tools; VS Code takes at most %d: split the server", n, maxTools)
	}
}

// serverPlace is where findings about the whole server stand.
func serverPlace(set *spec.Set) spec.Pos {
	switch {
	case set.Server.Name.Set():
		return set.Server.Name.Pos
	case len(set.Tools) > 0:
		return set.Tools[0].Name.Pos
	}
	return set.Server.Pos
}

func textLength(c *Context) {
	for _, t := range c.Set.Tools {
		n := utf8.RuneCountInString(t.Description.V)
		if t.Usage.V != "" {
			n += len("\n\n") + utf8.RuneCountInString(t.Usage.V) // as they are joined on the wire
		}
		if n > maxText {
			c.Report(at(t.Usage, at(t.Description, t.Pos)), "description and usage have %d characters; write at most %d", n, maxText)
		}
		check := func(s *spec.Schema) {
			if n := utf8.RuneCountInString(s.Description.V); n > maxText {
				c.Report(s.Description.Pos, "the description has %d characters; write at most %d", n, maxText)
			}
		}
		walkNamed(t.Args, check)
		walkNamed(t.Result, check)
	}
}

func textInstructions(c *Context) {
	if n := len(c.Set.Server.Instructions.V); n > maxInstructions {
		c.Report(c.Set.Server.Instructions.Pos, "the instructions have %d bytes; Claude Code cuts them at %d", n, maxInstructions)
	}
}
