package mcpcmd

import (
	"testing"

	"github.com/teaagent/teaagent/mcp"
)

// A server that misses variables names all of them at once, with their meaning
// and where to read on.
func TestRequireEnv(t *testing.T) {
	info := mcp.Info{Readme: "https://example.com#readme", Env: []mcp.EnvVar{
		{Name: "T_HOST", Description: "Where to connect.", Required: true},
		{Name: "T_EMPTY", Description: "Set, but empty.", Required: true},
		{Name: "T_SET", Description: "Set.", Required: true},
		{Name: "T_OPTIONAL", Description: "Need not be."},
	}}
	t.Setenv("T_EMPTY", "")
	t.Setenv("T_SET", "x")
	const want = "T_HOST is not set: Where to connect.\n  T_EMPTY is not set: Set, but empty.\n  see https://example.com#readme"
	if err := requireEnv(info); err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	t.Setenv("T_HOST", "h")
	t.Setenv("T_EMPTY", "e")
	if err := requireEnv(info); err != nil {
		t.Error(err)
	}
}
