package handlers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// again closes the server and starts another one, whose limits of calls are fresh.
func (c *client) again() *client {
	c.t.Helper()
	if err := c.s.Close(); err != nil {
		c.t.Fatal(err)
	}
	return serve(c.t, c.root, "allow")
}

// names returns the paths of changes.
func names(changes []gitChange) string {
	var all []string
	for _, c := range changes {
		all = append(all, c.Path)
	}
	return strings.Join(all, " ")
}

func TestStageFiles(t *testing.T) {
	c, _ := openGit(t, map[string]string{"a.txt": "a\n", "gone.txt": "g\n", "dir/b.txt": "b\n", ".gitignore": "*.log\n"})
	for name, text := range map[string]string{"a.txt": "a2\n", "dir/b.txt": "b2\n", "dir/-f": "x", "dir/*": "star", "other": "o", "x.log": "log"} {
		write(t, c.path(name), text)
	}
	if err := os.Remove(c.path("gone.txt")); err != nil {
		t.Fatal(err)
	}
	gitIn(t, c.root, "init", "-q", "inner")
	write(t, c.path("inner/x"), "x")
	if got := c.gitResult("stageFiles", args{"paths": []string{"dir/*"}}); names(got.Staged) != "dir/*" {
		t.Errorf("of one file is staged %+v", got)
	}
	if got := c.gitResult("stageFiles", args{"paths": []string{"./dir/", "gone.txt"}}); names(got.Staged) != "dir/* dir/-f dir/b.txt gone.txt" {
		t.Errorf("of a directory is staged %+v", got)
	}
	for range 2 { // again, nothing changes
		if got := c.gitResult("stageFiles", args{"paths": []string{"."}}); names(got.Staged) != "a.txt dir/* dir/-f dir/b.txt gone.txt other" {
			t.Errorf("of all is staged %+v", got)
		}
	}
	if got := c.gitResult("stageFiles", args{"paths": []string{"dir", "other"}, "unstage": true}); names(got.Staged) != "a.txt gone.txt" || c.read("dir/b.txt") != "b2\n" {
		t.Errorf("after taking out is staged %+v", got)
	}
	c.refused("stageFiles", args{"paths": []string{"x.log"}}, "IGNORED", "x.log")
	c.refused("stageFiles", args{"paths": []string{"inner"}}, "NESTED_REPOSITORY", "inner")
	c.refused("stageFiles", args{"paths": []string{"none"}}, "NOT_FOUND", "none")
	c.refused("stageFiles", args{"paths": []string{"../x"}}, "OUTSIDE_WORKSPACE")
}

// A file whose staged content a program would make is not staged as it is.
func TestStageFiltered(t *testing.T) {
	c, _ := openGit(t, map[string]string{".gitattributes": "*.bin filter=lfs\n", "a.txt": "a\n"})
	write(t, c.path("big.bin"), "big")
	write(t, c.path("a.txt"), "a2\n")
	c.refused("stageFiles", args{"paths": []string{"."}}, "FILTERED", "big.bin", "lfs")
	if got := c.gitResult("stageFiles", args{"paths": []string{"a.txt"}}); names(got.Staged) != "a.txt" {
		t.Errorf("%+v", got)
	}
}

