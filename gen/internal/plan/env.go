package plan

import (
	"github.com/teaagent/teaagent/gen/spec"
	"github.com/teaagent/teaagent/mcp"
)

// EnvFile lists the environment variables for the person who sets them. There
// is none for a server without variables.
const EnvFile = ".env.example"

// Variable is an environment variable with who needs it.
type Variable struct {
	mcp.EnvVar
	Every bool     // the server itself, or each of its tools, needs it
	Tools []string // otherwise: those that do, in the order of the specs
}

// variables says who needs each variable, in the order of server.yaml.
func variables(set *spec.Set, env []mcp.EnvVar) []Variable {
	named := map[string][]string{}
	for _, t := range set.Tools {
		for _, v := range t.Auth {
			named[v.V] = append(named[v.V], t.Name.V)
		}
	}
	var all []Variable
	for _, e := range env {
		tools := named[e.Name]
		if every := e.Required || len(tools) > 1 && len(tools) == len(set.Tools); every {
			all = append(all, Variable{EnvVar: e, Every: true})
		} else {
			all = append(all, Variable{EnvVar: e, Tools: tools})
		}
	}
	return all
}
