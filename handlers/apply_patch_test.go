package handlers_test

import (
	"os"
	"strings"
	"testing"
)

// all returns the workspace's files with their content.
func (c *client) all() map[string]string {
	c.t.Helper()
	files := map[string]string{}
	var found paths
	c.get("findFiles", args{"pattern": "**", "ignored": true}, &found)
	for _, name := range found.Paths {
		files[name] = c.read(name)
	}
	return files
}

const everyKind = `diff --git a/mod.txt b/mod.txt
--- a/mod.txt
+++ b/mod.txt
@@ -1,2 +1,2 @@
 one
-two
+2
diff --git a/old.txt b/new/deep/name.txt
similarity index 50%
rename from old.txt
rename to new/deep/name.txt
--- a/old.txt
+++ b/new/deep/name.txt
@@ -1 +1 @@
-x
+y
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-bye
\ No newline at end of file
diff --git a/made/m.txt b/made/m.txt
new file mode 100644
--- /dev/null
+++ b/made/m.txt
@@ -0,0 +1 @@
+hello
`

var everyPath = []string{"mod.txt", "./old.txt", "new/deep/name.txt", "gone.txt", "made/m.txt"}

func TestApplyPatch(t *testing.T) {
	files := map[string]string{"mod.txt": "zero\none\r\ntwo\r\n", "old.txt": "x\n", "gone.txt": "bye", "keep.txt": "keep"}
	c := open(t, files)
	for name, mode := range map[string]os.FileMode{"mod.txt": 0o751, "old.txt": 0o700} {
		if err := os.Chmod(c.path(name), mode); err != nil {
			t.Fatal(err)
		}
	}
	a := args{"patch": everyKind, "paths": everyPath}
	c.refused("applyPatch", a, "CONFIRM_REQUIRED")
	a["dry_run"] = true
	var preview struct{ Preview struct{ Text, Diff string } }
	c.get("applyPatch", a, &preview)
	for _, part := range []string{"4 files", `modify "mod.txt"`, "hunk 1 at line 2", `rename "old.txt" to "new/deep/name.txt"`, `delete "gone.txt" (3 bytes)`, `create "made/m.txt" (6 bytes)`} {
		if !strings.Contains(preview.Preview.Text, part) {
			t.Errorf("the preview %q lacks %q", preview.Preview.Text, part)
		}
	}
	for _, part := range []string{"-two\r\n+2\r\n", "--- old.txt\n+++ new/deep/name.txt\n", "+++ /dev/null\n", "--- /dev/null\n+++ made/m.txt\n@@ -0,0 +1 @@\n+hello\n"} {
		if !strings.Contains(preview.Preview.Diff, part) {
			t.Errorf("the preview's diff %q lacks %q", preview.Preview.Diff, part)
		}
	}
	same(t, "after a preview", c.all(), files)
	delete(a, "dry_run")
	a["confirm"] = true
	var got struct {
		Files []struct {
			Path, Change, From, Sha256 string
			Moved                      []string
		}
	}
	c.get("applyPatch", a, &got)
	same(t, "afterwards", c.all(), map[string]string{"mod.txt": "zero\none\r\n2\r\n", "new/deep/name.txt": "y\n", "made/m.txt": "hello\n", "keep.txt": "keep"})
	if len(got.Files) != 4 || got.Files[0].Moved[0] != "hunk 1 at line 2" || got.Files[1].Change != "renamed" || got.Files[1].From != "old.txt" ||
		got.Files[2].Change != "deleted" || got.Files[2].Sha256 != "" || got.Files[3].Sha256 != hashOf("hello\n") {
		t.Errorf("the answer is %+v", got)
	}
	for name, mode := range map[string]os.FileMode{"mod.txt": 0o751, "new/deep/name.txt": 0o700} {
		if info, err := os.Stat(c.path(name)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("the mode of %s is %v, %v", name, info.Mode(), err)
		}
	}
	c.noTemps()
}

// TestApplyPatchRefuses: whatever is wrong, no file changes.
func TestApplyPatchRefuses(t *testing.T) {
	files := map[string]string{"a.txt": "one\ntwo\n", "b.txt": "x\n", "latin1": "\xe9\n", "d/x": "x\n"}
	c := open(t, files)
	c.link("a.txt", "link")
	const good = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+1\n"
	second := func(name string) string {
		return good + "--- a/" + name + "\n+++ b/" + name + "\n@@ -1 +1 @@\n-X\n+Y\n"
	}
	for patch, want := range map[string][]string{
		second("b.txt"):  {"CONFLICT", "b.txt", "hunk 1", "line 9 of the patch", `line 1 of the file is "x"`},
		second("nix"):    {"NOT_FOUND", "nix"},
		second("latin1"): {"ENCODING", "latin1"},
		second("link"):   {"IS_LINK", "link"},
		second("../out"): {"OUTSIDE_WORKSPACE", "out"},
		second("d"):      {"IS_DIRECTORY"},
		second("a.txt"):  {"INVALID_PATCH", "second time"},
		second("other"):  {"NOT_LISTED", "other"},
		good + "--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+y\n":              {"ALREADY_EXISTS", "b.txt"},
		good + "--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\n":              {"CONFLICT", "b.txt"},
		good + "diff --git a/b.txt b/d/x\nrename from b.txt\nrename to d/x\n": {"ALREADY_EXISTS", "d/x"},
		good + "+more\n":    {"INVALID_PATCH", "line 6"},
		"*** Begin Patch\n": {"INVALID_PATCH", "+++ b/PATH"},
		// What shows only while it is done: the second needs a directory where
		// the first makes a file.
		good + "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+y\n--- /dev/null\n+++ b/f/g\n@@ -0,0 +1 @@\n+y\n": {"NOT_A_DIRECTORY", "undone"},
		"--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\ndiff --git a/d/x b/e/f/x\nrename from d/x\nrename to e/f/x\n--- d/x\n+++ e/f/x\n@@ -1 +1 @@\n-x\n+z\n" +
			"--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+y\n--- /dev/null\n+++ b/f/g\n@@ -0,0 +1 @@\n+y\n": {"NOT_A_DIRECTORY", "undone"},
	} {
		if err := os.Chmod(c.path("b.txt"), 0o640); err != nil {
			t.Fatal(err)
		}
		listed := []string{"a.txt", "b.txt", "nix", "latin1", "link", "../out", "d", "d/x", "f", "f/g", "e/f/x"}
		c.refused("applyPatch", args{"patch": patch, "paths": listed, "confirm": true}, want[0], want[1:]...)
		got := c.all()
		delete(got, "link")
		same(t, "after "+want[0], got, files)
		for _, name := range []string{"e", "f"} {
			if _, err := os.Lstat(c.path(name)); err == nil {
				t.Errorf("%s left %s", want[0], name)
			}
		}
		if info, err := os.Stat(c.path("b.txt")); err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("after %s the mode of b.txt is %v, %v", want[0], info.Mode(), err)
		}
	}
	c.noTemps()
}

func same(t *testing.T, when string, got, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s %s is %q, want %q", when, name, got[name], text)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s there is %s", when, name)
		}
	}
}
