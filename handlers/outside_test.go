//go:build linux

package handlers_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// wall is a workspace with a canary beside it, and ways out of it.
type wall struct {
	root, outside string
}

func newWall(t *testing.T) wall {
	t.Helper()
	dir := t.TempDir()
	w := wall{filepath.Join(dir, "space"), filepath.Join(dir, "outside")}
	write(t, filepath.Join(w.outside, "canary"), "needle")
	write(t, filepath.Join(dir, "space-sibling", "canary"), "needle")
	for name, text := range map[string]string{"a.txt": "one\ntwo\n", "dir/b.txt": "b", "dir/sub/c.txt": "c"} {
		write(t, filepath.Join(w.root, name), text)
	}
	for name, to := range map[string]string{
		"out": w.outside, "outfile": filepath.Join(w.outside, "canary"), "relative": "../outside/canary", "dir/up": "../..", "up": "..", "dangling": "../outside/none",
		"chain": "outfile", "slash": w.outside + "/", "proc": "/proc/self", "root": "/", "loop": "loop", "deep": "dir/up/outside", "dots": "dir/../../outside",
	} {
		if err := os.Symlink(to, filepath.Join(w.root, name)); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(w.outside, "twin"), "needle")
	if err := os.Link(filepath.Join(w.outside, "twin"), filepath.Join(w.root, "hard")); err != nil {
		t.Skip("this file system has no hard links:", err)
	}
	mkfifo(t, filepath.Join(w.root, "pipe"))
	return w
}

// beside is all that lies beside the workspace.
func (w wall) beside(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(filepath.Dir(w.root), func(path string, d fs.DirEntry, err error) error {
		if path == w.root {
			return fs.SkipDir
		}
		if err == nil && d.Type().IsRegular() {
			var data []byte
			data, err = os.ReadFile(path)
			all[path] = string(data)
		} else {
			all[path] = d.Type().String()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// brought reports a file of the workspace that has the canary's content, but
// for the hard link that was there.
func (w wall) brought(t *testing.T) (found string) {
	t.Helper()
	filepath.WalkDir(w.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || path == filepath.Join(w.root, "hard") {
			return nil
		}
		if data, err := os.ReadFile(path); err == nil && bytes.Contains(data, []byte("needle")) {
			if info, err := d.Info(); err == nil && info.Sys().(*syscall.Stat_t).Nlink == 1 {
				found = path
			}
		}
		return nil
	})
	return found
}

// escapes are paths that lead out, to nothing that is a file, or nowhere. Those
// within links come before the links, which some tools may remove.
var escapes = []string{
	"../outside/canary", "dir/../../outside/canary", "./../outside/canary", "dir/./../.././outside/canary", "..", "../", "../..", "../../..", "../space-sibling/canary",
	"../space/../outside/canary", ".././/outside//canary", "dir//..//..//outside/canary", "...//../outside/canary", "dir/sub/../../../outside/canary",
	"%2e%2e/outside/canary", "%2e%2e%2foutside%2fcanary", "..%2foutside%2fcanary", "%252e%252e/outside/canary", "..%252foutside/canary", "%c0%ae%c0%ae/outside/canary",
	`..\outside\canary`, `..\..\etc\passwd`, `dir\..\..\outside\canary`, `\\server\share`, `C:\Windows\win.ini`, "C:/Windows/win.ini", "file:///etc/passwd",
	"/etc/passwd", "/", "//etc/passwd", "/proc/self/environ", "/dev/zero", "/dev/stdin", "~/.ssh/id_rsa", "$HOME/x", "a\x00b", "a.txt\x00.png", "\x00",
	"out/canary", "out/new/x", "dir/up/outside/canary", "up/outside/canary", "up/space-sibling/canary", "slash/canary", "proc/environ", "proc/self/environ", "proc/fd/0", "proc/cwd/canary",
	"root/etc/passwd", "root/dev/zero", "deep/canary", "dots/canary", "out/../canary", "outfile/", "out/", "outfile/x", "dangling/x", "pipe/x", "loop/x", "a.txt/", "a.txt/x", "a.txt/..", "a.txt/../../outside/canary",
	"outfile", "relative", "chain", "dangling", "out", "up", "dir/up", "slash", "proc", "root", "loop", "deep", "dots", "hard", "pipe",
	"OUTFILE", "Out/canary", "dIr/Up/outside/canary", strings.Repeat("n", 300), strings.Repeat("d/", 2000) + "x", strings.Repeat("../", 500) + "etc/passwd", "", " ", ".", "\xff\xfe", "\xc0\xae\xc0\xae/outside/canary", "a\u202e.txt",
	"new/../../outside/x", "dir/new/../../../outside/x",
}

// Every path argument of every tool is given every way out: nothing outside is
// shown, brought in, changed or made, and nothing waits.
func TestNothingLeadsOutside(t *testing.T) {
	if len(escapes) < 60 {
		t.Fatalf("only %d ways are tried", len(escapes))
	}
	data, err := os.ReadFile("../mcp-tools.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Tools []struct {
			Name     string
			Category string
			Args     map[string]struct {
				Role     string
				Required bool
				Items    struct{ Role string }
			}
			Examples  []struct{ Args args }
			RateLimit *struct{}
		}
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	tried, mode := 0, commandMode(t)
	for _, tool := range manifest.Tools {
		name := strings.TrimPrefix(tool.Name, "teaagent_")
		for arg, schema := range tool.Args {
			list := schema.Items.Role == "path"
			if schema.Role != "path" && !list {
				continue
			}
			tried++
			t.Run(name+"/"+arg, func(t *testing.T) {
				t.Parallel()
				w := newWall(t)
				if tool.Category == "git" {
					repository(t, w.root)
					gitIn(t, w.root, "rm", "-q", "--cached", "hard") // what is committed is the repository's
					gitIn(t, w.root, "commit", "-q", "--amend", "--allow-empty", "-m", "Begin")
				}
				before := w.beside(t)
				var c *client
				for i, path := range escapes {
					if i == 0 || i%30 == 0 && tool.RateLimit != nil { // more is tried than the limit allows
						c = serve(t, w.root, mode, "--deny-hardlinks")
					}
					a := args{} // what has to be there, as in the example
					for key, value := range tool.Examples[0].Args {
						if key == "confirm" || tool.Args[key].Required {
							a[key] = value
						}
					}
					if a[arg] = path; list {
						a[arg] = []string{path}
					}
					switch name {
					case "applyPatch":
						a["patch"] = "--- /dev/null\n+++ b/" + path + "\n@@ -0,0 +1 @@\n+mine\n"
					case "purgePath":
						a["recursive"] = true
					case "runCommand":
						a["argv"] = []string{"cat", "canary"}
					case "searchText":
						a["pattern"] = "nee[d]le"
					case "findFiles":
						a["pattern"] = "**"
					}
					r := c.call(name, a)
					if text := textOf(r); strings.Contains(text, "needle") || !r.IsError && strings.Contains(text, `"canary"`) || strings.Contains(text, "root:x:") || strings.Contains(text, "TEAAGENT_HOME=") {
						t.Errorf("%q leaks: %.200s", path, text)
					}
				}
				if after := w.beside(t); !maps.Equal(before, after) {
					t.Errorf("beside the workspace there was\n%v\nand now is\n%v", before, after)
				}
				if found := w.brought(t); found != "" {
					t.Errorf("%s has what was outside", found)
				}
			})
		}
	}
	if tried < 15 {
		t.Errorf("only %d path arguments are tried", tried)
	}
}
