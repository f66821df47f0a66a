//go:build unix

package handlers_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// trap is a repository that runs programs wherever git lets it. Each of them
// leaves a file of its own.
type trap struct {
	t        *testing.T
	root     string
	canaries string
}

// names that git, and who reads what it writes, could stumble over.
var hostileNames = []string{"-p", "--output=pwned", "new\nline", "\ttab", `quo"te`, `back\slash`, ":(top)x", "*", "a -> b", "caf\xe9", "\u202egnp.exe", "diff --git a b", " ", "dir/--cached", "$(touch pwned)", "`touch pwned`"}

func newTrap(t *testing.T) *trap {
	t.Helper()
	dir := t.TempDir()
	h := &trap{t, filepath.Join(dir, "space"), filepath.Join(dir, "canaries")}
	for _, name := range []string{"cmd", "conv", "clean", "process", "include", "worktree", "info"} {
		write(t, h.in(name+".txt"), "one\n")
	}
	for _, name := range hostileNames {
		write(t, h.in(name), "one\n")
	}
	write(t, filepath.Join(h.root, "sub/file"), "one\n")
	write(t, filepath.Join(h.canaries, ".script"), "#!/bin/sh\n: >'"+h.canaries+"'/\"$1\"\n[ $1 = fetch ] || exec cat ${2+\"$2\"}\n")
	repository(t, filepath.Join(h.root, "sub"))
	repository(t, h.root)

	// A commit that seems signed, and one whose blob has to be fetched.
	tree := gitIn(t, h.root, "rev-parse", "HEAD^{tree}")
	signed := filepath.Join(dir, "signed")
	write(t, signed, "tree "+tree+"\nparent "+gitIn(t, h.root, "rev-parse", "HEAD")+"\nauthor Eve <eve@example.org> 1700000000 +0130\ncommitter Eve <eve@example.org> 1700000000 +0130\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nSigned\n")
	gitIn(t, h.root, "update-ref", "refs/heads/main", gitIn(t, h.root, "hash-object", "-t", "commit", "-w", signed))
	gitIn(t, h.root, "checkout", "-q", "-b", "lost")
	write(t, h.in("lost.txt"), "nobody else has this\n")
	gitIn(t, h.root, "add", "lost.txt")
	gitIn(t, h.root, "commit", "-q", "-m", "Lost")
	blob := gitIn(t, h.root, "rev-parse", "HEAD:lost.txt")
	gitIn(t, h.root, "checkout", "-q", "main")
	if err := os.Remove(h.in(".git/objects/" + blob[:2] + "/" + blob[2:])); err != nil {
		t.Fatal(err)
	}

	// What is in the index is not looked at again unless its file has changed.
	for _, name := range []string{"cmd", "conv", "clean", "process", "include", "worktree", "info"} {
		write(t, h.in(name+".txt"), "one\ntwo\n")
	}
	write(t, h.in("staged.txt"), "new\n")
	gitIn(t, h.root, "add", "staged.txt")

	write(t, h.in(".gitattributes"), "cmd.txt diff=cmd\nconv.txt diff=conv\nclean.txt filter=clean\nprocess.txt filter=p.r\"o=c\ninclude.txt filter=include\nworktree.txt filter=worktree\n")
	write(t, h.in(".git/info/attributes"), "info.txt filter=info\n")
	write(t, h.in("evil.cfg"), "[filter \"include\"]\n\tclean = "+h.script("include")+"\n")
	write(t, h.in(".git/config.worktree"), "[filter \"worktree\"]\n\tclean = "+h.script("worktree")+"\n\trequired = true\n")
	for _, name := range []string{"post-index-change", "reference-transaction", "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-checkout"} {
		write(t, h.in(".hooks/"+name), "#!/bin/sh\n: >'"+h.canaries+"/"+name+"'\n")
		h.chmod(h.in(".hooks/" + name))
	}
	h.chmod(filepath.Join(h.canaries, ".script"))
	for key, value := range map[string]string{
		"core.repositoryformatversion": "1",
		"core.fsmonitor":               h.script("fsmonitor"),
		"core.hooksPath":               ".hooks",
		"diff.external":                h.script("external"),
		"diff.cmd.command":             h.script("cmd"),
		"diff.conv.textconv":           h.script("conv"),
		"filter.clean.clean":           h.script("clean"),
		"filter.clean.smudge":          h.script("smudge"),
		"filter.p.r\"o=c.process":      h.script("process"),
		"filter.info.clean":            h.script("info"),
		"include.path":                 "../evil.cfg",
		"extensions.worktreeConfig":    "true",
		"extensions.partialClone":      "evil",
		"remote.evil.promisor":         "true",
		"remote.evil.url":              "ext::" + h.script("fetch"),
		"protocol.ext.allow":           "always",
		"log.showSignature":            "true",
		"gpg.program":                  filepath.Join(h.canaries, ".gpg"),
		"core.editor":                  h.script("editor"),
		"commit.gpgSign":               "true",
		"gc.auto":                      "1",
	} {
		gitIn(t, h.root, "config", key, value)
	}
	write(t, filepath.Join(h.canaries, ".gpg"), "#!/bin/sh\ncase \"$*\" in *--verify*) name=verify;; *) name=sign;; esac\n: >'"+h.canaries+"'/$name\nexit 1\n")
	h.chmod(filepath.Join(h.canaries, ".gpg"))
	gitIn(t, filepath.Join(h.root, "sub"), "config", "core.fsmonitor", h.script("submodule"))
	return h
}

