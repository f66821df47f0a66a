package handlers_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// listed returns the names of all resources, page by page. between is called
// before each page but the first.
func (c *client) listed(between func(page int)) (names []string) {
	c.t.Helper()
	for page, cursor := 0, ""; ; page++ {
		if page > 0 && between != nil {
			between(page)
		}
		r, err := c.s.ListResources(c.t.Context(), &mcp.ListResourcesParams{Cursor: cursor})
		if err != nil {
			c.t.Fatal(err)
		}
		for _, item := range r.Resources {
			names = append(names, item.Name)
		}
		if cursor = r.NextCursor; cursor == "" {
			return names
		}
	}
}

func (c *client) readResource(uri string) (*mcp.ResourceContents, error) {
	c.t.Helper()
	r, err := c.s.ReadResource(c.t.Context(), &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		return nil, err
	}
	if len(r.Contents) != 1 {
		c.t.Fatalf("%s has %d contents", uri, len(r.Contents))
	}
	return r.Contents[0], nil
}

func TestResources(t *testing.T) {
	c := open(t, map[string]string{
		"b.txt": "bee", "a/b c.md": "# ä", "a/ignored.log": "no", "a/.gitignore": "*.log\n!keep.log\n", "a/keep.log": "yes", "picture.png": "\x89PNG\xff",
		".git/config": "no", ".env": "SECRET=1", "deep/.env.production": "no", ".env.example": "SECRET=", "key.pem": "no", ".ssh/id_rsa": "no", "sub/.aws/credentials": "no",
		"bad.txt": "\xff\xfe", "none": "plain", "nul": "a\x00b",
		".env~": "no", ".envrc": "no", ".env_local": "no", "id_rsa_work": "no", "id_ed25519_sk": "no", "server.pem.bak": "no", "id_rsa.pub": "public",
	})
	c.link("b.txt", "link.txt")
	c.link(".env", "innocent.txt")
	c.link("/etc/passwd", "out.txt")
	want := []string{".env.example", "a/.gitignore", "a/b c.md", "a/keep.log", "b.txt", "bad.txt", "id_rsa.pub", "link.txt", "none", "nul", "picture.png"}
	if got := c.listed(nil); !slices.Equal(got, want) {
		t.Errorf("listed are %q, want %q", got, want)
	}
	r, err := c.s.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Resources[2]; got.URI != "teaagent://workspace/a/b%20c.md" || got.MIMEType != "text/markdown" || got.Size != 4 || got.Description != "Text in the workspace, 4 bytes." {
		t.Errorf("a resource is %+v", got)
	}
	for uri, want := range map[string]struct{ mime, text, blob string }{
		"a/b%20c.md":   {"text/markdown", "# ä", ""},
		"picture.png":  {"image/png", "", "\x89PNG\xff"},
		"bad.txt":      {"application/octet-stream", "", "\xff\xfe"},
		"none":         {"text/plain", "plain", ""},
		"nul":          {"application/octet-stream", "", "a\x00b"},
		"link.txt":     {"text/plain", "bee", ""},
		"a%2Fkeep.log": {"text/plain", "yes", ""},
	} {
		got, err := c.readResource("teaagent://workspace/" + uri)
		if err != nil || got.MIMEType != want.mime || got.Text != want.text || string(got.Blob) != want.blob {
			t.Errorf("%s: %+v, %v", uri, got, err)
		}
	}
	templates, err := c.s.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 1 || templates.ResourceTemplates[0].URITemplate != "teaagent://workspace/{+path}" {
		t.Errorf("templates: %+v, %v", templates, err)
	}
	write(t, c.path("large.txt"), strings.Repeat("x", 3<<20))
	if _, err := c.readResource("teaagent://workspace/large.txt"); err == nil || !strings.Contains(err.Error(), "read it in parts with the tool teaagent_readFile") {
		t.Errorf("a large file: %v", err)
	}
	for _, cursor := range []string{"x", "YWZ0ZXI6", "YWZ0ZXI6Li4", "YWZ0ZXI6L2E", "YWZ0ZXI6YQ==", strings.Repeat("A", 9000)} {
		if _, err := c.s.ListResources(t.Context(), &mcp.ListResourcesParams{Cursor: cursor}); err == nil || !strings.Contains(err.Error(), "cursor") {
			t.Errorf("cursor %.20q: %v", cursor, err)
		}
	}
}

