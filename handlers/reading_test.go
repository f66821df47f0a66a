package handlers_test

import (
	"strings"
	"testing"
)

func TestReadFileAsBase64(t *testing.T) {
	c := open(t, map[string]string{"a.bin": "\x00\xff\x01"})
	c.refused("readFile", args{"path": "a.bin"}, "NOT_TEXT", "base64")
	if got, want := c.text("readFile", args{"path": "a.bin", "encoding": "base64", "length": 2}), "AP8=[cut: 2 of 3 bytes; go on with offset 3]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := c.text("readFile", args{"path": "a.bin", "encoding": "base64", "offset": 3}), "AQ==[1 of 3 bytes, to the end]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	c.refused("readFile", args{"path": "a.bin", "encoding": "base64", "offset": 4}, "OUT_OF_RANGE", "3 bytes")
}

func TestReadManyFiles(t *testing.T) {
	c := open(t, map[string]string{"a": "one\n", "big": strings.Repeat("line\n", 30000), "bin": "\x00", "z": "zet\n"})
	c.link("/etc/passwd", "out")
	mkfifo(t, c.path("pipe"))
	var got struct {
		Files []struct {
			Path, Text, Error string
			Truncated         bool
		}
	}
	c.get("readManyFiles", args{"paths": []string{"a", "nix", "out", "pipe", "bin", "big", "z"}}, &got)
	want := []string{"", "[NOT_FOUND]", "[OUTSIDE_WORKSPACE]", "[NOT_A_FILE]", "[NOT_TEXT]", "", ""}
	if len(got.Files) != len(want) {
		t.Fatalf("%d files", len(got.Files))
	}
	for i, f := range got.Files {
		if !strings.HasPrefix(f.Error, want[i]) || (f.Error == "") != (want[i] == "") {
			t.Errorf("%s: error %q, want %q", f.Path, f.Error, want[i])
		}
	}
	if big := got.Files[5]; got.Files[0].Text != "one\n" || !big.Truncated || !strings.HasSuffix(big.Text, "line\n") || len(big.Text) > 100<<10 {
		t.Errorf("the big file has %d bytes, truncated %v", len(big.Text), big.Truncated)
	}
}

func TestShowTree(t *testing.T) {
	c := open(t, map[string]string{"a/b/c.txt": "", "a/d.txt": "", "e.txt": "", ".gitignore": "e.txt\n", ".git/x": ""})
	for _, tc := range []struct {
		a    args
		want string
	}{
		{args{}, ".gitignore\na/\n  b/\n    c.txt\n  d.txt\n"},
		{args{"depth": 2, "ignored": true}, ".gitignore\na/\n  b/\n  d.txt\ne.txt\n"},
		{args{"path": "a"}, "b/\n  c.txt\nd.txt\n"},
	} {
		if got := c.text("showTree", tc.a); got != tc.want {
			t.Errorf("%v: got %q, want %q", tc.a, got, tc.want)
		}
	}
	if got := c.text("showTree", args{"limit": 1}); !strings.HasPrefix(got, ".gitignore\n[cut:") {
		t.Errorf("cut: %q", got)
	}
	c.refused("showTree", args{"path": ".."}, "OUTSIDE_WORKSPACE")
}

func TestStatPath(t *testing.T) {
	c := open(t, map[string]string{"a": "hello", "d/x": ""})
	c.link("/etc/passwd", "l")
	var got struct {
		Kind, Mode, Modified, Target, Sha256 string
		Size                                 int64
	}
	c.get("statPath", args{"path": "a", "hash": true}, &got)
	if got.Kind != "file" || got.Size != 5 || got.Sha256 != "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824" {
		t.Errorf("got %+v", got)
	}
	c.get("statPath", args{"path": "l"}, &got)
	if got.Kind != "link" || got.Target != "/etc/passwd" {
		t.Errorf("got %+v", got)
	}
	c.refused("statPath", args{"path": "d", "hash": true}, "NOT_A_FILE")
	c.refused("statPath", args{"path": "nix"}, "NOT_FOUND")
}
