package shell

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each option of the table is accepted, alone and behind an operand.
func TestAllowed(t *testing.T) {
	for _, p := range programs {
		if p.only != nil {
			accepted(t, append([]string{p.name}, p.only...))
			continue
		}
		words := []string{p.name}
		if p.needs != "" {
			words = append(words, "-"+p.needs)
		}
		accepted(t, words)
		for _, letter := range p.flags {
			accepted(t, append(words, "-"+string(letter)))
		}
		for _, word := range p.long {
			accepted(t, append(words, "--"+word))
		}
		for option, kind := range p.values {
			value := map[value]string{number: "5", text: "%s", path: "a/b"}[kind]
			if len(option) == 1 {
				accepted(t, append(words, "-"+option, value))
				accepted(t, append(words, "-"+option+value))
			} else {
				accepted(t, append(words, "--"+option, value))
				accepted(t, append(words, "--"+option+"="+value))
			}
		}
	}
}

func accepted(t *testing.T, argv []string) {
	t.Helper()
	if _, err := Inspect(slices.Clone(argv)); err != nil {
		t.Errorf("%q: %v", argv, err)
	}
}

// Each reason of the table is what a caller is told.
func TestRefused(t *testing.T) {
	for what, why := range refused {
		_, err := Inspect(strings.Fields(what))
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want %q", what, err, why)
		}
	}
}

// Where the way a word is read decides.
func TestWords(t *testing.T) {
	for _, c := range []struct {
		line  string
		paths []string // nil: it is refused
	}{
		{"ls", []string{}},
		{"ls -la", []string{}},
		{"ls -laR", nil},
		{"ls -lR a", nil},
		{"ls a -R", nil}, // getopt finds it there, too
		{"ls -- -R", []string{"-R"}},
		{"ls -- a -- b", []string{"a", "--", "b"}},
		{"ls --all=x", nil},
		{"ls --rec", nil}, // getopt takes what begins an option for it
		{"cat a ../b /etc/passwd", []string{"a", "../b", "/etc/passwd"}},
		{"cat - a", nil},
		{"head -5 a", []string{"a"}},
		{"head -n5 a", []string{"a"}},
		{"head -qn 5 a", []string{"a"}},
		{"head -n -5 a", []string{"a"}},
		{"head -n -f a", nil}, // as it would be if -n had no value
		{"head -n", nil},
		{"head --lines", nil},
		{"head --lines= a", nil},
		{"tail -n +5 a", []string{"a"}},
		{"tail -5f a", nil},
		{"tail -qf a", nil},
		{"tail --follow=name a", nil},
		{"stat -c %n a", []string{"a"}},
		{"stat -c --x a", nil},
		{"wc --files0-from=a", nil},
		{"du -s a", []string{"a"}},
		{"du -sh a", []string{"a"}},
		{"du --summarize a", []string{"a"}},
		{"du a", nil},
		{"du -- -s", nil},
		{"du -sL a", nil},
		{"date +%s", []string{}},
		{"date -u --reference=a +%s", []string{"a"}},
		{"date --reference a", []string{"a"}},
		{"date 010100002030", nil},
		{"date -us 1", nil},
		{"uname -a", []string{}},
		{"uname x", nil},
		{"id root", nil},
		{"which ls cat", []string{}},
		{"which ./ls", nil},
		{"go version", []string{}},
		{"go version a.out", nil},
		{"go", nil},
		{"python3 --version", []string{}},
		{"python3 --version -c 1", nil},
		{"python3", nil},
		{"make --version all", nil},
		{"/bin/ls", nil},
		{"./ls", nil},
		{"LS", nil},
		{"nothing", nil},
		{"bash -c ls", nil},
		{"ls -l\u00e9", nil},
		{"ls -\xff", nil},
	} {
		got, err := Inspect(strings.Split(c.line, " "))
		switch {
		case (err != nil) != (c.paths == nil):
			t.Errorf("%s: %v, want it allowed: %v", c.line, err, c.paths != nil)
		case err != nil && (!strings.Contains(err.Error(), "COMMAND_NOT_ALLOWED") || !strings.Contains(err.Error(), "teaagent_runCommand")):
			t.Errorf("%s: %v, which does not say what to do", c.line, err)
		case err == nil && !slices.Equal(got.Paths, c.paths):
			t.Errorf("%s: the paths are %q, want %q", c.line, got.Paths, c.paths)
		}
	}
	if _, err := Inspect([]string{""}); err == nil {
		t.Error("the empty program is allowed")
	}
}

// A program is the system's: none that the workspace holds, or that a link of
// PATH leads to there.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	workspace, system := filepath.Join(dir, "space"), filepath.Join(dir, "usr")
	for _, name := range []string{"space/bin/ls", "usr/bin/ls", "usr/bin/cat", "usr/plain/ls"} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		mode := os.FileMode(0o777)
		if strings.Contains(name, "plain") {
			mode = 0o666
		}
		if err := os.WriteFile(file, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(workspace, "bin"), filepath.Join(system, "link")); err != nil {
		t.Skip("no links here:", err)
	}
	in := func(folders ...string) string { return strings.Join(folders, string(filepath.ListSeparator)) }
	bin, own, link, plain := filepath.Join(system, "bin"), filepath.Join(workspace, "bin"), filepath.Join(system, "link"), filepath.Join(system, "plain")
	for _, c := range []struct{ name, search, want string }{
		{"ls", in(own, link, plain, "bin", "", bin), filepath.Join(bin, "ls")},
		{"ls", in(own, link), ""},
		{"ls", "", ""},
		{"cat", in(own, bin), filepath.Join(bin, "cat")},
		{"rm", in(own, bin), ""},
	} {
		if got := Find(c.name, c.search, workspace, ""); got != c.want {
			t.Errorf("%s in %s is %q, want %q", c.name, c.search, got, c.want)
		}
	}
}

// What a refusal looks like, in the words of several programs.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ stdout, stderr, want string }{
		{"", "touch: cannot touch '/etc/x': Read-only file system", "read-only"},
		{"", "cat: /srv/x: Permission denied", "Landlock"},
		{"", "Error: EACCES: permission denied, open '/var/x'", "Landlock"},
		{"connect: Network is unreachable", "", "network was refused"},
		{"", "bash: connect: Permission denied", "network was refused"},
		{"", "curl: (6) Could not resolve host: example.com", "network was refused"},
		{"", "dial tcp: lookup proxy.golang.org: Temporary failure in name resolution", "network was refused"},
		{"", "kill: (1): Operation not permitted", "no privileges"},
		{"", "mount: /etc: permission denied.", "no privileges"},
		{"", "/bin/sh: 1: kill: No such process", "its own only"},
		{"", "cat: /home/me/.ssh/id: No such file or directory", "hides"},
		{"", "/bin/sh: 1: cannot create /home/me/x: Directory nonexistent", "hides"},
		{"", "cat: '/srv/other/x': No such file or directory", "hides"},
		{"", "cat: /srv/space/x: No such file or directory", ""},
		{"", "/bin/sh: 1: cannot open x/y: No such file or directory", ""},
		{"", "a/b.go:1: no such file or directory", ""},
		{"", "FAIL: 3 tests", ""},
		{"", "", ""},
	} {
		if got := Refusals("/srv/space", c.stdout, c.stderr); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%q, %q: %q", c.stdout, c.stderr, got)
		}
	}
	if got := Refusals("/srv/space", "", "a: Permission denied\nb: Permission denied\nc: Network is unreachable\n"); strings.Count(got, "Landlock) open") != 1 || !strings.Contains(got, "network") {
		t.Errorf("several: %q", got)
	}
}
