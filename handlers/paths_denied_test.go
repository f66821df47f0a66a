package handlers_test

import (
	"path/filepath"
	"testing"

	"github.com/teaagent/teaagent/mcp/mcptest"
)

// What an operator denies somewhere in a directory is not taken along with it.
func TestDeniedBelow(t *testing.T) {
	root, home := t.TempDir(), t.TempDir()
	write(t, filepath.Join(root, "conf", "a", "key"), "k")
	write(t, filepath.Join(root, "other", "key"), "o")
	deny := server.Command(t, mcptest.Options{Dir: root, Home: home})
	deny.Args = []string{deny.Path, "mcp", "approvals", "deny", "*", "--path", "conf/*/key"}
	if out, err := deny.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c := serveAt(t, root, filepath.Join(home, ".teaagent"))
	for _, call := range []struct {
		tool string
		args args
	}{
		{"movePath", args{"from": "conf/a", "to": "b"}},
		{"movePath", args{"from": "other", "to": "conf/b"}},
		{"copyPath", args{"from": "conf/a", "to": "b"}},
		{"copyPath", args{"from": "other", "to": "conf/b"}},
		{"deletePath", args{"path": "conf/a"}},
		{"purgePath", args{"path": "conf/a", "recursive": true}},
	} {
		call.args["confirm"] = true
		c.refused(call.tool, call.args, "DENIED_PATH")
	}
	if c.read("conf/a/key") != "k" || c.read("other/key") != "o" || c.read("b/key") != "<none>" || c.read("conf/b/key") != "<none>" {
		t.Error("a denied file was moved, copied or taken away")
	}
	c.text("movePath", args{"from": "other", "to": "b", "confirm": true})
}