func (h *trap) in(name string) string { return filepath.Join(h.root, filepath.FromSlash(name)) }

func (h *trap) chmod(name string) {
	if err := os.Chmod(name, 0o755); err != nil {
		h.t.Fatal(err)
	}
}

// script is a command that leaves a canary.
func (h *trap) script(name string) string {
	return filepath.Join(h.canaries, ".script") + " " + name
}

// caught returns the canaries that there are.
func (h *trap) caught() []string {
	h.t.Helper()
	entries, err := os.ReadDir(h.canaries)
	if err != nil {
		h.t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names
}

func (h *trap) expectNothing() {
	h.t.Helper()
	if got := h.caught(); got != nil {
		h.t.Errorf("these ran: %q", got)
	}
}

// Each trap works, with git as people run it. Else the tests below would prove
// nothing.
func TestTrapsCatchGit(t *testing.T) {
	t.Parallel()
	h := newTrap(t)
	for _, args := range [][]string{
		{"diff"},
		{"-c", "diff.external=true", "diff"},
		{"blame", "conv.txt"},
		{"status"},
		{"log", "-1"},
		{"-c", "diff.external=true", "show", "lost"},
		{"commit", "-q", "--allow-empty", "-m", "x"},
		{"-c", "commit.gpgsign=false", "commit", "-q", "--allow-empty"},
		{"-c", "commit.gpgsign=false", "commit", "-q", "--allow-empty", "-m", "x"},
		{"checkout", "-q", "-b", "other"},
		{"checkout", "-q", "HEAD~1", "--", "clean.txt"},
		{"add", "process.txt"},
	} {
		out, err := tryGit(h.root, args...)
		if testing.Verbose() {
			t.Logf("git %q: %v\n%.500s", args, err, out)
		}
	}
	all := []string{"clean", "cmd", "commit-msg", "conv", "editor", "external", "fetch", "fsmonitor", "include", "info", "post-checkout", "post-commit", "post-index-change", "pre-commit", "prepare-commit-msg", "process", "reference-transaction", "sign", "smudge", "submodule", "verify", "worktree"}
	if got := h.caught(); !slices.Equal(got, all) {
		t.Errorf("caught\n%q, want\n%q", got, all)
	}
}

// files returns what lies in a directory, with the content of regular files.
func (h *trap) files() map[string]string {
	h.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(h.root, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			data, e := os.ReadFile(path)
			all[path], err = string(data), e
		}
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return all
}

// No tool that only reads sets off a trap, or changes anything, in the sandbox
// and, which proves more, outside of it.
func TestReadingSetsOffNoTrap(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"allow", "danger-full-access"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			h := newTrap(t)
			before := h.files()
			defer h.expectNothing()
			c := serve(t, h.root, mode)
			status := c.gitResult("getStatus", args{})
			if got := len(status.Files); got != 8+1+1+7 || status.Head == "" {
				t.Errorf("%d files: %+v", got, status)
			}
			diff := c.gitResult("getDiff", args{})
			if got := names(plain(diff)); got != "clean.txt cmd.txt conv.txt include.txt info.txt process.txt worktree.txt" || strings.Count(diff.Text, "\n+two\n") != 7 {
				t.Errorf("differ %q\n%s", got, diff.Text)
			}
			if got := c.gitResult("getDiff", args{"staged": true}); names(plain(got)) != "staged.txt" {
				t.Errorf("%+v", got)
			}
			if got := c.gitResult("getLog", args{}); len(got.Commits) != 2 || got.Commits[0].Time != "2023-11-14T23:43:20+01:30" {
				t.Errorf("%+v", got)
			}
			c.gitResult("showCommit", args{})
			first := c.gitResult("showCommit", args{"revision": "HEAD~1"})
			if got := len(first.Files); got != 7+len(hostileNames)+1 {
				t.Errorf("the first commit has %d files: %+v", got, first.Files)
			}
			for _, name := range []string{"conv.txt", "clean.txt", "process.txt", "worktree.txt"} {
				if got := c.gitResult("getBlame", args{"path": name}); len(got.Lines) != 2 || got.Lines[0].Commit == "" || got.Lines[1].Commit != "" {
					t.Errorf("%s: %+v", name, got)
				}
			}
			texts := slices.DeleteFunc(slices.Clone(hostileNames), func(name string) bool { return !utf8.ValidString(name) }) // others can't be arguments
			if got := c.gitResult("showCommit", args{"revision": "HEAD~1", "paths": texts}); len(got.Files) != len(texts) {
				t.Errorf("of %d files: %+v", len(texts), got.Files)
			}
			for _, name := range texts[:4] {
				if got := c.gitResult("getBlame", args{"path": name}); len(got.Lines) != 1 {
					t.Errorf("%q: %+v", name, got)
				}
				if got := c.gitResult("getLog", args{"path": name}); len(got.Commits) != 1 {
					t.Errorf("%q: %+v", name, got)
				}
			}
			c.gitResult("listBranches", args{})
			c.gitResult("listBranches", args{"remote": true})
			c.refused("showCommit", args{"revision": "lost"}, "GIT_FAILED")
			c.refused("getDiff", args{"from": "main", "to": "lost"}, "GIT_FAILED")
			c.gitResult("getLog", args{"revision": "lost"})
			if after := h.files(); !maps.Equal(before, after) {
				for path := range after {
					if before[path] != after[path] {
						t.Errorf("%q changed", path)
					}
				}
				t.Errorf("there were %d files and now are %d", len(before), len(after))
			}
		})
	}
}

