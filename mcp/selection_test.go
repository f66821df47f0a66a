package mcp_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/teaagent/teaagent/mcp/mcptest"
)

// Tools that are left out are neither listed nor called.
func TestSelection(t *testing.T) {
	for _, test := range []struct {
		args       string
		some, none []string
	}{
		{"", []string{"fx_lookAt", "fx_purgeThing", "fx_echoText"}, nil},
		{"--tools guards", []string{"fx_lookAt", "fx_purgeThing"}, []string{"fx_echoText"}},
		{"--tools guards,fx_echoText", []string{"fx_lookAt", "fx_echoText"}, []string{"fx_removeThing"}},
		{"--tools guards --tools calls", []string{"fx_lookAt", "fx_echoText"}, []string{"fx_failWith"}},
		{"--read-only", []string{"fx_lookAt"}, []string{"fx_addThing", "fx_purgeThing"}},
		{"--max-tier Medium", []string{"fx_lookAt", "fx_dropThings"}, []string{"fx_runWords", "fx_purgeThing"}},
		{"--tools guards --max-tier High --read-only", []string{"fx_lookAt"}, []string{"fx_dropThings", "fx_echoText"}},
	} {
		t.Run(test.args, func(t *testing.T) {
			s := connect(t, mcptest.Options{Args: strings.Fields(test.args)}, nil)
			list, err := s.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tool := range list.Tools {
				names = append(names, tool.Name)
			}
			for _, name := range test.some {
				if !slices.Contains(names, name) {
					t.Errorf("%s is not listed", name)
				}
			}
			for _, name := range test.none {
				if slices.Contains(names, name) {
					t.Errorf("%s is listed", name)
				}
				p := fixture.Start(t, mcptest.Options{Args: strings.Fields(test.args)})
				p.Send(toolCall(name, `{}`))
				if f := next(t, p); !strings.Contains(f.text, "unknown tool") {
					t.Errorf("%s can be called: %s", name, f.text)
				}
			}
		})
	}
	for _, wrong := range []struct{ args, says string }{
		{"--tools guard", `there is no group or tool "guard"; did you mean "guards"?`},
		{"--max-tier low", "there is no tier"},
	} {
		p := fixture.Start(t, mcptest.Options{Args: strings.Fields(wrong.args)})
		if code := p.Exit(mcptest.Patience); code != 2 {
			t.Errorf("%s: exit %d", wrong.args, code)
		}
		p.AwaitStderr(wrong.says, 1)
	}
}