func TestBranches(t *testing.T) {
	c, _ := openGit(t, map[string]string{"a.txt": "a\n", ".gitignore": "ignored\n"})
	var made struct{ Branch, Commit string }
	c.get("createBranch", args{"name": "topic/é"}, &made)
	if made.Commit != gitIn(t, c.root, "rev-parse", "refs/heads/topic/é") {
		t.Errorf("%+v", made)
	}
	c.refused("createBranch", args{"name": "topic/é"}, "ALREADY_EXISTS")
	c.refused("createBranch", args{"name": "x", "from": "none"}, "NOT_FOUND")
	c.refused("switchBranch", args{"branch": "none"}, "NOT_FOUND", "create=true")
	for _, name := range []string{"-x", "--force", "a..b", "a b", "@{-1}", "HEAD", "a~1", "a:b", "/a", ".a"} {
		c.refused("createBranch", args{"name": name}, "INVALID_BRANCH")
		c.refused("switchBranch", args{"branch": name}, "INVALID_BRANCH")
	}
	c.refused("createBranch", args{"name": "a.lock"}, "GIT_FAILED", "valid")
	var switched struct {
		Branch, Commit string
		Changed        int
	}
	c.get("switchBranch", args{"branch": "topic/é"}, &switched)
	write(t, c.path("a.txt"), "a2\n")
	write(t, c.path("tracked"), "x")
	gitIn(t, c.root, "add", ".")
	gitIn(t, c.root, "add", "-f", "a.txt")
	gitIn(t, c.root, "commit", "-q", "-m", "On topic")
	c.get("switchBranch", args{"branch": "main"}, &switched)
	if c.read("a.txt") != "a\n" || switched.Changed != 2 || !hexID.MatchString(switched.Commit) {
		t.Errorf("%+v, %q", switched, c.read("a.txt"))
	}
	write(t, c.path("a.txt"), "mine\n")
	c.refused("switchBranch", args{"branch": "topic/é"}, "GIT_FAILED", "overwritten", "a.txt")
	if c.read("a.txt") != "mine\n" {
		t.Error("a change is lost")
	}
	gitIn(t, c.root, "checkout", "-q", "a.txt")
	gitIn(t, c.root, "checkout", "-q", "topic/é")
	write(t, c.path("ignored"), "theirs")
	gitIn(t, c.root, "add", "-f", "ignored")
	gitIn(t, c.root, "commit", "-q", "-m", "Ignored")
	gitIn(t, c.root, "checkout", "-q", "main")
	write(t, c.path("ignored"), "mine")
	c.refused("switchBranch", args{"branch": "topic/é"}, "GIT_FAILED", "ignored")
	if c.read("ignored") != "mine" {
		t.Error("an ignored file is lost")
	}
	c.get("switchBranch", args{"branch": "other", "create": true}, &switched)
	if got := gitIn(t, c.root, "branch", "--show-current"); got != "other" {
		t.Errorf("on %q", got)
	}
	c.refused("switchBranch", args{"branch": "main", "create": true}, "ALREADY_EXISTS")
}

func TestCommitChanges(t *testing.T) {
	c, _ := openGit(t, map[string]string{"a.txt": "a\n"})
	write(t, c.path(".git/hooks/pre-commit"), "#!/bin/sh\nexit 1\n")
	if err := os.Chmod(c.path(".git/hooks/pre-commit"), 0o755); err != nil {
		t.Fatal(err)
	}
	gitIn(t, c.root, "config", "commit.gpgsign", "true")
	before := gitIn(t, c.root, "rev-parse", "HEAD")
	c.refused("commitChanges", args{"message": "x", "confirm": true}, "NOTHING_STAGED", "teaagent_stageFiles")
	write(t, c.path("a.txt"), "a2\n")
	c.text("stageFiles", args{"paths": []string{"a.txt"}})
	c.refused("commitChanges", args{"message": "x"}, "CONFIRM_REQUIRED")
	c.refused("commitChanges", args{"message": " \n", "confirm": true}, "INVALID_ARGUMENT", "blank")
	got := c.gitResult("commitChanges", args{"message": "# Subject\n\nbody", "dry_run": true})
	if want := "Would commit 1 file on branch main, as \"# Subject\":\na.txt +1 -1\n"; got.Preview.Text != want {
		t.Errorf("previewed %q, want %q", got.Preview.Text, want)
	}
	if gitIn(t, c.root, "rev-parse", "HEAD") != before {
		t.Fatal("committed without confirm")
	}
	got = c.gitResult("commitChanges", args{"message": "# Subject\n\nbody", "confirm": true})
	if got.Commit.Subject != "# Subject" || got.Commit.Author != "Ann" || got.Commit.Email != "ann@example.org" || got.Branch != "main" || len(got.Files) != 1 {
		t.Errorf("%+v", got)
	}
	if says := gitIn(t, c.root, "log", "-1", "--format=%H %an %cn %B"); says != got.Commit.ID+" Ann Ann # Subject\n\nbody\n" {
		t.Errorf("git has %q", says)
	}
	got = c.gitResult("commitChanges", args{"message": "Better", "amend": true, "confirm": true})
	if says := gitIn(t, c.root, "log", "--format=%s"); says != "Better\nBegin" {
		t.Errorf("git has %q", says)
	}
	if out := gitIn(t, c.root, "fsck", "--strict"); strings.Contains(out, "error") {
		t.Error(out)
	}
}

