package gen

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/teaagent/teaagent/gen/internal/plan"
)

const serverSpec = "server: demo\nprefix: demo\nversion: \"1\"\nlint: {severity: {example-missing: off, auth-stated: off, desc-stem: off}, because: These tools are short.}\nenv: {DEMO_HOME: {description: Where things are.}}\ncategories:\n  files: {}\n  shell: {}\n"

const filesSpec = `category: files
tools:
  - name: demo_readFile
    description: Read a file.
    readOnly: true
    args:
      path: {type: string, role: path, required: true, description: Where it is.}
  - name: demo_deleteFile
    description: Delete a file. Requires confirm=true.
    destructive: true
    args:
      path: {type: string, role: path, required: true, description: Where it is.}
`

const shellSpec = `category: shell
tools:
  - name: demo_runCommand
    description: Run a command.
    tier: High
`

// repo is a new repo with specs, generated, in the current folder.
func repo(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	writeFile(t, "go.mod", "module example.com/demo\n")
	writeFile(t, "specs/server.yaml", serverSpec)
	writeFile(t, "specs/files.yaml", filesSpec)
	writeFile(t, "specs/shell.yaml", shellSpec)
	mustGenerate(t)
}

func mustGenerate(t *testing.T) *Report {
	t.Helper()
	r, err := Generate(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failed() {
		t.Fatal(r.Findings)
	}
	return r
}

func verify(t *testing.T) []string {
	t.Helper()
	r, err := Verify(Options{})
	if err != nil {
		t.Fatal(err)
	}
	return paths(r.Changes)
}

// snapshot is every file below the current folder with its content.
func snapshot(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files[filepath.ToSlash(path)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func same(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s is not what it was", name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is new", name)
		}
	}
}

func edit(t *testing.T, name string, change func(string) string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, name, change(string(data)))
}

var generatedFiles = []string{
	"generated/files_gen.go", "generated/shell_gen.go", "generated/server_gen.go",
	"generated/schemas/files.json", "generated/schemas/shell.json", "mcp-tools.json", ".env.example",
}

// A byte changed anywhere in what teagen owns is found, shown and cured.
func TestChangedByte(t *testing.T) {
	repo(t)
	want := snapshot(t)
	for _, name := range generatedFiles {
		// Near the end: what a file starts with says whose it is.
		edit(t, name, func(s string) string { return s[:len(s)-2] + "x" + s[len(s)-2:] })
		if got := verify(t); !slices.Equal(got, []string{"changed " + name}) {
			t.Errorf("verify after a byte in %s: %q", name, got)
		}
		r := mustGenerate(t)
		var diff bytes.Buffer
		r.Changes[0].Diff(&diff)
		for _, part := range []string{"--- " + name, "\n-", "x", "\n+"} {
			if !strings.Contains(diff.String(), part) {
				t.Errorf("the diff of %s lacks %q:\n%s", name, part, &diff)
			}
		}
		same(t, snapshot(t), want)
	}
}

func TestDeletedFile(t *testing.T) {
	repo(t)
	want := snapshot(t)
	for _, name := range append(generatedFiles, "handlers/read_file_tool.go") {
		os.Remove(name)
		if got := verify(t); !slices.Equal(got, []string{"missing " + name}) {
			t.Errorf("verify without %s: %q", name, got)
		}
		mustGenerate(t)
		same(t, snapshot(t), want)
	}
	os.RemoveAll("generated")
	if got := verify(t); len(got) != 5 {
		t.Errorf("verify without generated: %q", got)
	}
	mustGenerate(t)
	same(t, snapshot(t), want)
}

