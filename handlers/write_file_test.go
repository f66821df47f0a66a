package handlers_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"
)

type written struct {
	Path    string
	Sha256  string
	Bytes   int
	Created bool
	Preview struct{ Text, Diff string }
}

func TestWriteFile(t *testing.T) {
	c := open(t, map[string]string{"a.txt": "one\ntwo\n", "run.sh": "#!/bin/sh\n"})
	if err := os.Chmod(c.path("run.sh"), 0o751); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		args args
		want written
	}{
		{args{"path": "a.txt", "content": "new"}, written{Path: "a.txt", Bytes: 3}},
		{args{"path": "b.txt", "content": "é\r\n"}, written{Path: "b.txt", Bytes: 4, Created: true}},
		{args{"path": "empty", "content": ""}, written{Path: "empty", Created: true}},
		{args{"path": "x/y/z.txt", "content": "deep", "createDirs": true}, written{Path: "x/y/z.txt", Bytes: 4, Created: true}},
		{args{"path": "x/y/z.txt", "content": "again", "createDirs": true}, written{Path: "x/y/z.txt", Bytes: 5}},
		{args{"path": "x/./w.txt", "content": "nul \x00"}, written{Path: "x/./w.txt", Bytes: 5, Created: true}},
		{args{"path": "run.sh", "content": "#!/bin/bash\n"}, written{Path: "run.sh", Bytes: 12}},
	} {
		var got written
		tc.args["confirm"] = true
		tc.want.Sha256 = hashOf(tc.args["content"].(string))
		c.get("writeFile", tc.args, &got)
		if got != tc.want {
			t.Errorf("%v answers %+v, want %+v", tc.args, got, tc.want)
		}
		if text := c.read(tc.want.Path); text != tc.args["content"] {
			t.Errorf("%s is %q", tc.want.Path, text)
		}
	}
	if info, err := os.Stat(c.path("run.sh")); err != nil || info.Mode().Perm() != 0o751 {
		t.Errorf("the mode of run.sh is %v, %v", info.Mode(), err)
	}
	c.refused("writeFile", args{"path": "a.txt", "content": "x"}, "CONFIRM_REQUIRED", "confirm=true", "dry_run=true")
	c.refused("writeFile", args{"path": "a.txt", "content": "x", "confirm": false}, "CONFIRM_REQUIRED")
	c.refused("writeFile", args{"path": "no/dir.txt", "content": "x", "confirm": true}, "NOT_FOUND", `"no"`, "createDirs=true")
	c.refused("writeFile", args{"path": "a.txt/b", "content": "x", "confirm": true, "createDirs": true}, "NOT_A_DIRECTORY")
	c.refused("writeFile", args{"path": "new/", "content": "x", "confirm": true}, "INVALID_PATH", "slash")
	c.refused("writeFile", args{"path": "a.txt", "confirm": true}, "INVALID_ARGUMENT", "content")
	c.refused("writeFile", args{"path": "a.txt", "content": strings.Repeat("x", 4_000_001), "confirm": true}, "INVALID_ARGUMENT", "/content")
	if got := c.read("a.txt"); got != "new" {
		t.Errorf("refused calls left %q", got)
	}
	// What the caller expects.
	c.refused("writeFile", args{"path": "a.txt", "content": "x", "mustCreate": true, "confirm": true}, "ALREADY_EXISTS", "mustCreate")
	c.refused("writeFile", args{"path": "a.txt", "content": "x", "expectedSha256": hashOf("old"), "confirm": true}, "CHANGED", hashOf("new"))
	c.refused("writeFile", args{"path": "nix", "content": "x", "expectedSha256": hashOf("old"), "confirm": true}, "CHANGED", "does not exist")
	c.refused("writeFile", args{"path": "nix", "content": "x", "expectedSha256": hashOf("old"), "mustCreate": true, "confirm": true}, "INVALID_ARGUMENT", "mustCreate")
	c.refused("writeFile", args{"path": "a.txt", "content": "x", "expectedSha256": hashOf("old"), "dry_run": true}, "CHANGED")
	if c.read("a.txt") != "new" || c.read("nix") != "<none>" {
		t.Error("a refused call wrote")
	}
	c.text("writeFile", args{"path": "a.txt", "content": "newer", "expectedSha256": hashOf("new"), "confirm": true})
	c.text("writeFile", args{"path": "made", "content": "x", "mustCreate": true, "confirm": true})
	if c.read("a.txt") != "newer" || c.read("made") != "x" {
		t.Error("a call whose expectations hold does not write")
	}
	c.noTemps()
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// noTemps expects that nothing was left behind.
func (c *client) noTemps() {
	c.t.Helper()
	var left paths
	c.get("findFiles", args{"pattern": ".teaagent-*", "ignored": true}, &left)
	if len(left.Paths) > 0 {
		c.t.Errorf("left behind: %q", left.Paths)
	}
}