func TestCommitsAreLimited(t *testing.T) {
	c, _ := openGit(t, map[string]string{"a.txt": "a\n"})
	for i := range 10 {
		r := c.call("commitChanges", args{"message": "again", "amend": true, "confirm": true})
		if r.IsError {
			t.Fatalf("commit %d: %s", i+1, textOf(r))
		}
	}
	c.refused("commitChanges", args{"message": "again", "amend": true, "confirm": true}, "RATE_LIMITED")
}

// Who commits is told by the user's own configuration, and without any it is said.
func TestCommitIdentity(t *testing.T) {
	server.Path(t) // is built with the machine's
	root := t.TempDir()
	write(t, filepath.Join(root, "new.txt"), "x\n")
	repository(t, root)
	gitIn(t, root, "config", "--remove-section", "user")
	for _, name := range []string{"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_CONFIG_GLOBAL", "XDG_CONFIG_HOME"} {
		t.Setenv(name, "")
	}
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	home := t.TempDir()
	t.Setenv("HOME", home)
	c := serve(t, root, "allow")
	c.refused("commitChanges", args{"message": "x", "confirm": true}, "IDENTITY_MISSING", "git config --global user.name")
	write(t, filepath.Join(home, ".gitconfig"), "[user]\nname = Bob\nemail = bob@example.org\n[core]\nhooksPath = /nowhere\n")
	if got := c.gitResult("commitChanges", args{"message": "x", "confirm": true}); got.Commit.Author != "Bob" || got.Commit.Email != "bob@example.org" {
		t.Errorf("%+v", got)
	}
}