// A tool and a category go: so do their files, but for what people wrote.
func TestRemovedTool(t *testing.T) {
	repo(t)
	os.Remove("specs/shell.yaml")
	edit(t, "specs/server.yaml", func(s string) string { return strings.Replace(s, "  shell: {}\n", "", 1) })
	want := []string{
		"changed generated/server_gen.go", "orphaned generated/schemas/shell.json",
		"orphaned generated/shell_gen.go", "changed mcp-tools.json",
	}
	if got := verify(t); !sameStrings(got, want) {
		t.Errorf("verify: %q", got)
	}
	r, err := Generate(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("generated/shell_gen.go"); err == nil {
		t.Error("generated/shell_gen.go is still there")
	}
	if _, err := os.Stat("generated/schemas/shell.json"); err == nil {
		t.Error("generated/schemas/shell.json is still there")
	}
	// The body stays, does not compile any more, and is named.
	if len(r.Findings) != 1 || r.Findings[0].Rule != "handler-leftover" || r.Findings[0].Pos.File != "handlers/run_command_tool.go" ||
		r.Findings[0].Pos.Line != 11 || !r.Failed() || !r.Settled {
		t.Errorf("findings: %v", r.Findings)
	}
	if _, err := os.Stat("handlers/run_command_tool.go"); err != nil {
		t.Error(err)
	}
}

func sameStrings(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

func TestOrphans(t *testing.T) {
	repo(t)
	want := snapshot(t)
	files := map[string]bool{ // whether it goes
		"generated/old_gen.go":         true,
		"generated/renamed.go":         true,
		"generated/schemas/old.json":   true,
		"generated/helper.go":          false,
		"generated/mock_gen.go":        false,
		"generated/schemas/other.json": false,
		"generated/README.md":          false,
		"generated/deep/old_gen.go":    false,
	}
	ours, _ := os.ReadFile("generated/shell_gen.go")
	bundle, _ := os.ReadFile("generated/schemas/shell.json")
	writeFile(t, "generated/old_gen.go", string(ours))
	writeFile(t, "generated/renamed.go", "<<<<<<< HEAD\n"+string(ours))
	writeFile(t, "generated/schemas/old.json", string(bundle))
	writeFile(t, "generated/helper.go", "package generated\n\n// Code generated by teagen, said somebody. DO NOT EDIT.\n")
	writeFile(t, "generated/mock_gen.go", "// Code generated by mockgen. DO NOT EDIT.\n\npackage generated\n")
	writeFile(t, "generated/schemas/other.json", "{\"mine\": true}\n")
	writeFile(t, "generated/README.md", "// Code generated by teagen for category x. DO NOT EDIT.\n")
	writeFile(t, "generated/deep/old_gen.go", string(ours))
	for name, goes := range files {
		if got := slices.Contains(verify(t), "orphaned "+name); got != goes {
			t.Errorf("%s orphaned: %v", name, got)
		}
		if !goes {
			data, _ := os.ReadFile(name)
			want[name] = string(data)
		}
	}
	mustGenerate(t)
	same(t, snapshot(t), want)
}

// What git leaves of a merge is still generated code, wherever its markers are.
func TestConflictMarkers(t *testing.T) {
	repo(t)
	want := snapshot(t)
	for _, name := range generatedFiles {
		for where, mark := range map[string]func(string) string{
			"top": func(s string) string { return "<<<<<<< HEAD\n" + s + "=======\n" + s + ">>>>>>> theirs\n" },
			"diff3": func(s string) string {
				return "<<<<<<< HEAD\n||||||| base\n=======\n" + s + ">>>>>>> theirs\n"
			},
			"second": func(s string) string {
				first, rest, _ := strings.Cut(s, "\n")
				return first + "\n<<<<<<< HEAD\n" + rest + "=======\n>>>>>>> theirs\n"
			},
			"end":   func(s string) string { return s + "<<<<<<< HEAD\n=======\nx\n>>>>>>> theirs\n" },
			"empty": func(string) string { return "" },
			"crlf":  func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		} {
			edit(t, name, mark)
			if got := verify(t); !slices.Equal(got, []string{"changed " + name}) {
				t.Errorf("verify with markers at %s of %s: %q", where, name, got)
			}
			mustGenerate(t)
			same(t, snapshot(t), want)
		}
	}
}

// A file of somebody else's, a link or a folder at a generated path is never
// touched, and nothing else is written either.
func TestInTheWay(t *testing.T) {
	for _, name := range generatedFiles {
		for what, put := range map[string]func(){
			"not written by teagen": func() { writeFile(t, name, "// Written by hand.\n\n{\"mine\": true}\n") },
			"is a folder":           func() { os.MkdirAll(filepath.Join(name, "in"), 0o755) },
			"is a symbolic link":    func() { os.Symlink("../elsewhere", name) },
		} {
			if name == plan.EnvFile && what == "not written by teagen" {
				continue // is kept: TestEnvOfSomebody
			}
			repo(t)
			os.Remove(name)
			writeFile(t, "elsewhere", "precious\n")
			put()
			edit(t, "specs/files.yaml", func(s string) string { return strings.ReplaceAll(s, "a file", "one file") })
			want := snapshot2(t)
			for _, run := range []func(Options) (*Report, error){Generate, Verify} {
				if _, err := run(Options{}); err == nil || !strings.Contains(err.Error(), what) || !strings.Contains(err.Error(), name) {
					t.Errorf("%s in the way: %v", name, err)
				}
			}
			same(t, snapshot2(t), want)
		}
	}
}

// snapshot2 is snapshot for a tree with links, which it does not follow.
func snapshot2(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			t.Fatal(err)
		}
		if d.Type()&fs.ModeSymlink != 0 {
			files[path], _ = os.Readlink(path)
		} else if !d.IsDir() {
			data, _ := os.ReadFile(path)
			files[path] = string(data)
		}
		return nil
	})
	return files
}

func TestFolderInTheWay(t *testing.T) {
	outside := t.TempDir()
	for _, dir := range []string{"generated", "generated/schemas", "handlers"} {
		repo(t)
		os.RemoveAll(dir)
		if err := os.Symlink(outside, dir); err != nil {
			t.Fatal(err)
		}
		if _, err := Generate(Options{}); err == nil || !strings.Contains(err.Error(), dir+" is a symbolic link") {
			t.Errorf("%s leads outside: %v", dir, err)
		}
		os.Remove(dir)
		writeFile(t, dir, "a file\n")
		if _, err := Generate(Options{}); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s is a file: %v", dir, err)
		}
	}
	if left, _ := os.ReadDir(outside); len(left) > 0 {
		t.Errorf("written through a link: %v", left)
	}
}

