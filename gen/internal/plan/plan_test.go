package plan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/teaagent/teaagent/gen/spec"
)

// A plan is total: what loading refuses does not make it panic, and every set
// gets names and paths that nothing can climb out of.
func TestTotal(t *testing.T) {
	odd := &spec.Schema{
		Type:    spec.Value[string]{V: "nonsense"},
		Default: spec.Value[spec.Literal]{V: "{"},
	}
	set := &spec.Set{Tools: []*spec.Tool{
		{},
		{
			Name:     spec.Value[string]{V: "../../etc/passwd"},
			Category: spec.Value[string]{V: "../.."},
			GoName:   spec.Value[string]{V: "..\\x"},
			Args: []*spec.Schema{
				odd,
				{Type: spec.Value[string]{V: "array"}, Default: spec.Value[spec.Literal]{V: "1"}},
				{Type: spec.Value[string]{V: "object"}, Default: spec.Value[spec.Literal]{V: "[]"}},
				{Type: spec.Value[string]{V: "integer"}, Default: spec.Value[spec.Literal]{V: "x"}},
				{Enum: []spec.Value[spec.Literal]{{V: "null"}, {V: "1"}, {V: ""}}, Default: spec.Value[spec.Literal]{V: "2"}},
			},
		},
	}}
	srv, findings := From(set)
	if len(findings) == 0 {
		t.Error("no findings")
	}
	for _, c := range srv.Categories {
		paths := []string{c.File, c.Bundle}
		for _, tool := range c.Tools {
			paths = append(paths, tool.Stub)
		}
		for _, p := range paths {
			if strings.Contains(p, "..") || strings.Count(p, "/") > 2 || strings.Contains(p, "\\") {
				t.Errorf("path %q", p)
			}
		}
	}
}

// A schema keeps the order that readers want, the spec's order of properties,
// numbers as written and text without needless escapes.
func TestWire(t *testing.T) {
	at := spec.Pos{Line: 1}
	text := func(s string) spec.Value[string] { return spec.Value[string]{V: s, Pos: at} }
	tool := &spec.Tool{
		Destructive:     spec.Value[bool]{V: true},
		RequiresConfirm: spec.Value[bool]{V: true},
		Args: []*spec.Schema{
			{Name: text("z"), Type: text("string"), Description: text("<b> & \"c\"\n\u2028"), Required: spec.Value[bool]{V: true}, Secret: spec.Value[bool]{V: true}, Role: text("path"), MaxLength: spec.Value[int]{V: 0, Pos: at}},
			{Name: text("a"), Type: text("integer"), ExclusiveMinimum: spec.Value[spec.Literal]{V: "9007199254740993"}},
			{Name: text("n"), Type: text("number"), Minimum: spec.Value[spec.Literal]{V: "1.50"}, Default: spec.Value[spec.Literal]{V: "2e0"}},
		},
		Result: []*spec.Schema{{Name: text("r"), Type: text("integer"), Required: spec.Value[bool]{V: true}}},
	}
	for want, schema := range map[string][]byte{
		`{"type":"object","properties":{` +
			`"z":{"type":"string","description":"<b> & \"c\"\n` + "\u2028" + `","maxLength":0},` +
			`"a":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807,"exclusiveMinimum":9007199254740993},` +
			`"n":{"type":"number","default":2e0,"minimum":1.50},` +
			`"confirm":{"type":"boolean","description":"Must be true: the call is refused without it."},` +
			`"dry_run":{"type":"boolean","description":"True to learn what the call would do, without doing it."}},` +
			`"required":["z","confirm"],"additionalProperties":false}`: AppendSchema(nil, Input(tool)),
		`{"type":"object","properties":{"r":{"type":"integer"},` +
			`"preview":{"type":"object","description":"What the call would do; only for dry_run.","properties":{"text":{"type":"string"},"diff":{"type":"string"}},"additionalProperties":false}},` +
			`"additionalProperties":false}`: AppendSchema(nil, Output(tool)),
	} {
		if string(schema) != want {
			t.Errorf("got  %s\nwant %s", schema, want)
		}
		if !json.Valid(schema) {
			t.Errorf("no JSON: %s", schema)
		}
	}
}

func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		if seen[r.ID] || !strings.HasPrefix(r.ID, "go-") || !strings.HasSuffix(r.Purpose, ".") {
			t.Errorf("rule %+v", r)
		}
		seen[r.ID] = true
	}
}
