package git

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const id = "0123456789abcdef0123456789abcdef01234567"

func TestParseStatus(t *testing.T) {
	text := "# branch.oid " + id + "\x00# branch.head main\x00# branch.upstream origin/main\x00# branch.ab +2 -1\x00# stash 3\x00" +
		"1 .M N... 100644 100644 100644 " + id + " " + id + " a b\nc\x00" +
		"2 R. N... 100644 100644 100644 " + id + " " + id + " R100 to here\x00from -> there\x00" +
		"u UU N... 100644 100644 100644 100644 " + id + " " + id + " " + id + " both\x00" +
		"? new file\x00! ignored\x00"
	got, err := parseStatus(text)
	want := Status{Branch: "main", Head: id, Upstream: "origin/main", Tracked: true, Ahead: 2, Behind: 1, Entries: []Entry{
		{Path: "a b\nc", Worktree: "modified"}, {Path: "to here", From: "from -> there", Index: "renamed"},
		{Path: "both", Index: "conflict", Worktree: "conflict"}, {Path: "new file", Worktree: "untracked"}, {Path: "ignored", Worktree: "ignored"},
	}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := parseStatus("# branch.oid (initial)\x00# branch.head (detached)\x00? cut in the mid"); err != nil || got.Branch+got.Head != "" || got.Entries != nil {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{"1 .M\x00", "x y\x00", "\x00", "1 M N... 1 1 1 1 1 p\x00"} {
		if got, err := parseStatus(bad); err == nil {
			t.Errorf("%q is %+v", bad, got)
		}
	}
}

func TestParseNumstat(t *testing.T) {
	got, err := parseNumstat("1\t2\ta\tb\x003\t0\t\x00old\x00new\x00-\t-\tbin\x00")
	if want := []Change{{Path: "a\tb", Added: 1, Removed: 2}, {Path: "new", From: "old", Added: 3}, {Path: "bin", Binary: true}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := parseNumstat("1\t1\t\x00old\x00ne"); err != nil || got != nil {
		t.Errorf("what is cut is %+v, %v", got, err)
	}
	for _, bad := range []string{"1\t2\x00", "x\t1\ta\x00", "-1\t1\ta\x00"} {
		if got, err := parseNumstat(bad); err == nil {
			t.Errorf("%q is %+v", bad, got)
		}
	}
}

func TestParseRefs(t *testing.T) {
	got, err := parseRefs("refs/heads/a\x00\x00*\x00"+id+"\x002026-01-02T03:04:05+00:00\x00refs/remotes/origin/a\x00ahead 1, behind 20\x00Sub\rject\n"+
		"refs/heads/b\x00\x00 \x00"+id+"\x00\x00refs/remotes/origin/b\x00gone\x00\nrefs/heads/c\x00refs/heads/a\x00 \x00\x00\x00\x00\x00\nrefs/heads/cut\x00", "refs/heads/")
	want := []Ref{
		{Name: "a", Current: true, Commit: id, Time: "2026-01-02T03:04:05Z", Subject: "Sub\rject", Upstream: "origin/a", Tracked: true, Ahead: 1, Behind: 20},
		{Name: "b", Commit: id, Upstream: "origin/b"},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestMasked(t *testing.T) {
	for address, want := range map[string]string{
		"https://token@example.org/a.git":     "https://example.org/a.git",
		"https://a:b@example.org/a?token=c#d": "https://example.org/a",
		"https://a:%zz@example.org/a?t=c":     "https://example.org/a",
		"ssh://git@example.org:22/a":          "ssh://git@example.org:22/a",
		"ssh://git:pass@example.org/a":        "ssh://example.org/a",
		"git@example.org:a/b.git":             "git@example.org:a/b.git",
		"/srv/a.git":                          "/srv/a.git",
	} {
		if got := masked(address); got != want {
			t.Errorf("%s is shown as %s, want %s", address, got, want)
		}
	}
}

func TestOverride(t *testing.T) {
	list, err := parseSettings("local\x00filter.a.b=c.clean\nrm\x00local\x00merge.Mine.driver\nrm\x00command\x00filter.x.clean\n\x00local\x00core.bare\x00")
	if err != nil {
		t.Fatal(err)
	}
	env := override(list)
	pairs := map[string]string{}
	for i := 1; i+1 < len(env); i += 2 {
		_, key, _ := strings.Cut(env[i], "=")
		_, value, _ := strings.Cut(env[i+1], "=")
		pairs[key] = value
	}
	for _, key := range []string{"filter.a.b=c.clean", "filter.a.b=c.smudge", "filter.a.b=c.process"} {
		if value, ok := pairs[key]; !ok || value != "" {
			t.Errorf("%s is %q, %v", key, value, ok)
		}
	}
	if got := pairs["merge.Mine.driver"]; !strings.HasPrefix(got, "git merge-file ") || pairs["filter.a.b=c.required"] != "false" {
		t.Errorf("the driver is %q", got)
	}
	if len(pairs) != len(settings)+5 || !slices.Contains(env, "GIT_CONFIG_COUNT="+strconv.Itoa(len(pairs))) {
		t.Errorf("%d settings, said to be %s", len(pairs), env[0])
	}
	if _, err := parseSettings("local\x00a.b"); err == nil {
		t.Error("half a setting is taken")
	}
}

func TestCheckBranch(t *testing.T) {
	for name, want := range map[string]bool{"main": true, "a/b": true, "é": true, "": false, "-a": false, "@{-1}": false, "a..b": false, "a b": false, "a\x00": false, "HEAD": false, "+a": false} {
		if got := CheckBranch(name) == nil; got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// Whatever a program writes that calls itself git, nothing panics, and what is
// read is what was written.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"# branch.oid " + id + "\x001 .M N... 1 1 1 h h p\x002 R. N... 1 1 1 h h R1 to\x00from\x00? x\x00", "1\t2\ta\x001\t1\t\x00a\x00b\x00",
		id + "\x00h\x00p\x00a\x00e\x00t\x00s\x00", id + " 1 1 1\nauthor A\nauthor-time 1\nauthor-tz +0100\nsummary s\n\ttext\n",
		"refs/heads/a\x00\x00*\x00c\x00t\x00u\x00ahead 1\x00s\n", "*\trefs/heads/a:refs/heads/a\t[new branch]\n", "local\x00a.b.c\nd\x00",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := parseStatus(text); err == nil {
			for _, e := range s.Entries {
				if !strings.Contains(text, e.Path) || !strings.Contains(text, e.From) {
					t.Errorf("%q is not there", e)
				}
			}
		}
		if all, err := parseNumstat(text); err == nil {
			for _, c := range all {
				if c.Added < 0 || c.Removed < 0 || !strings.Contains(text, c.Path) {
					t.Errorf("%+v", c)
				}
			}
		}
		if all, err := parseLog(text); err == nil {
			for _, c := range all {
				if !isHash(c.ID) {
					t.Errorf("%+v", c)
				}
			}
		}
		if b, err := parseBlame(text); err == nil {
			for _, l := range b.Lines {
				if l.Number < 1 {
					t.Errorf("%+v", l)
				}
			}
		}
		parseRefs(text, "refs/heads/")
		parsePush(text, "refs/heads/a")
		if list, err := parseSettings(text); err == nil {
			override(list)
		}
		masked(text)
		checkRevision(text)
	})
}
