package tree

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/teaagent/teaagent/mcp"
)

// TestIgnoreAsGitDoes compares the walk with what git finds in trees that are
// made of names and patterns that tend to be got wrong.
func TestIgnoreAsGitDoes(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	root := t.TempDir()
	trees := uint64(200)
	if testing.Short() {
		trees = 20
	}
	for seed := range trees {
		f := forest{rand.New(rand.NewPCG(seed, 0))}
		f.plant(t, filepath.Join(root, fmt.Sprintf("tree%d", seed)), 0)
	}
	git := gitFiles(t, root)
	for seed := range trees {
		tree := fmt.Sprintf("tree%d", seed)
		got, want := walked(t, root, Options{Dir: tree}), []string(nil)
		for _, name := range git {
			if strings.HasPrefix(name, tree+"/") {
				want = append(want, name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s differs from git's view:\n%s\nnot in git's: %q\nonly in git's: %q",
				tree, ignoreFiles(t, filepath.Join(root, tree)), without(got, want), without(want, got))
		}
	}
}

// TestIgnore names the rules one by one.
func TestIgnore(t *testing.T) {
	for _, tc := range []struct {
		about string
		files map[string]string // by path; the value matters for .gitignore only
		want  string
	}{
		{"names at any depth", map[string]string{".gitignore": "x\n", "x": "", "a/x": "", "a/b/x": "", "a/xy": ""}, ".gitignore a/xy"},
		{"anchored", map[string]string{".gitignore": "/x\na/y\n", "x": "", "a/x": "", "a/y": "", "b/a/y": ""}, ".gitignore a/x b/a/y"},
		{"directories only", map[string]string{".gitignore": "x/\n", "x/a": "", "b/x": ""}, ".gitignore b/x"},
		{"negation", map[string]string{".gitignore": "*.log\n!keep.log\n", "a.log": "", "keep.log": "", "d/keep.log": ""}, ".gitignore d/keep.log keep.log"},
		{"no way back into a directory", map[string]string{".gitignore": "d/\n!d/keep\n", "d/keep": ""}, ".gitignore"},
		{"a way back into what is in it", map[string]string{".gitignore": "d/*\n!d/keep\n", "d/keep": "", "d/other": ""}, ".gitignore d/keep"},
		{"the inner file wins", map[string]string{".gitignore": "*.log\n", "d/.gitignore": "!*.log\n", "a.log": "", "d/a.log": "", "d/e/a.log": ""}, ".gitignore d/.gitignore d/a.log d/e/a.log"},
		{"inner rules stay inside", map[string]string{"d/.gitignore": "/x\n", "x": "", "d/x": "", "d/e/x": ""}, "d/.gitignore d/e/x x"},
		{"two stars", map[string]string{".gitignore": "a/**/z\n**/c/q\n", "a/z": "", "a/b/z": "", "c/q": "", "b/c/q": "", "b/z": ""}, ".gitignore b/z"},
		{"what is in it, not itself", map[string]string{".gitignore": "a/**\n", "a/b": "", "d/a": ""}, ".gitignore d/a"},
		{"no braces", map[string]string{".gitignore": "{a,b}\n", "a": "", "{a,b}": ""}, ".gitignore a"},
		{"classes", map[string]string{".gitignore": "[!a-c]\n[[:digit:]]x\n[]]\n", "a": "", "d": "", "1x": "", "]": ""}, ".gitignore a"},
		{"escapes and spaces", map[string]string{".gitignore": "\\#a\n\\!b\n#c\nd\\ \ne  \n", "#a": "", "!b": "", "#c": "", "d ": "", "e": ""}, "#c .gitignore"},
		{"windows", map[string]string{".gitignore": "\ufeffa\r\nb\r\n", "a": "", "b": "", "c": ""}, ".gitignore c"},
		{"rubbish", map[string]string{".gitignore": "[a\n\\\n/\n!\n\nb\\\n", "a": "", "b": ""}, ".gitignore a b"},
		{"hidden files are files", map[string]string{".env": "", ".github/x.yml": ""}, ".env .github/x.yml"},
		{"never git's own", map[string]string{".git/config": "", "sub/.git": "", "sub/x": "", ".gitx": ""}, ".gitx sub/x"},
	} {
		t.Run(tc.about, func(t *testing.T) {
			root := t.TempDir()
			for name, text := range tc.files {
				write(t, root, name, text)
			}
			if got := strings.Join(walked(t, root, Options{}), " "); got != tc.want {
				t.Errorf("walked %q, want %q", got, tc.want)
			}
		})
	}
}

// forest plants trees.
type forest struct{ *rand.Rand }

var names = []string{"a", "b", "ab", "a.log", "b.txt", "build", "foo bar", "x{y}", "[z]", "#h", "!n", ".env", "é", "aXb", `t\x`, "c "}

var segments = []string{
	"*", "**", "*.log", "a*", "?", "[ab]", "[!a]*", "[a-c]*", "*b", `\#h`, `\!n`, `foo\ bar`, `[[]z]`, `\[z\]`, "{a,b}", "a**", "[a",
	`t\\x`, "[[:alpha:]]*", "[[:punct:]]*", "***", "[^a]", `c\ `, "[]z]*", "[a-]b", `a\`, "[[:nix:]]", "[z-a]*", `[\]]*`, "??", "*?b",
}

func (f forest) pick(from []string) string { return from[f.IntN(len(from))] }

func (f forest) plant(t *testing.T, dir string, depth int) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return // the name is taken by a file
	}
	for range 5 {
		name := filepath.Join(dir, f.pick(names))
		if depth < 3 && f.IntN(2) == 0 {
			f.plant(t, name, depth+1)
			name = filepath.Join(name, f.pick(names))
		}
		os.WriteFile(name, nil, 0o666) // or it is taken by a directory
	}
	if depth > 0 && f.IntN(4) > 0 {
		return
	}
	var rules strings.Builder
	for range 1 + f.IntN(4) {
		fmt.Fprintln(&rules, f.pattern())
	}
	write(t, dir, ".gitignore", rules.String())
}

func (f forest) pattern() string {
	var parts []string
	for range 1 + f.IntN(3) {
		if f.IntN(2) == 0 {
			parts = append(parts, f.pick(names))
		} else {
			parts = append(parts, f.pick(segments))
		}
	}
	for i := range parts[1:] {
		// git takes the text before the first wildcard off the pattern and the
		// path, and then takes the "**" of "a**/b" for one at the start: "ab" and
		// "a/x/b" match. Its manual says otherwise, and so do we.
		parts[i] = strings.ReplaceAll(parts[i], "a**", "a*")
	}
	p := strings.Join(parts, "/")
	if f.IntN(4) == 0 {
		p = "/" + p
	}
	if f.IntN(3) == 0 {
		p += "/"
	}
	if f.IntN(3) == 0 {
		p = "!" + p
	}
	if f.IntN(20) == 0 {
		p += "  "
	}
	return p
}

func walked(t *testing.T, root string, o Options) []string {
	t.Helper()
	w, err := mcp.OpenWorkspace(root)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	walk, err := New(w, o)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for run := range walk.Runs(context.Background()) {
		for _, e := range run.Files {
			paths = append(paths, run.Path(e))
		}
	}
	return paths
}

func gitFiles(t *testing.T, root string) []string {
	t.Helper()
	run := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", root}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %q: %v", args, err)
		}
		return string(out)
	}
	run("init", "-q")
	out := run("ls-files", "-z", "-o", "--exclude-per-directory=.gitignore")
	if out == "" {
		return nil
	}
	files := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	slices.Sort(files)
	return files
}

func ignoreFiles(t *testing.T, root string) string {
	var b strings.Builder
	filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == ".gitignore" {
			text, _ := os.ReadFile(name)
			rel, _ := filepath.Rel(root, name)
			fmt.Fprintf(&b, "%s: %q\n", rel, text)
		}
		return nil
	})
	return b.String()
}

func without(a, b []string) (rest []string) {
	for _, s := range a {
		if !slices.Contains(b, s) {
			rest = append(rest, s)
		}
	}
	return rest
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	full := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
