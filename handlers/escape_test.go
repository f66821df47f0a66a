//go:build unix

package handlers_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEscapes tries to lead every tool out of the workspace, or to make it wait
// for a pipe's other end.
func TestEscapes(t *testing.T) {
	c := open(t, map[string]string{"in.txt": "in", "dir/x": "x"})
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret")
	write(t, secret, "needle")
	c.link(outside, "out")
	c.link(secret, "outfile")
	c.link("../../"+filepath.Base(outside), "dir/up")
	c.link("in.txt", "link")
	c.link("nowhere", "dangling")
	c.link("loop", "loop")
	for _, name := range []string{"pipe", "dir/pipe"} {
		mkfifo(t, c.path(name))
	}
	t.Chdir(c.root) // a socket's path may have 108 bytes
	socket, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()

	const outsideCode, invalid = "OUTSIDE_WORKSPACE", "INVALID_PATH"
	for _, tc := range []struct {
		path                               string
		read, list, search, write_, remove string // the codes
	}{
		{"..", outsideCode, outsideCode, outsideCode, outsideCode, outsideCode},
		{"../" + filepath.Base(outside) + "/secret", outsideCode, outsideCode, outsideCode, outsideCode, outsideCode},
		{"dir/../../x", outsideCode, outsideCode, outsideCode, outsideCode, outsideCode},
		{secret, invalid, invalid, invalid, invalid, invalid},
		{"/etc/passwd", invalid, invalid, invalid, invalid, invalid},
		{"out/secret", outsideCode, outsideCode, outsideCode, outsideCode, outsideCode},
		{"outfile", outsideCode, outsideCode, outsideCode, outsideCode, ""},
		{"dir/up/secret", outsideCode, outsideCode, outsideCode, outsideCode, outsideCode},
		{"pipe", "NOT_A_FILE", "NOT_A_DIRECTORY", "NOT_A_FILE", "NOT_A_FILE", ""},
		{"socket", "NOT_A_FILE", "NOT_A_DIRECTORY", "NOT_A_FILE", "NOT_A_FILE", ""},
		{"dir", "IS_DIRECTORY", "", "", "IS_DIRECTORY", ""},
		{".", "IS_DIRECTORY", "", "", "IS_DIRECTORY", invalid},
		{"in.txt/", "NOT_A_DIRECTORY", "NOT_A_DIRECTORY", "NOT_A_DIRECTORY", invalid, "NOT_A_DIRECTORY"},
		{"in.txt/x", "NOT_A_DIRECTORY", "NOT_A_DIRECTORY", "NOT_A_DIRECTORY", "NOT_A_DIRECTORY", "NOT_A_DIRECTORY"},
		{"nix", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "", "NOT_FOUND"},
		{"link", "", "NOT_A_DIRECTORY", "", "IS_LINK", ""},
		{"dangling", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "IS_LINK", ""},
		{"loop", invalid, invalid, invalid, invalid, ""},
		{"a\x00b", invalid, invalid, invalid, invalid, invalid},
		{strings.Repeat("n", 300), invalid, invalid, invalid, invalid, invalid},
	} {
		c := serve(t, c.root, "allow") // what is tried here is more than the tools' limits
		for _, call := range []struct {
			tool string
			args args
			code string
		}{
			{"readFile", args{"path": tc.path}, tc.read},
			{"listDirectory", args{"path": tc.path}, tc.list},
			{"findFiles", args{"path": tc.path, "pattern": "**"}, tc.list},
			{"searchText", args{"path": tc.path, "pattern": "needle"}, tc.search},
			{"writeFile", args{"path": tc.path, "content": "new", "confirm": true, "dry_run": true}, tc.write_},
			{"deletePath", args{"path": tc.path, "confirm": true, "dry_run": true}, tc.remove},
		} {
			if call.code != "" {
				c.refused(call.tool, call.args, call.code)
				delete(call.args, "dry_run")
				c.refused(call.tool, call.args, call.code)
			} else if r := c.call(call.tool, call.args); r.IsError || strings.Contains(textOf(r), "needle") {
				t.Errorf("%s %v answers %q", call.tool, call.args, textOf(r))
			}
		}
	}
	c = serve(t, c.root, "allow")
	for path, code := range map[string]string{"out/new/x": outsideCode, "dir/up/new/x": outsideCode, "dangling/x": "ALREADY_EXISTS", "in.txt/new/x": "NOT_A_DIRECTORY", "../new/x": outsideCode} {
		c.refused("writeFile", args{"path": path, "content": "", "createDirs": true, "confirm": true}, code)
	}
	if got, err := os.ReadFile(secret); string(got) != "needle" || err != nil {
		t.Errorf("the file outside is %q, %v", got, err)
	}
	if got := c.read("in.txt"); got != "in" {
		t.Errorf("in.txt is %q", got)
	}
	// The links and the pipe themselves are the workspace's to delete.
	for _, name := range []string{"outfile", "dangling", "loop", "pipe", "socket", "out"} {
		c.text("deletePath", args{"path": name, "confirm": true})
		if _, err := os.Lstat(c.path(name)); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", name, err)
		}
	}
}
