package handlers_test

import (
	"strings"
	"testing"
)

// What an operator denies is in no difference, and no tool takes it along.
func TestDeniedInGit(t *testing.T) {
	c, _ := openGit(t, map[string]string{"open.txt": "plain\n", "secrets/key.txt": "needle\n"})
	gitIn(t, c.root, "checkout", "-q", "-b", "topic")
	write(t, c.path("open.txt"), "plain2\n")
	write(t, c.path("secrets/key.txt"), "needle2\n")
	gitIn(t, c.root, "commit", "-q", "-am", "Both")
	gitIn(t, c.root, "checkout", "-q", "main")
	write(t, c.path("open.txt"), "plain3\n")
	write(t, c.path("secrets/key.txt"), "needle3\n")
	c.operator("deny", "*", "--path", "secrets/**")
	for tool, a := range map[string]args{"getDiff": {}, "showCommit": {"revision": "topic"}, "getStatus": {}} {
		got := c.gitResult(tool, a)
		if len(got.Files) != 1 || strings.Contains(got.Text, "needle") || tool != "getStatus" && (got.Denied != 1 || !strings.Contains(got.Text, "plain")) {
			t.Errorf("%s: %+v", tool, got)
		}
	}
	c.refused("getBlame", args{"path": "secrets/key.txt"}, "APPROVAL_DENIED")
	c.refused("getLog", args{"path": "secrets/key.txt"}, "APPROVAL_DENIED")
	c.refused("stashChanges", args{"confirm": true}, "DENIED_PATH", "secrets/key.txt")
	if got := c.gitResult("stageFiles", args{"paths": []string{"."}}); names(got.Staged) != "open.txt" {
		t.Errorf("%+v", got)
	}
	c.text("commitChanges", args{"message": "x", "confirm": true})
	gitIn(t, c.root, "add", ".")
	c.refused("commitChanges", args{"message": "x", "confirm": true}, "DENIED_PATH")
	c.refused("stageFiles", args{"paths": []string{"."}, "unstage": true}, "DENIED_PATH")
	gitIn(t, c.root, "reset", "-q", "--hard")
	c.refused("switchBranch", args{"branch": "topic"}, "DENIED_PATH")
	if c.read("secrets/key.txt") != "needle\n" {
		t.Error("what is denied was changed")
	}
}
