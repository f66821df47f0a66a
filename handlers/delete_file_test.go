package handlers_test

import (
	"strings"
	"testing"
)

func TestDeleteFile(t *testing.T) {
	c := open(t, map[string]string{"a.txt": "hello", "dir/b": "", "é": ""})
	c.link("a.txt", "link")
	var got struct {
		Deleted string
		Preview struct{ Text string }
	}
	c.refused("deleteFile", args{"path": "a.txt"}, "CONFIRM_REQUIRED", "confirm=true")
	c.refused("deleteFile", args{"path": "dir", "confirm": true}, "IS_DIRECTORY")
	c.refused("deleteFile", args{"path": "dir/", "dry_run": true}, "IS_DIRECTORY")
	c.refused("deleteFile", args{"path": "nix", "confirm": true}, "NOT_FOUND")
	c.get("deleteFile", args{"path": "a.txt", "dry_run": true}, &got)
	if want := `Would delete "a.txt" (5 bytes).`; got.Preview.Text != want || c.read("a.txt") != "hello" {
		t.Errorf("previewed %q, want %q; the file is %q", got.Preview.Text, want, c.read("a.txt"))
	}
	c.get("deleteFile", args{"path": "link", "dry_run": true}, &got)
	if !strings.Contains(got.Preview.Text, "symbolic link") {
		t.Errorf("the preview of a link says %q", got.Preview.Text)
	}
	for path, gone := range map[string]string{"link": "link", "dir/../dir/b": "dir/b", "é": "é"} {
		c.get("deleteFile", args{"path": path, "confirm": true}, &got)
		if got.Deleted != path || c.read(gone) != "<none>" {
			t.Errorf("deleted %q, want %q", got.Deleted, path)
		}
	}
	if c.read("a.txt") != "hello" {
		t.Error("more was deleted than asked for")
	}
	c.refused("deleteFile", args{"path": "é", "confirm": true}, "NOT_FOUND")
}
