package handlers_test

import (
	"os"
	"strings"
	"testing"
)

// utf16 is a text of ASCII letters in UTF-16LE with a byte order mark.
func utf16(text string) string {
	var b strings.Builder
	b.WriteString("\xff\xfe")
	for i := range len(text) {
		b.WriteByte(text[i])
		b.WriteByte(0)
	}
	return b.String()
}

func TestEditFile(t *testing.T) {
	files := map[string]string{
		"lf": "one\ntwo\n", "crlf": "one\r\ntwo", "mark": "\xef\xbb\xbfone\r\ntwo\n", "wide": utf16("one\r\ntwo\r\n"),
		"latin1": "caf\xe9 one", "binary": "one\x00", "run.sh": "one\n",
	}
	c := open(t, files)
	if err := os.Chmod(c.path("run.sh"), 0o751); err != nil {
		t.Fatal(err)
	}
	edits := []args{{"oldText": "one\ntwo", "newText": "1\n2\n3"}, {"oldText": "3", "newText": "three"}}
	for name, want := range map[string]string{
		"lf": "1\n2\nthree\n", "crlf": "1\r\n2\r\nthree", "mark": "\xef\xbb\xbf1\r\n2\r\nthree\n", "wide": utf16("1\r\n2\r\nthree\r\n"),
	} {
		a := args{"path": name, "edits": edits}
		c.refused("editFile", a, "CONFIRM_REQUIRED")
		a["dry_run"] = true
		var preview struct{ Preview struct{ Text, Diff string } }
		c.get("editFile", a, &preview)
		if !strings.Contains(preview.Preview.Text, "Would replace 2 texts in \""+name) || !strings.Contains(preview.Preview.Diff, "+three") {
			t.Errorf("%s previews %+v", name, preview)
		}
		if got := c.read(name); got != files[name] {
			t.Errorf("the preview left %q in %s", got, name)
		}
		delete(a, "dry_run")
		a["confirm"] = true
		var got struct {
			Path, Sha256    string
			Bytes, Replaced int
			Lines           []int
		}
		c.get("editFile", a, &got)
		if c.read(name) != want || got.Path != name || got.Bytes != len(want) || got.Sha256 != hashOf(want) || got.Replaced != 2 || len(got.Lines) != 2 || got.Lines[1] != 3 {
			t.Errorf("%s is %q, and the answer %+v", name, c.read(name), got)
		}
	}
	one := []args{{"oldText": "one", "newText": "1"}}
	for name, code := range map[string]string{"latin1": "ENCODING", "binary": "BINARY", "nix": "NOT_FOUND", "../x": "OUTSIDE_WORKSPACE", ".": "IS_DIRECTORY"} {
		c.refused("editFile", args{"path": name, "edits": one, "confirm": true}, code)
		if before, ok := files[name]; ok && c.read(name) != before {
			t.Errorf("a refused edit left %q", c.read(name))
		}
	}
	// All or nothing, and the edit that failed is named.
	c.refused("editFile", args{"path": "run.sh", "edits": append(one, args{"oldText": "two", "newText": ""}), "confirm": true}, "NO_MATCH", "edit 2 of 2")
	c.refused("editFile", args{"path": "run.sh", "edits": one, "expectedSha256": hashOf("other"), "confirm": true}, "CHANGED", hashOf("one\n"))
	c.refused("editFile", args{"path": "run.sh", "edits": one, "expectedSha256": strings.ToUpper(hashOf("one\n")), "confirm": true}, "INVALID_ARGUMENT")
	if got := c.read("run.sh"); got != "one\n" {
		t.Errorf("refused edits left %q", got)
	}
	c.text("editFile", args{"path": "run.sh", "edits": one, "expectedSha256": hashOf("one\n"), "confirm": true})
	if info, err := os.Stat(c.path("run.sh")); err != nil || info.Mode().Perm() != 0o751 || c.read("run.sh") != "1\n" {
		t.Errorf("run.sh is %q with mode %v, %v", c.read("run.sh"), info.Mode(), err)
	}
	c.noTemps()
}
