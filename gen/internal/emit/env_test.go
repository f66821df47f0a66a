package emit

import (
	"strings"
	"testing"

	"github.com/teaagent/teaagent/gen/internal/plan"
	"github.com/teaagent/teaagent/mcp"
)

// Whatever specs say, a list of variables is blank lines, comments and NAME=.
func FuzzEnvFile(f *testing.F) {
	for _, s := range []string{"", "A token.", "a\nT=1", "a\rT=1", "a\u2028T=1", "a\u0085T=1", "a\vT=1\fT=2", "\x00T=1", "#", "a \\", "\\\nT=1", "\xffT=1", strings.Repeat("long ", 40)} {
		f.Add(s, s, s)
	}
	f.Fuzz(func(t *testing.T, server, description, tool string) {
		env := []plan.Variable{
			{EnvVar: mcp.EnvVar{Name: "A", Description: description, Secret: true}, Tools: []string{tool, tool}},
			{EnvVar: mcp.EnvVar{Name: "B", Description: tool, Required: true}, Every: true},
		}
		text := string(envFile(&plan.Server{Info: mcp.Info{Name: server, Readme: description}, Env: env}))
		lines := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029\x00", r) })
		var names []string
		for i, line := range lines {
			if !strings.HasPrefix(line, "#") {
				names = append(names, line)
				if strings.HasSuffix(lines[i-1], `\`) {
					t.Errorf("a backslash ends the line above %s", line)
				}
			}
		}
		if strings.Join(names, " ") != "A= B=" || !strings.HasSuffix(text, "\nB=\n") {
			t.Errorf("other lines than comments and names: %q\n%s", names, text)
		}
	})
}
