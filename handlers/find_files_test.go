package handlers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

type paths struct {
	Paths     []string
	Truncated bool
	Skipped   int64
}

func TestFindFiles(t *testing.T) {
	c := open(t, map[string]string{
		".gitignore": "*.log\n/build/\n", "src/.gitignore": "!keep.log\ngen/\n",
		"main.go": "", "src/a.go": "", "src/keep.log": "", "src/x.log": "", "src/gen/g.go": "", "src/deep/er/z.go": "",
		"build/out.go": "", ".git/hooks/x.go": "", ".env": "", "docs/read me.md": "",
	})
	outside := t.TempDir()
	write(t, outside+"/o.go", "")
	c.link("main.go", "link.go")
	c.link(outside+"/o.go", "out.go")
	c.link("nowhere.go", "dangling.go")
	c.link("src", "dir.go")
	for _, tc := range []struct {
		args args
		want string
	}{
		{args{"pattern": "*.go"}, "link.go main.go src/a.go src/deep/er/z.go"},
		{args{"pattern": "/*.go"}, "link.go main.go"},
		{args{"pattern": "**/*.{md,log}"}, "docs/read me.md src/keep.log"},
		{args{"pattern": "src/**"}, "src/.gitignore src/a.go src/deep/er/z.go src/keep.log"},
		{args{"pattern": "*.go", "path": "src"}, "src/a.go src/deep/er/z.go"},
		{args{"pattern": "deep/*/*.go", "path": "src/"}, "src/deep/er/z.go"},
		{args{"pattern": "*.go", "path": "dir.go"}, "dir.go/a.go dir.go/deep/er/z.go"},
		{args{"pattern": "*", "path": "build"}, "build/out.go"},
		{args{"pattern": "*", "path": ".git"}, ".git/hooks/x.go"},
		{args{"pattern": "*.log", "ignored": true}, "src/keep.log src/x.log"},
		{args{"pattern": "{.env,build/*}", "ignored": true}, ".env build/out.go"},
		{args{"pattern": "*.rs"}, ""},
	} {
		var got paths
		c.get("findFiles", tc.args, &got)
		if strings.Join(got.Paths, " ") != tc.want || got.Truncated || got.Skipped != 0 {
			t.Errorf("%v finds %+v, want %q", tc.args, got, tc.want)
		}
	}
	if text := c.text("findFiles", args{"pattern": "*.rs"}); text != `{"paths":[],"truncated":false}` {
		t.Errorf("nothing found is %s", text)
	}
	c.refused("findFiles", args{"pattern": "[a"}, "INVALID_PATTERN", "bracket")
	c.refused("findFiles", args{"pattern": "../*"}, "INVALID_PATTERN", "..")
	c.refused("findFiles", args{"pattern": ""}, "INVALID_ARGUMENT", "/pattern")
	c.refused("findFiles", args{"pattern": "*", "limit": 5001}, "INVALID_ARGUMENT", "/limit")
}

// TestFindFilesPages: pages of any size make the whole.
func TestFindFilesPages(t *testing.T) {
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("d%d/f-%d/%d.x", i%3, i%5, i)] = ""
		files[fmt.Sprintf("d%d/f%d.x", i%3, i)] = ""
	}
	// Long names: the bound on an answer's bytes cuts, not the limit.
	for i := range 300 {
		files[fmt.Sprintf("long/%s%03d", strings.Repeat("n", 240), i)] = ""
	}
	c := open(t, files)
	for _, limit := range []int{7, 80, 5000} {
		var all []string
		a := args{"pattern": "**", "limit": limit}
		for {
			var page paths
			c.get("findFiles", a, &page)
			if len(page.Paths) > limit || len(strings.Join(page.Paths, "")) > 48<<10 {
				t.Fatalf("a page of %d paths", len(page.Paths))
			}
			all = append(all, page.Paths...)
			if !page.Truncated {
				break
			}
			a["after"] = all[len(all)-1]
		}
		if len(all) != len(files) || !slices.IsSorted(all) || len(slices.Compact(all)) != len(files) {
			t.Errorf("pages of %d have %d paths, want %d", limit, len(all), len(files))
		}
	}
}
