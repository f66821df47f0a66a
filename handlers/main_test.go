package handlers_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/teaagent/teaagent/mcp/mcptest"
)

// The tests of this package talk to the built server through the official
// client, as an application would.
var server = mcptest.Program{Dir: "..", Package: "./cmd/teaagent"}

func TestMain(m *testing.M) {
	code := m.Run()
	server.Remove()
	os.Exit(code)
}

// client is a client of a server of its own.
type client struct {
	t    *testing.T
	root string
	s    *mcp.ClientSession
	home string // the user's folder of state
}

// args are a call's arguments.
type args map[string]any

// open starts a server in a workspace with the files, in mode allow unless
// another is given.
func open(t *testing.T, files map[string]string, mode ...string) *client {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(root, filepath.FromSlash(name)), text)
	}
	return serve(t, root, append(mode, "allow")[0])
}

// serve starts a server in a workspace that is there. Its limits of calls are
// fresh, and the user's folder is its own.
func serve(t *testing.T, root, mode string, flags ...string) *client {
	t.Helper()
	return serveAt(t, root, t.TempDir(), append(flags, "--permission-mode", mode)...)
}

// serveAt is serve with a user's folder and flags, which are mode allow if
// there are none.
func serveAt(t *testing.T, root, home string, flags ...string) *client {
	t.Helper()
	if flags == nil {
		flags = []string{"--permission-mode", "allow"}
	}
	return connect(t, root, home, nil, flags)
}

// serveTo is serve for a client of its own kind.
func serveTo(t *testing.T, root string, o *mcp.ClientOptions, flags ...string) *client {
	t.Helper()
	return connect(t, root, t.TempDir(), o, flags)
}

func connect(t *testing.T, root, home string, o *mcp.ClientOptions, flags []string) *client {
	t.Helper()
	cmd := exec.Command(server.Path(t), append([]string{"mcp", "serve", "--root", root}, flags...)...)
	cmd.Env = append(os.Environ(), "TEAAGENT_HOME="+home)
	cmd.Stderr = os.Stderr
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("the server's end: %v", err)
		}
	})
	return &client{t, root, s, home}
}

// call calls a tool; the name goes without its prefix.
func (c *client) call(tool string, a args) *mcp.CallToolResult {
	c.t.Helper()
	r, err := c.s.CallTool(context.Background(), &mcp.CallToolParams{Name: "teaagent_" + tool, Arguments: a})
	if err != nil {
		c.t.Fatalf("%s %v: %v", tool, a, err)
	}
	return r
}

// text returns what a call answers, as a model reads it.
func (c *client) text(tool string, a args) string {
	c.t.Helper()
	r := c.call(tool, a)
	if r.IsError {
		c.t.Fatalf("%s %v: %s", tool, a, textOf(r))
	}
	return textOf(r)
}

// get decodes a call's structured result.
func (c *client) get(tool string, a args, result any) {
	c.t.Helper()
	r := c.call(tool, a)
	if r.IsError {
		c.t.Fatalf("%s %v: %s", tool, a, textOf(r))
	}
	data, err := json.Marshal(r.StructuredContent)
	if err == nil {
		err = json.Unmarshal(data, result)
	}
	if err != nil {
		c.t.Fatalf("%s %v: %v", tool, a, err)
	}
}

// refused expects an error with a code, and parts of its text.
func (c *client) refused(tool string, a args, code string, parts ...string) {
	c.t.Helper()
	r := c.call(tool, a)
	text := textOf(r)
	if !r.IsError || !strings.HasPrefix(text, "["+code+"] ") {
		c.t.Errorf("%s %v answers %.300q, want %s", tool, a, text, code)
	}
	for _, part := range parts {
		if !strings.Contains(text, part) {
			c.t.Errorf("%s %v is refused with %q, which lacks %q", tool, a, text, part)
		}
	}
	if r.StructuredContent != nil {
		c.t.Errorf("%s %v: an error has structured content", tool, a)
	}
}

func textOf(r *mcp.CallToolResult) string {
	var b strings.Builder
	for _, item := range r.Content {
		if text, ok := item.(*mcp.TextContent); ok {
			b.WriteString(text.Text)
		}
	}
	return b.String()
}

// path returns the place of a workspace's file on the disk.
func (c *client) path(name string) string { return filepath.Join(c.root, filepath.FromSlash(name)) }

// read returns a file's content, "<none>" if there is no file.
func (c *client) read(name string) string {
	c.t.Helper()
	data, err := os.ReadFile(c.path(name))
	if os.IsNotExist(err) {
		return "<none>"
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return string(data)
}

func (c *client) link(to, name string) {
	c.t.Helper()
	if err := os.Symlink(to, c.path(name)); err != nil {
		c.t.Fatal(err)
	}
}

func TestSchemas(t *testing.T) { mcptest.Schemas(t) }

func write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