// Files that come and go between pages shift nothing.
func TestResourcesWhileFilesChange(t *testing.T) {
	files := map[string]string{}
	for i := range 1000 {
		files[fmt.Sprintf("d%d/f%04d.txt", i%7, i)] = ""
	}
	c := open(t, files)
	seen := map[string]int{}
	for _, name := range c.listed(func(page int) {
		os.Remove(c.path(fmt.Sprintf("d0/f%04d.txt", page*7))) // of those that were listed
		write(t, c.path(fmt.Sprintf("d0/a%d.txt", page)), "")  // before all that come
	}) {
		seen[name]++
	}
	for name := range files {
		if seen[name] != 1 {
			t.Errorf("%s was listed %d times", name, seen[name])
		}
	}
	if len(seen) != 1000 {
		t.Errorf("%d files were listed", len(seen))
	}
}

// Nothing outside of the workspace, nothing secret, and nothing that is no file
// is read as a resource, and nothing waits.
func TestResourceEscapes(t *testing.T) {
	outside := t.TempDir()
	canary := filepath.Join(outside, "canary")
	write(t, canary, "needle")
	root := filepath.Base(outside)
	c := open(t, map[string]string{"a": "x", "dir/b": "x", ".env": "needle", ".git/config": "needle", "deep/.ENV": "needle", "server.key": "needle", ".SSH/config": "needle"})
	for name, to := range map[string]string{
		"out": outside, "outfile": canary, "dir/up": "../..", "up": "..", "dangling": "nowhere", "loop": "loop", "proc": "/proc/self", "abs": "/",
		"inside": "dir", "tolink": "outfile", "relative": "../" + root + "/canary", "secretlink": ".env", "keys": ".SSH", "slash": outside + "/",
	} {
		c.link(to, name)
	}
	mkfifo(t, c.path("pipe"))
	hidden := []string{
		// spellings
		"", "/", ".", "..", "../canary", "../../etc/passwd", "%2e%2e/canary", "%2E%2E%2Fcanary", "%252e%252e/canary", "..%2Fcanary", "..%252Fcanary",
		"dir/../../x", "dir/%2e%2e/a", "./a", "a/.", "a/", "//etc/passwd", "%2Fetc%2Fpasswd", "/etc/passwd", `..\canary`, "..%5Ccanary", `dir\..\..\x`, "a%00", "a%00.txt",
		"%c0%ae%c0%ae/canary", "%uff0e%uff0e/canary", "..;/canary", "....//canary", "a?x", "a#x", "%", "%2", "%zz", "ä", "a b", "~/canary", "$HOME/canary", "a%0a", "%ff",
		strings.Repeat("n", 300), strings.Repeat("d/", 3000) + "x", strings.Repeat("../", 50) + "etc/passwd",
		// links
		"out/canary", "outfile", "dir/up/" + root + "/canary", "up/" + root + "/canary", "dangling", "loop", "proc/environ", "proc/fd/0", "abs/etc/passwd", "tolink", "relative", "slash/canary",
		// what is no file, or secret
		"pipe", "dir", "inside", ".env", ".ENV", "deep/.ENV", "%2eenv", ".git/config", ".GIT/config", "server.key", ".SSH/config", "secretlink", "keys/config", "none",
		"proc/self/environ", "dir/none/../../.env",
	}
	for _, path := range hidden {
		if got, err := c.readResource("teaagent://workspace/" + path); err == nil {
			t.Errorf("%q is read: %+v", path, got)
		} else if !strings.Contains(err.Error(), "no such resource") {
			t.Errorf("%q: %v", path, err)
		}
	}
	for _, uri := range []string{"file://" + canary, "teaagent://" + canary, "teaagent:///workspace/a", "TEAAGENT://workspace/a", "teaagent://WORKSPACE/a", "teaagent://x@workspace/a", "teaagent://workspace:1/a", canary, "a", ""} {
		if got, err := c.readResource(uri); err == nil {
			t.Errorf("%q is read: %+v", uri, got)
		}
	}
	if got, err := c.readResource("teaagent://workspace/inside/b"); err != nil || got.Text != "x" {
		t.Errorf("a link that stays inside: %+v, %v", got, err)
	}
	if len(hidden) < 60 {
		t.Errorf("only %d ways are tried", len(hidden))
	}
}
