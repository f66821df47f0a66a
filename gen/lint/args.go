package lint

import (
	"regexp"
	"strings"

	"github.com/teaagent/teaagent/gen/spec"
)

var argName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

func argReserved(c *Context, t *spec.Tool) {
	for _, s := range t.Args {
		switch s.Name.V {
		case "confirm":
			c.Report(s.Name.Pos, "confirm is added by requiresConfirm: true; write that, or rename the arg")
		case "dry_run":
			c.Report(s.Name.Pos, "dry_run is added by destructive: true; write that, or rename the arg")
		}
	}
}

func argKey(c *Context, t *spec.Tool) {
	check := func(s *spec.Schema) {
		if !argName.MatchString(s.Name.V) {
			c.Report(s.Name.Pos, "name %q is not letters, digits and underscores, at most 64 and no digit first; write one that is, such as container_id", s.Name.V)
		}
	}
	walkNamed(t.Args, check)
	walkNamed(t.Result, check)
}

func argDescription(c *Context, t *spec.Tool, s *spec.Schema) {
	if strings.TrimSpace(s.Description.V) == "" && s.Const.V == "" { // a const says what it is
		c.Report(at(s.Description, s.Name.Pos), "arg %q has no description; write what it means", s.Name.V)
	}
}