// When a file can't be written, no other has been.
func TestNothingHalfDone(t *testing.T) {
	repo(t)
	edit(t, "specs/files.yaml", func(s string) string { return strings.ReplaceAll(s, "a file", "one file") })
	// A folder where the last of the temporary files goes stands for a full disk.
	if err := os.MkdirAll(".mcp-tools.json.teagen-tmp/in", 0o755); err != nil {
		t.Fatal(err)
	}
	want := snapshot(t)
	_, err := Generate(Options{})
	if err == nil || !strings.Contains(err.Error(), "nothing was changed") {
		t.Errorf("generate: %v", err)
	}
	same(t, snapshot(t), want)

	os.RemoveAll("generated")
	os.RemoveAll("handlers")
	if _, err := Generate(Options{}); err == nil {
		t.Error("generate from nothing succeeded")
	}
	for _, dir := range []string{"generated", "handlers"} {
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s was left behind", dir)
		}
	}
}

func TestReadOnlyFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root writes everywhere")
	}
	repo(t)
	edit(t, "specs/files.yaml", func(s string) string { return strings.ReplaceAll(s, "a file", "one file") })
	os.Chmod("generated", 0o555)
	defer os.Chmod("generated", 0o755)
	want := snapshot(t)
	if _, err := Generate(Options{}); err == nil || !strings.Contains(err.Error(), "nothing was changed") {
		t.Errorf("generate: %v", err)
	}
	same(t, snapshot(t), want)
}

// Unchanged files keep their time, so that nothing is rebuilt for them; file
// modes stay as people set them.
func TestUntouched(t *testing.T) {
	repo(t)
	os.Chmod("generated/files_gen.go", 0o600)
	before := map[string]fs.FileInfo{}
	for _, name := range generatedFiles {
		before[name], _ = os.Stat(name)
	}
	edit(t, "specs/files.yaml", func(s string) string { return strings.ReplaceAll(s, "Read a file", "Read one file") })
	r := mustGenerate(t)
	if got := paths(r.Changes); !slices.Equal(got, []string{"changed generated/files_gen.go", "changed mcp-tools.json"}) {
		t.Errorf("changes: %q", got)
	}
	for _, name := range generatedFiles {
		after, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		changed := name == "generated/files_gen.go" || name == "mcp-tools.json"
		if os.SameFile(before[name], after) == changed {
			t.Errorf("%s replaced: %v", name, !changed)
		}
		if after.Mode() != before[name].Mode() {
			t.Errorf("%s has mode %v, had %v", name, after.Mode(), before[name].Mode())
		}
	}
}

// Findings of any stage keep everything as it is.
func TestFindingsWriteNothing(t *testing.T) {
	for what, spec := range map[string]string{
		"spec-unknown-key": strings.Replace(filesSpec, "readOnly", "readonly", 1),
		"desc-imperative":  strings.Replace(filesSpec, "Read a file", "Reads a file", 1),
		"go-name-tool":     filesSpec + "  - {name: demo_previewDeleteFile, description: Preview a deletion.}\n",
	} {
		repo(t)
		writeFile(t, "specs/files.yaml", spec)
		want := snapshot(t)
		r, err := Generate(Options{})
		if err != nil || !r.Failed() || r.Settled || len(r.Changes) > 0 {
			t.Errorf("%s: %v, %+v", what, err, r)
		}
		var b bytes.Buffer
		r.Print(&b)
		if !strings.Contains(b.String(), "["+what+"]") || !strings.HasPrefix(b.String(), "specs/files.yaml:") {
			t.Errorf("%s: printed\n%s", what, &b)
		}
		same(t, snapshot(t), want)
	}
}

func TestPathsThroughNames(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "repo/go.mod", "module example.com/demo\n")
	writeFile(t, "repo/specs/server.yaml", "server: demo\nprefix: demo\nversion: \"1\"\ncategories:\n  ../../x: {}\n")
	writeFile(t, "repo/specs/a.yaml", "category: ../../x\ntools:\n  - {name: demo_../../up, description: Go up., goName: ../../Up}\n  - {name: demo_a/b, description: Go down., category: /abs}\n")
	for _, unlinted := range []bool{false, true} {
		r, err := Generate(Options{Dir: "repo", unlinted: unlinted})
		if err != nil || !r.Failed() {
			t.Errorf("generate: %v, %v", err, r.Findings)
		}
	}
	if got := snapshot(t); len(got) != 3 {
		t.Errorf("written: %v", got)
	}
}

func TestNoModule(t *testing.T) {
	repo(t)
	writeFile(t, "go.mod", "// nothing\n")
	if _, err := Generate(Options{}); err == nil || !strings.Contains(err.Error(), "go.mod has no module line") {
		t.Errorf("generate: %v", err)
	}
	os.Remove("go.mod")
	if _, err := Generate(Options{}); err == nil || !strings.Contains(err.Error(), "go mod init") {
		t.Errorf("generate: %v", err)
	}
}
