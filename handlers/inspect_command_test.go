//go:build linux

package handlers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is allowed runs, each program that this machine has.
func TestInspectCommand(t *testing.T) {
	c := open(t, map[string]string{"notes.txt": "one\ntwo\nthree\n", "dir/a b.txt": "x"})
	for _, test := range []struct{ line, want string }{
		{"ls -1 dir", "a b.txt\n"},
		{"cat notes.txt", "one\ntwo\nthree\n"},
		{"cat", ""}, // there is no input: it ends
		{"head -n 1 notes.txt", "one\n"},
		{"tail -1 notes.txt", "three\n"},
		{"wc -l notes.txt", "3 notes.txt\n"},
		{"stat -c %s notes.txt", "14\n"},
		{"file -b --mime-type notes.txt", "text/plain\n"},
		{"du -s dir", "dir\n"},
		{"df .", "/"},
		{"cmp notes.txt notes.txt", ""},
		{"sha256sum notes.txt", "  notes.txt\n"},
		{"which ls", "/ls\n"},
		{"uname", "\n"},
		{"date -u --date=@0 +%Y", "1970\n"},
		{"id -u", "\n"},
		{"uptime", "up"},
		{"nproc", "\n"},
		{"go version", "go version go"},
		{"python3 --version", "Python 3."},
		{"node --version", "v"},
		{"make --version", "Make"},
		{"gcc --version", "Free Software"},
	} {
		argv := strings.Split(test.line, " ")
		r := c.call("inspectCommand", args{"argv": argv})
		if r.IsError && strings.HasPrefix(textOf(r), "[COMMAND_NOT_FOUND]") {
			t.Logf("not on this machine: %s", argv[0])
			continue
		}
		var got commandResult
		c.get("inspectCommand", args{"argv": argv}, &got)
		if got.ExitCode != 0 || !strings.Contains(got.Stdout.Text, test.want) {
			t.Errorf("%s: %+v", test.line, got)
		}
	}
	var got commandResult
	c.get("inspectCommand", args{"argv": []string{"cat", "a b.txt"}, "cwd": "dir"}, &got)
	if got.Stdout.Text != "x" {
		t.Errorf("in dir: %+v", got)
	}
	c.get("inspectCommand", args{"argv": []string{"cat", "../notes.txt"}, "cwd": "dir"}, &got)
	if got.Stdout.Bytes != 14 {
		t.Errorf("from dir: %+v", got)
	}
}

// A program of the workspace is not the system's, however PATH reads.
func TestInspectFindsTheSystem(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"bin/uname", "bin/planted"} {
		write(t, filepath.Join(root, name), "#!/bin/sh\necho planted\n")
		if err := os.Chmod(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", filepath.Join(root, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	c := serve(t, root, "read-only") // it only looks: every mode runs it
	if text := c.text("inspectCommand", args{"argv": []string{"uname"}}); strings.Contains(text, "planted") {
		t.Errorf("the workspace's own program ran: %s", text)
	}
	c.refused("inspectCommand", args{"argv": []string{"planted"}}, "COMMAND_NOT_ALLOWED", "teaagent_runCommand")
	c.refused("inspectCommand", args{"argv": []string{"bin/uname"}}, "COMMAND_NOT_ALLOWED", "by its path")
}

// No shell reads the words, and no option that does more than look is taken.
func TestInspectRefuses(t *testing.T) {
	c := open(t, map[string]string{"a.txt": "a"})
	for _, test := range []struct{ line, why string }{
		{"find . -delete", "teaagent_findFiles"},
		{"sort -o a.txt a.txt", "write a file"},
		{"tail -f a.txt", "it never ends"},
		{"date -s 2000-01-01", "sets the clock"},
		{"sh -c ls", "runs anything"},
		{"env", "secrets"},
		{"git status", "config names"},
		{"node -e 1", "runs anything"},
		{"ls;id", "the program is not run"},
	} {
		c.refused("inspectCommand", args{"argv": strings.Split(test.line, " ")}, "COMMAND_NOT_ALLOWED", test.why)
	}
	for _, word := range []string{"$(id)", "`id`", "a.txt;id", "*", "a.txt|cat", ">a.txt", "~", "a.txt\nid"} {
		c.refused("inspectCommand", args{"argv": []string{"cat", word}}, "NOT_FOUND")
	}
	if c.read("a.txt") != "a" {
		t.Error("the file was changed")
	}
}

// Operands lead nowhere that a path of another tool doesn't.
func TestInspectStaysInside(t *testing.T) {
	w := newWall(t)
	before := w.beside(t)
	c := serve(t, w.root, "allow")
	for _, program := range []string{"cat", "stat", "ls"} {
		for _, name := range escapes {
			if strings.ContainsRune(name, 0) || name == "." || name == "hard" || name == "loop" || len(name) > 1000 {
				continue
			}
			for _, argv := range [][]string{{program, name}, {program, "--", name}} {
				r := c.call("inspectCommand", args{"argv": argv})
				if !r.IsError && !strings.HasPrefix(name, "-") {
					t.Errorf("%q answers %.200s", argv, textOf(r))
				}
				if text := textOf(r); strings.Contains(text, "needle") || strings.Contains(text, "root:x:") {
					t.Errorf("%q leaks: %.200s", argv, text)
				}
			}
		}
	}
	if after := w.beside(t); len(after) != len(before) {
		t.Errorf("beside the workspace there was\n%v\nand now is\n%v", before, after)
	}
}

// What the operator denies is not read by a program either.
func TestInspectDenied(t *testing.T) {
	c := open(t, map[string]string{"secrets/key": "needle", "a.txt": "a"})
	c.link("secrets/key", "link")
	c.operator("deny", "*", "--path", "secrets/**")
	for _, a := range []args{
		{"argv": []string{"cat", "secrets/key"}},
		{"argv": []string{"cat", "a.txt", "./secrets//key"}},
		{"argv": []string{"head", "-c", "9", "link"}},
		{"argv": []string{"cat", "key"}, "cwd": "secrets"},
		{"argv": []string{"cat", "../secrets/key"}, "cwd": "secrets"},
		{"argv": []string{"date", "--reference=secrets/key"}},
	} {
		r := c.call("inspectCommand", a)
		if text := textOf(r); !r.IsError || strings.Contains(text, "needle") {
			t.Errorf("%v: %s", a, text)
		}
	}
	c.text("inspectCommand", args{"argv": []string{"cat", "a.txt"}})
}
