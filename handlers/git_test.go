package handlers_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// gitIn runs git in a directory as a person would, without a configuration of
// the machine's.
func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := tryGit(dir, args...)
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSuffix(out, "\n")
}

func tryGit(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z", "GIT_TERMINAL_PROMPT=0")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// repository makes a repository with one commit of the files that are in a
// directory; those whose names begin with "new." are staged only. It has a
// remote, which it returns.
func repository(t *testing.T, root string) (remote string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("this machine has no git")
	}
	remote = filepath.Join(t.TempDir(), "origin.git")
	gitIn(t, t.TempDir(), "init", "-q", "--bare", "-b", "main", remote)
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"},
		{"config", "user.name", "Ann"},
		{"config", "user.email", "ann@example.org"},
		{"remote", "add", "origin", remote},
		{"add", "--", ":!new.*", ":!*/new.*"},
		{"commit", "-q", "--allow-empty", "-m", "Begin\n\nThis is how."},
		{"add", "."},
	} {
		gitIn(t, root, args...)
	}
	return remote
}

// openGit is open in a repository: see there.
func openGit(t *testing.T, files map[string]string) (c *client, remote string) {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(root, filepath.FromSlash(name)), text)
	}
	remote = repository(t, root)
	return serve(t, root, "allow"), remote
}

type gitChange struct {
	Path, From     string
	Added, Removed int
	Binary         bool
}

type gitCommit struct {
	ID, Short, Author, Email, Time, Subject string
}

type gitResult struct {
	Branch, Head, Upstream string
	Ahead, Behind          int
	Files                  []struct {
		gitChange
		Index, Worktree string
	}
	Staged    []gitChange
	Text      string
	Truncated bool
	Denied    int
	Commits   []gitCommit
	Commit    gitCommit
	Parents   []string
	Body      string
	Lines     []struct {
		Line         int
		Commit, Text string
	}
	Branches []struct {
		Name, Commit, Time, Subject, Upstream string
		Current                               bool
		Ahead, Behind                         int
	}
	Preview struct{ Text string }
}

func (c *client) gitResult(tool string, a args) (r gitResult) {
	c.t.Helper()
	c.get(tool, a, &r)
	return r
}

func TestGetStatus(t *testing.T) {
	c, _ := openGit(t, map[string]string{"a.txt": "one\n", "b.txt": "b\n", "old.txt": "some lines\nof text\nto be known\n", "new.txt": "new\n", "dir/c.txt": "c\n"})
	gitIn(t, c.root, "mv", "old.txt", "moved.txt")
	write(t, c.path("a.txt"), "two\n")
	write(t, c.path("extra/-x \"y\"\n.txt"), "x")
	write(t, c.path("extra/plain"), "x")
	if err := os.Remove(c.path("b.txt")); err != nil {
		t.Fatal(err)
	}
	got := c.gitResult("getStatus", args{})
	want := map[string]string{
		"a.txt": "//modified", "b.txt": "//deleted", "moved.txt": "old.txt/renamed/", "new.txt": "/added/",
		"extra/-x \"y\"\n.txt": "//untracked", "extra/plain": "//untracked",
	}
	for _, f := range got.Files {
		if is := f.From + "/" + f.Index + "/" + f.Worktree; want[f.Path] != is {
			t.Errorf("%q is %s, want %s", f.Path, is, want[f.Path])
		}
		delete(want, f.Path)
	}
	if len(want) > 0 || got.Branch != "main" || got.Head != gitIn(t, c.root, "rev-parse", "HEAD") || got.Truncated {
		t.Errorf("%+v lacks %v", got, want)
	}
	if got := c.gitResult("getStatus", args{"limit": 2}); len(got.Files) != 2 || !got.Truncated {
		t.Errorf("of 2 files: %+v", got)
	}
	if got := c.gitResult("getStatus", args{"paths": []string{"extra"}, "untracked": "directories"}); len(got.Files) != 1 || got.Files[0].Path != "extra/" {
		t.Errorf("of one directory: %+v", got)
	}
	if got := c.gitResult("getStatus", args{"paths": []string{"*.txt"}}); len(got.Files) != 0 {
		t.Errorf("a path is taken for a pattern: %+v", got)
	}
}