func TestPreviewWriteFile(t *testing.T) {
	var lines strings.Builder
	for i := range 20_000 {
		fmt.Fprintln(&lines, "line", i)
	}
	c := open(t, map[string]string{
		"a.txt": "one\ntwo\nthree\n", "crlf.txt": "a\r\nb\r\n", "open.txt": "x", "binary": "\x00", "latin1": "\xe9",
		"large": strings.Repeat("x\n", 600_000), "many": lines.String(),
	})
	for _, tc := range []struct {
		args       args
		text, diff string
	}{
		{args{"path": "a.txt", "content": "one\nTWO\nthree\n"}, `Would replace "a.txt": 14 bytes become 14.`,
			"--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n"},
		{args{"path": "new.txt", "content": "x\n"}, `Would create "new.txt" (2 bytes).`, "--- /dev/null\n+++ new.txt\n@@ -0,0 +1 @@\n+x\n"},
		{args{"path": "p/q/new.txt", "content": "", "createDirs": true}, `Would create "p/q/new.txt" (0 bytes). Would make the directory "p/q" for it.`, ""},
		{args{"path": "a.txt", "content": "one\ntwo\nthree\n"}, `Would leave "a.txt" as it is: it has this content.`, ""},
		{args{"path": "open.txt", "content": "x\n"}, `Would replace "open.txt": 1 bytes become 2.`,
			"--- open.txt\n+++ open.txt\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n"},
		{args{"path": "crlf.txt", "content": "a\nb\r\n"}, `Would replace "crlf.txt": 6 bytes become 5.`,
			"--- crlf.txt\n+++ crlf.txt\n@@ -1,2 +1,2 @@\n-a\r\n+a\n b\r\n"},
		{args{"path": "binary", "content": "x"}, `Would replace "binary": 1 bytes become 1. No diff: the file is binary.`, ""},
		{args{"path": "latin1", "content": "x"}, `Would replace "latin1": 1 bytes become 1. No diff: the file is binary.`, ""},
		{args{"path": "a.txt", "content": "\x00"}, `Would replace "a.txt": 14 bytes become 1. No diff: the new content is binary.`, ""},
		{args{"path": "large", "content": "x"}, `Would replace "large": 1200000 bytes become 1. No diff: the file has more than 1048576 bytes.`, ""},
		{args{"path": "new", "content": strings.Repeat("x\n", 600_000)}, `Would create "new" (1200000 bytes). No diff: the new content has more than 1048576 bytes.`, ""},
	} {
		for _, confirm := range []any{nil, true} {
			tc.args["dry_run"] = true
			if confirm != nil {
				tc.args["confirm"] = confirm
			}
			var got written
			before := c.read(tc.args["path"].(string))
			c.get("writeFile", tc.args, &got)
			if got.Preview.Text != tc.text || got.Preview.Diff != tc.diff || got.Path != "" {
				t.Errorf("%v previews %q\n%s\nwant %q\n%s", tc.args["path"], got.Preview.Text, got.Preview.Diff, tc.text, tc.diff)
			}
			if after := c.read(tc.args["path"].(string)); after != before {
				t.Errorf("the preview changed %s", tc.args["path"])
			}
		}
	}
	if c.read("p") != "<none>" {
		t.Error("a preview made a directory")
	}
	var got written
	c.get("writeFile", args{"path": "many", "content": strings.ReplaceAll(lines.String(), "line", "row"), "dry_run": true}, &got)
	if len(got.Preview.Diff) > 33<<10 || !strings.HasSuffix(got.Preview.Diff, "\n") || !strings.Contains(got.Preview.Text, "The diff is cut: ") {
		t.Errorf("a long diff: %q, %d bytes", got.Preview.Text, len(got.Preview.Diff))
	}
	c.refused("writeFile", args{"path": "no/dir.txt", "content": "x", "dry_run": true}, "NOT_FOUND", "createDirs=true")
}

// TestModes: what a mode forbids is refused, and its preview is not.
func TestModes(t *testing.T) {
	for _, mode := range []string{"read-only", "prompt"} {
		c := open(t, map[string]string{"a.txt": "a"}, mode)
		for tool, a := range map[string]args{
			"writeFile":  {"path": "a.txt", "content": "b", "confirm": true},
			"deletePath": {"path": "a.txt", "confirm": true},
		} {
			c.refused(tool, a, "APPROVAL_DENIED", mode)
			a["dry_run"] = true
			if text := c.text(tool, a); !strings.Contains(text, "a.txt") {
				t.Errorf("the preview of %s in mode %s says %q", tool, mode, text)
			}
			if got := c.read("a.txt"); got != "a" {
				t.Errorf("%s in mode %s left %q", tool, mode, got)
			}
		}
		var got paths
		if c.get("findFiles", args{"pattern": "*"}, &got); len(got.Paths) != 1 {
			t.Errorf("mode %s finds %q", mode, got.Paths)
		}
	}
}