func TestStashChanges(t *testing.T) {
	c, _ := openGit(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	type result struct {
		Stashes int
		Files   []string
		Preview struct{ Text string }
	}
	c.refused("stashChanges", args{"confirm": true}, "NOTHING_CHANGED")
	c.refused("stashChanges", args{"action": "restore", "confirm": true}, "NOT_FOUND", "empty")
	write(t, c.path("a.txt"), "mine\n")
	write(t, c.path("extra"), "x")
	c.refused("stashChanges", args{}, "CONFIRM_REQUIRED")
	var got result
	c.get("stashChanges", args{"untracked": true, "dry_run": true}, &got)
	if got.Preview.Text != "Would put aside the changes of 2 files:\na.txt\nextra\n" || c.read("a.txt") != "mine\n" {
		t.Errorf("previewed %q", got.Preview.Text)
	}
	c.get("stashChanges", args{"untracked": true, "message": "-m", "confirm": true}, &got)
	if got.Stashes != 1 || c.read("a.txt") != "a\n" || c.read("extra") != "<none>" {
		t.Errorf("%+v", got)
	}
	c.get("stashChanges", args{"action": "restore", "confirm": true}, &got)
	if got.Stashes != 0 || strings.Join(got.Files, " ") != "a.txt extra" || c.read("a.txt") != "mine\n" || c.read("extra") != "x" {
		t.Errorf("%+v", got)
	}
	c.get("stashChanges", args{"confirm": true}, &got)
	write(t, c.path("a.txt"), "theirs\n")
	gitIn(t, c.root, "commit", "-q", "-am", "theirs")
	c.refused("stashChanges", args{"action": "restore", "confirm": true}, "CONFLICT", "keeps its entry")
	if gitIn(t, c.root, "stash", "list") == "" {
		t.Error("the entry is lost")
	}
}

func TestPushBranch(t *testing.T) {
	c, remote := openGit(t, map[string]string{"a.txt": "a\n"})
	type result struct {
		Remote, Branch, Commit, Status string
		Preview                        struct{ Text string }
	}
	var got result
	// What would run on a push by the repository's configuration does not.
	canary := filepath.Join(t.TempDir(), "canary")
	script := "#!/bin/sh\necho \"$0\" >>" + canary + "\n"
	write(t, c.path(".git/hooks/pre-push"), script)
	if err := os.Chmod(c.path(".git/hooks/pre-push"), 0o755); err != nil {
		t.Fatal(err)
	}
	gitIn(t, c.root, "config", "remote.origin.receivepack", "echo pack >>"+canary+"; git-receive-pack")
	c.refused("pushBranch", args{}, "CONFIRM_REQUIRED")
	c.get("pushBranch", args{"dry_run": true}, &got)
	for _, part := range []string{"Would push the branch main", remote, "Begin"} {
		if !strings.Contains(got.Preview.Text, part) {
			t.Errorf("the preview %q lacks %q", got.Preview.Text, part)
		}
	}
	if out, _ := tryGit(remote, "branch"); out != "" {
		t.Fatalf("pushed without confirm: %q", out)
	}
	c.get("pushBranch", args{"setUpstream": true, "confirm": true}, &got)
	head := gitIn(t, c.root, "rev-parse", "HEAD")
	if got.Status != "created" || got.Commit != head || gitIn(t, remote, "rev-parse", "main") != head {
		t.Errorf("%+v", got)
	}
	if upstream := gitIn(t, c.root, "rev-parse", "--abbrev-ref", "main@{upstream}"); upstream != "origin/main" {
		t.Errorf("follows %q", upstream)
	}
	c.get("pushBranch", args{"confirm": true}, &got)
	if got.Status != "unchanged" {
		t.Errorf("%+v", got)
	}
	gitIn(t, c.root, "commit", "-q", "--allow-empty", "-m", "Second")
	c.get("pushBranch", args{"dry_run": true}, &got)
	if !strings.Contains(got.Preview.Text, "Second") || strings.Contains(got.Preview.Text, "Begin") {
		t.Errorf("previewed %q", got.Preview.Text)
	}
	c.get("pushBranch", args{"confirm": true}, &got)
	if got.Status != "updated" {
		t.Errorf("%+v", got)
	}
	gitIn(t, c.root, "commit", "-q", "--amend", "--allow-empty", "-m", "Other")
	c = c.again()
	c.refused("pushBranch", args{"confirm": true}, "REJECTED", "fast")
	if said, err := os.ReadFile(canary); err == nil {
		t.Errorf("run was %s", said)
	}
	if _, err := tryGit(c.root, "push", "-q", "-f", "origin", "main"); err != nil {
		t.Error(err)
	}
	if said, _ := os.ReadFile(canary); !strings.Contains(string(said), "pre-push") || !strings.Contains(string(said), "pack") {
		t.Errorf("the canaries don't work: %q", said)
	}
}

// Where a push goes is said without credentials, and not to where a workspace's
// tools could have laid hooks.
func TestPushElsewhere(t *testing.T) {
	c, _ := openGit(t, map[string]string{"a.txt": "a\n"})
	c.refused("pushBranch", args{"remote": "none", "dry_run": true}, "NOT_FOUND", "none")
	c.refused("pushBranch", args{"remote": "https://example.org/x", "dry_run": true}, "INVALID_REMOTE")
	c.refused("pushBranch", args{"remote": "--exec=x", "dry_run": true}, "INVALID_REMOTE")
	c.refused("pushBranch", args{"branch": "none", "dry_run": true}, "NOT_FOUND", "none")
	c = c.again()
	gitIn(t, c.root, "init", "-q", "--bare", "inside.git")
	for _, address := range []string{"ext::sh -c id", "./inside.git", c.path("inside.git"), "file://" + c.path("inside.git"), "inside.git", "foo://x/y", "-x", filepath.Join(c.root, "../"+filepath.Base(c.root))} {
		gitIn(t, c.root, "config", "remote.origin.url", address)
		c = c.again()
		c.refused("pushBranch", args{"dry_run": true}, "INVALID_REMOTE", "absolute path outside")
	}
	gitIn(t, c.root, "config", "remote.origin.url", "https://ann:s3cret@127.0.0.1:1/x.git?token=s3cret")
	c = c.again()
	var got struct{ Preview struct{ Text string } }
	c.get("pushBranch", args{"dry_run": true}, &got)
	if strings.Contains(got.Preview.Text, "s3cret") || !strings.Contains(got.Preview.Text, "(https://127.0.0.1:1/x.git)") {
		t.Errorf("previewed %q", got.Preview.Text)
	}
	gitIn(t, c.root, "config", "http.proxy", "http://127.0.0.1:1")
	r := c.call("pushBranch", args{"confirm": true})
	if text := textOf(r); !r.IsError || strings.Contains(text, "s3cret") || !strings.Contains(text, "http.proxy was not used") {
		t.Errorf("answered %q", text)
	}
}