func TestGetStatusOfBranches(t *testing.T) {
	c, _ := openGit(t, map[string]string{"a.txt": "a\n"})
	gitIn(t, c.root, "push", "-q", "-u", "origin", "main")
	gitIn(t, c.root, "commit", "-q", "--allow-empty", "-m", "Second")
	if got := c.gitResult("getStatus", args{}); got.Upstream != "origin/main" || got.Ahead != 1 || got.Behind != 0 {
		t.Errorf("%+v", got)
	}
	if got := c.gitResult("listBranches", args{}); len(got.Branches) != 1 || got.Branches[0].Ahead != 1 || got.Branches[0].Upstream != "origin/main" || !got.Branches[0].Current {
		t.Errorf("%+v", got)
	}
	if got := c.gitResult("listBranches", args{"remote": true}); len(got.Branches) != 1 || got.Branches[0].Name != "origin/main" || got.Branches[0].Time != "2026-01-02T03:04:05Z" {
		t.Errorf("%+v", got)
	}
	gitIn(t, c.root, "checkout", "-q", "--detach")
	if got := c.gitResult("getStatus", args{}); got.Branch != "" || got.Head == "" {
		t.Errorf("detached: %+v", got)
	}
}

func TestGetDiff(t *testing.T) {
	c, _ := openGit(t, map[string]string{"a.txt": "one\ntwo\nthree\n", "bin": "\x00\x01", "b.txt": "b\n", "new.txt": "new\n"})
	write(t, c.path("a.txt"), "one\n2\nthree\n")
	write(t, c.path("bin"), "\x00\x02")
	got := c.gitResult("getDiff", args{"context": 0})
	if len(got.Files) != 2 || got.Files[0].gitChange != (gitChange{Path: "a.txt", Added: 1, Removed: 1}) || !got.Files[1].Binary || !strings.Contains(got.Text, "@@ -2 +2 @@ one\n-two\n+2\n") {
		t.Errorf("%+v", got)
	}
	if got := c.gitResult("getDiff", args{"staged": true, "patch": false}); len(got.Files) != 1 || got.Files[0].Path != "new.txt" || got.Text != "" {
		t.Errorf("staged: %+v", got)
	}
	gitIn(t, c.root, "commit", "-qam", "Second")
	if got := c.gitResult("getDiff", args{"from": "HEAD~1", "to": "HEAD", "paths": []string{"a.txt", "new.txt"}}); len(got.Files) != 2 || got.Truncated {
		t.Errorf("between commits: %+v", got)
	}
	write(t, c.path("a.txt"), strings.Repeat("a long line of text\n", 10000))
	if got := c.gitResult("getDiff", args{}); !got.Truncated || len(got.Text) > 64<<10 || !strings.HasSuffix(got.Text, "\n") {
		t.Errorf("a long one is truncated %v, %d bytes", got.Truncated, len(got.Text))
	}
	c.refused("getDiff", args{"to": "HEAD"}, "INVALID_ARGUMENT", "from")
	c.refused("getDiff", args{"from": "HEAD", "to": "HEAD", "staged": true}, "INVALID_ARGUMENT")
	c.refused("getDiff", args{"from": "none"}, "NOT_FOUND", "none")
	for _, revision := range []string{"--output=x", "-p", "HEAD..HEAD", "^HEAD", "HEAD:a.txt", "HEAD HEAD", ":/Begin", "a\nb"} {
		c.refused("getDiff", args{"from": revision}, "INVALID_REVISION")
	}
	c.refused("getDiff", args{"from": "HEAD^{tree}"}, "NOT_FOUND")
	c.refused("getDiff", args{"paths": []string{"../x", "/etc/passwd"}}, "OUTSIDE_WORKSPACE")
}

