package mcp

import (
	"fmt"
	"slices"
	"strings"
)

// Selection cuts a server's tools down. The zero value serves all.
type Selection struct {
	Groups   []string // categories, and tools by their names; all if empty
	ReadOnly bool     // only tools that read
	MaxTier  Tier     // only tools up to this tier; any if 0
}

// serves reports whether a tool of a category is selected.
func (s *Selection) serves(category string, spec *Spec) bool {
	switch {
	case s.ReadOnly && !spec.ReadOnly:
		return false
	case s.MaxTier != 0 && spec.Tier > s.MaxTier:
		return false
	}
	return len(s.Groups) == 0 || slices.Contains(s.Groups, category) || slices.Contains(s.Groups, spec.Name)
}

// checkGroups fails for a group that the server does not have: a typing error
// must not leave out tools silently, or worse, let nothing be left out.
func checkGroups[H any](s *Server[H], groups []string) error {
	var known []string
	for i := range s.Categories {
		known = append(known, s.Categories[i].Name)
	}
	for _, g := range groups {
		if slices.Contains(known, g) || hasTool(s, g) {
			continue
		}
		if near := nearest(g, known); near != "" {
			return fmt.Errorf("there is no group or tool %q; did you mean %q?", g, near)
		}
		return fmt.Errorf("there is no group or tool %q; the groups are %s", g, strings.Join(known, ", "))
	}
	return nil
}

func hasTool[H any](s *Server[H], name string) bool {
	for i := range s.Categories {
		if slices.ContainsFunc(s.Categories[i].Specs, func(spec Spec) bool { return spec.Name == name }) {
			return true
		}
	}
	return false
}
