package handlers_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// operator runs a command of the server's operator on the client's workspace.
func (c *client) operator(args ...string) {
	c.t.Helper()
	cmd := exec.Command(server.Path(c.t), append([]string{"mcp", "approvals"}, args...)...)
	cmd.Dir = c.root
	cmd.Env = append(os.Environ(), "TEAAGENT_HOME="+c.home)
	if out, err := cmd.CombinedOutput(); err != nil {
		c.t.Fatalf("%q: %v\n%s", args, err, out)
	}
}

// What an operator denies no tool reads, finds, changes or takes along, however
// it comes by the path.
func TestDeniedPaths(t *testing.T) {
	c := open(t, map[string]string{"open/a.txt": "plain", "top/secrets/key.txt": "needle", "top/b.txt": "b", "other/x.key": "needle"})
	c.link("top/secrets", "link")
	c.operator("deny", "*", "--path", "top/secrets/**", "--path", "**/*.key")
	for _, call := range []struct {
		tool string
		args args
	}{
		{"readFile", args{"path": "top/secrets/key.txt"}},
		{"readFile", args{"path": "link/key.txt"}},
		{"readFile", args{"path": "other/x.key"}},
		{"readManyFiles", args{"paths": []string{"open/a.txt", "other/x.key"}}},
		{"listDirectory", args{"path": "link"}},
		{"searchText", args{"pattern": "needle"}},
		{"searchText", args{"pattern": "needle", "path": "top"}},
		{"searchText", args{"pattern": "n[e]+dle", "path": "other"}},
		{"findFiles", args{"pattern": "**/key.txt"}},
		{"showTree", args{}},
		{"statPath", args{"path": "other/x.key", "hash": true}},
		{"writeFile", args{"path": "top/secrets/new.txt", "content": "x", "confirm": true}},
		{"writeFile", args{"path": "link/new.txt", "content": "x", "confirm": true}},
		{"makeDirectory", args{"path": "top/secrets/dir"}},
		{"copyPath", args{"from": "top/secrets/key.txt", "to": "open/key.txt", "confirm": true}},
		{"copyPath", args{"from": "top", "to": "copy", "confirm": true}},
		{"copyPath", args{"from": "other", "to": "copy2", "confirm": true}},
		{"movePath", args{"from": "top", "to": "moved", "confirm": true}},
		{"movePath", args{"from": "link", "to": "moved", "confirm": true}},
		{"movePath", args{"from": "open/a.txt", "to": "open/a.key", "confirm": true}},
		{"deletePath", args{"path": "top", "confirm": true}},
		{"deletePath", args{"path": "top/secrets", "confirm": true}},
		{"purgePath", args{"path": "top", "recursive": true, "confirm": true}},
	} {
		r := c.call(call.tool, call.args)
		if strings.Contains(textOf(r), "INVALID_ARGUMENT") {
			t.Fatalf("%s %v: %s", call.tool, call.args, textOf(r))
		}
		if text := textOf(r); strings.Contains(text, "needle\"") || strings.Contains(text, "key.txt\":") || strings.Contains(text, "needle ") {
			t.Errorf("%s %v: %s", call.tool, call.args, text)
		}
	}
	if c.read("top/secrets/key.txt") != "needle" || c.read("other/x.key") != "needle" || c.read("open/a.txt") != "plain" {
		t.Error("what is denied was changed")
	}
	for _, path := range []string{"open/key.txt", "copy", "copy2/x.key", "moved", "open/a.key", "top/secrets/new.txt", "top/secrets/dir"} {
		if _, err := os.Lstat(c.path(path)); err == nil {
			t.Errorf("%s was made", path)
		}
	}
	if _, err := c.readResource("teaagent://workspace/top/secrets/key.txt"); err == nil {
		t.Error("what is denied is read as a resource")
	}
	for _, name := range c.listed(nil) {
		if strings.HasPrefix(name, "top/secrets") || strings.HasSuffix(name, ".key") {
			t.Errorf("%s is listed", name)
		}
	}
	if got := c.text("readFile", args{"path": "open/a.txt"}); !strings.Contains(got, "plain") {
		t.Errorf("the rest is read as %q", got)
	}
	c.call("deletePath", args{"path": "top/b.txt", "confirm": true})
	if _, err := os.Lstat(c.path("top/b.txt")); err == nil {
		t.Error("what lies beside can't be deleted")
	}
}