func TestGetLog(t *testing.T) {
	c, _ := openGit(t, map[string]string{"a.txt": "a\n"})
	for _, subject := range []string{"Second", "Third"} {
		write(t, c.path(subject), subject)
		gitIn(t, c.root, "add", ".")
		gitIn(t, c.root, "commit", "-q", "-m", subject)
	}
	got := c.gitResult("getLog", args{"limit": 2})
	if len(got.Commits) != 2 || !got.Truncated || got.Commits[0].Subject != "Third" || got.Commits[0].Time != "2026-01-02T03:04:05Z" || got.Commits[0].ID != gitIn(t, c.root, "rev-parse", "HEAD") {
		t.Errorf("%+v", got)
	}
	if got := c.gitResult("getLog", args{"skip": 2}); len(got.Commits) != 1 || got.Truncated || got.Commits[0].Subject != "Begin" || got.Commits[0].Email != "ann@example.org" {
		t.Errorf("the second page: %+v", got)
	}
	if got := c.gitResult("getLog", args{"path": "Second"}); len(got.Commits) != 1 || got.Commits[0].Subject != "Second" {
		t.Errorf("of a file: %+v", got)
	}
	shown := c.gitResult("showCommit", args{"revision": "HEAD~2"})
	if shown.Commit.Subject != "Begin" || shown.Body != "This is how." || len(shown.Parents) != 0 || len(shown.Files) != 1 || !strings.Contains(shown.Text, "+a\n") {
		t.Errorf("%+v", shown)
	}
	if shown := c.gitResult("showCommit", args{}); len(shown.Parents) != 1 || len(shown.Files) != 1 || shown.Files[0].Path != "Third" {
		t.Errorf("%+v", shown)
	}
}

func TestGetBlame(t *testing.T) {
	c, _ := openGit(t, map[string]string{"a.txt": "one\ntwo\nthree\n", "empty": ""})
	write(t, c.path("a.txt"), "one\n2\nthree\n")
	gitIn(t, c.root, "commit", "-q", "-am", "Change")
	write(t, c.path("a.txt"), "one\n2\nthree\nfour")
	got := c.gitResult("getBlame", args{"path": "./a.txt"})
	if len(got.Lines) != 4 || len(got.Commits) != 2 || got.Truncated {
		t.Fatalf("%+v", got)
	}
	subjects := map[string]string{"": "none"}
	for _, commit := range got.Commits {
		subjects[commit.Short] = commit.Subject
	}
	for i, want := range []string{"Begin one", "Change 2", "Begin three", "none four"} {
		if line := got.Lines[i]; line.Line != i+1 || subjects[line.Commit]+" "+line.Text != want {
			t.Errorf("line %d is %+v, want %s", i+1, line, want)
		}
	}
	if got := c.gitResult("getBlame", args{"path": "a.txt", "offset": 2, "limit": 1}); len(got.Lines) != 1 || got.Lines[0].Line != 2 || !got.Truncated || len(got.Commits) != 1 {
		t.Errorf("one line: %+v", got)
	}
	if got := c.gitResult("getBlame", args{"path": "a.txt", "revision": "HEAD~1"}); len(got.Lines) != 3 || got.Lines[1].Text != "two" {
		t.Errorf("of a commit: %+v", got)
	}
	if got := c.gitResult("getBlame", args{"path": "empty"}); len(got.Lines) != 0 {
		t.Errorf("of nothing: %+v", got)
	}
	c.refused("getBlame", args{"path": "a.txt", "offset": 9}, "INVALID_ARGUMENT", "4 lines")
	c.refused("getBlame", args{"path": "none.txt"}, "NOT_FOUND", "none.txt")
}