// plain returns the files of a result as changes.
func plain(r gitResult) []gitChange {
	var all []gitChange
	for _, f := range r.Files {
		all = append(all, f.gitChange)
	}
	return all
}

// Nor do those that change something: hooks, filters and signing are not the
// repository's to choose.
func TestChangingSetsOffNoTrap(t *testing.T) {
	t.Parallel()
	h := newTrap(t)
	c := serve(t, h.root, "danger-full-access")
	defer h.expectNothing()
	c.text("stageFiles", args{"paths": []string{"cmd.txt"}})
	c.refused("stageFiles", args{"paths": []string{"."}}, "FILTERED")
	c.text("commitChanges", args{"message": "Mine", "confirm": true})
	c.text("createBranch", args{"name": "mine"})
	c.text("stashChanges", args{"confirm": true})
	c.text("switchBranch", args{"branch": "mine"})
	c.text("switchBranch", args{"branch": "next", "create": true})
	c.text("stashChanges", args{"action": "restore", "confirm": true})
	c.text("stageFiles", args{"paths": []string{"conv.txt"}, "unstage": true})
	c.text("pushBranch", args{"confirm": true, "dry_run": true})
	if out := gitIn(t, h.root, "-c", "core.fsmonitor=false", "-c", "log.showSignature=false", "log", "-1", "--format=%s %an"); out != "Mine Ann" {
		t.Errorf("committed %q", out)
	}
}
