package plan

import "github.com/teaagent/teaagent/gen/spec"

// Rules returns what a plan can find, for those who list or explain rules.
func Rules() []spec.Rule {
	return []spec.Rule{
		{ID: "go-name-tool", Purpose: "Every tool has Go methods of its own."},
		{ID: "go-name-type", Purpose: "Every argument or result that needs a Go type has one of its own."},
		{ID: "go-name-field", Purpose: "Every property of an object has a Go field of its own."},
		{ID: "go-name-enum", Purpose: "Every member of an enum has a Go constant of its own."},
		{ID: "go-name-category", Purpose: "Every category has Go identifiers of its own."},
		{ID: "go-name-file", Purpose: "Every generated file has a name of its own that all systems take."},
		{ID: "go-type", Purpose: "What a value promises is something that the runtime checks for its type."},
		{ID: "go-default", Purpose: "Defaults are values that Go can hold."},
		{ID: "go-guard", Purpose: "The result of a destructive tool leaves preview to its dry run."},
	}
}