// Only the workspace's own repository is served.
func TestOtherRepositories(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		make func(t *testing.T, dir, root string)
		code string
		says string
	}{
		"none": {func(*testing.T, string, string) {}, "NOT_A_REPOSITORY", "not a git repository"},
		"above": {func(t *testing.T, dir, _ string) {
			gitIn(t, dir, "init", "-q")
		}, "NOT_A_REPOSITORY", "--root"},
		"file": {func(t *testing.T, dir, root string) {
			gitIn(t, dir, "init", "-q", "--separate-git-dir", filepath.Join(dir, "real"), root)
		}, "OUTSIDE_WORKSPACE", "linked worktree"},
		"link": {func(t *testing.T, dir, root string) {
			gitIn(t, dir, "init", "-q", "other")
			if err := os.Symlink("../other/.git", filepath.Join(root, ".git")); err != nil {
				t.Fatal(err)
			}
		}, "OUTSIDE_WORKSPACE", ""},
		"objects": {func(t *testing.T, dir, root string) {
			gitIn(t, root, "init", "-q")
			if err := os.RemoveAll(filepath.Join(root, ".git/objects")); err != nil {
				t.Fatal(err)
			}
			gitIn(t, dir, "init", "-q", "other")
			if err := os.Symlink(filepath.Join(dir, "other/.git/objects"), filepath.Join(root, ".git/objects")); err != nil {
				t.Fatal(err)
			}
		}, "OUTSIDE_WORKSPACE", "objects"},
		"alternates": {func(t *testing.T, dir, root string) {
			gitIn(t, root, "init", "-q")
			gitIn(t, dir, "init", "-q", "other")
			write(t, filepath.Join(root, ".git/objects/info/alternates"), "#\n"+filepath.Join(dir, "other/.git/objects")+"\n")
		}, "OUTSIDE_WORKSPACE", "repack"},
		"commondir": {func(t *testing.T, dir, root string) {
			gitIn(t, root, "init", "-q")
			gitIn(t, dir, "init", "-q", "other")
			write(t, filepath.Join(root, ".git/commondir"), "../../other/.git\n")
		}, "OUTSIDE_WORKSPACE", "commondir"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			root := filepath.Join(dir, "space")
			if err := os.Mkdir(root, 0o777); err != nil {
				t.Fatal(err)
			}
			test.make(t, dir, root)
			c := serve(t, root, "allow")
			for tool, a := range gitReads {
				c.refused(tool, a, test.code, test.says)
			}
			c.refused("createBranch", args{"name": "x"}, test.code)
			c.refused("pushBranch", args{"confirm": true}, test.code)
		})
	}
}

// gitReads has the git tools that only read, with arguments for each.
var gitReads = map[string]args{
	"getStatus": {}, "getDiff": {"from": "HEAD"}, "getLog": {"path": "a.txt"}, "showCommit": {}, "getBlame": {"path": "a.txt"}, "listBranches": {"remote": true},
}

// A repository that belongs to somebody else, and one whose core.worktree leads
// elsewhere, are read as the workspace has them.
func TestRepositoryOfSomebodyElse(t *testing.T) {
	c, _ := openGit(t, map[string]string{"a.txt": "a\n"})
	elsewhere := t.TempDir()
	write(t, filepath.Join(elsewhere, "a.txt"), "needle\n")
	gitIn(t, c.root, "config", "core.worktree", elsewhere)
	if os.Geteuid() == 0 {
		for _, name := range []string{".", ".git"} {
			if err := os.Chown(c.path(name), 12345, 12345); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(t, c.path("a.txt"), "mine\n")
	if got := c.gitResult("getDiff", args{}); !strings.Contains(got.Text, "+mine\n") || strings.Contains(got.Text, "needle") {
		t.Errorf("%+v", got)
	}
}

func TestGitIsMissing(t *testing.T) {
	server.Path(t)
	root := t.TempDir()
	repository(t, root)
	t.Setenv("PATH", t.TempDir())
	c := serve(t, root, "allow")
	c.refused("getStatus", args{}, "GIT_MISSING", "install git")
}

var hexID = regexp.MustCompile(`^[0-9a-f]{40}$`)
