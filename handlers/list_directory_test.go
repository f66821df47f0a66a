package handlers_test

import (
	"fmt"
	"os"
	"slices"
	"testing"
)

type listing struct {
	Entries []struct {
		Name, Kind string
		Size       *int64
	}
	Truncated bool
}

func (l listing) String() string {
	s := ""
	for _, e := range l.Entries {
		s += e.Name + ":" + e.Kind
		if e.Size != nil {
			s += fmt.Sprint(":", *e.Size)
		}
		s += " "
	}
	return fmt.Sprint(s, l.Truncated)
}

func TestListDirectory(t *testing.T) {
	c := open(t, map[string]string{"b.txt": "hello", "a/x": "", "a/.hidden": "1", "B": ""})
	c.link("a", "l")
	if err := os.Mkdir(c.path("empty"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		args args
		want string
	}{
		{args{}, "B:file:0 a:directory b.txt:file:5 empty:directory l:link false"},
		{args{"path": "a"}, ".hidden:file:1 x:file:0 false"},
		{args{"path": "l/"}, ".hidden:file:1 x:file:0 false"},
		{args{"path": "empty"}, "false"},
		{args{"limit": 2}, "B:file:0 a:directory true"},
		{args{"limit": 2, "after": "a"}, "b.txt:file:5 empty:directory true"},
		{args{"limit": 2, "after": "b.txt"}, "empty:directory l:link false"},
		{args{"after": "zzz"}, "false"},
		{args{"after": "aa"}, "b.txt:file:5 empty:directory l:link false"},
	} {
		var got listing
		c.get("listDirectory", tc.args, &got)
		if got.String() != tc.want {
			t.Errorf("%v lists %q, want %q", tc.args, got, tc.want)
		}
	}
	c.refused("listDirectory", args{"limit": 0}, "INVALID_ARGUMENT", "/limit")
	c.refused("listDirectory", args{"path": ""}, "INVALID_ARGUMENT", "/path")
}

// TestListDirectoryPages: the pages of a directory come to an end, and have
// each entry once, whatever the names are.
func TestListDirectoryPages(t *testing.T) {
	c := open(t, nil)
	for _, name := range []string{"a", "\xff", "é", "\xe9x", "z", "\U0001f600", "\"q\"", "b\nc"} {
		if err := os.WriteFile(c.path(name), nil, 0o666); err != nil {
			t.Skip("the file system takes only UTF-8: ", err)
		}
	}
	var names []string
	for after, more := "", true; more; {
		a := args{"limit": 1}
		if after != "" {
			a["after"] = after
		}
		var page listing
		c.get("listDirectory", a, &page)
		after, more = page.Entries[0].Name, page.Truncated
		if names = append(names, after); len(names) > 8 {
			break
		}
	}
	want := []string{"\"q\"", "a", "b\nc", "z", "é", "\ufffd", "\ufffdx", "\U0001f600"}
	if !slices.Equal(names, want) {
		t.Errorf("the pages have %q, want %q", names, want)
	}
}
