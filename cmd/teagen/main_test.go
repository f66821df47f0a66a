package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const serverSpec = "server: demo\nprefix: demo\nversion: \"1\"\nlint: {severity: {example-missing: off, auth-stated: off, desc-stem: off}, because: These tools are short.}\ncategories:\n  files: {}\n"

const filesSpec = `category: files
tools:
  - name: demo_readFile
    description: Read a file.
    readOnly: true
    args:
      path: {type: string, role: path, required: true, description: Where it is.}
`

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// repo makes a repo with specs the current folder.
func repo(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, "go.mod", "module example.com/demo\n")
	write(t, "specs/server.yaml", serverSpec)
	write(t, "specs/files.yaml", filesSpec)
}

// teagen runs the command and returns its exit code and what it printed.
func teagen(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(append([]string{"teagen"}, args...), &out, &errs)
	return code, out.String(), errs.String()
}

func expect(t *testing.T, wantCode int, wantOut, wantErr string, args ...string) {
	t.Helper()
	code, out, errs := teagen(args...)
	if code != wantCode || out != wantOut || errs != wantErr {
		t.Errorf("teagen %s\nexit %d, want %d\nstdout %s\nwant   %s\nstderr %s\nwant   %s",
			strings.Join(args, " "), code, wantCode, out, wantOut, errs, wantErr)
	}
}

func TestGenerateAndVerify(t *testing.T) {
	repo(t)
	expect(t, 1, `missing   generated/files_gen.go
missing   generated/schemas/files.json
missing   generated/server_gen.go
missing   handlers/handlers.go
missing   handlers/read_file_tool.go
missing   mcp-tools.json
verify: 0 changed, 6 missing, 0 orphaned; cure it with: go generate ./...
`, "", "verify")
	expect(t, 0, `wrote    generated/files_gen.go
wrote    generated/schemas/files.json
wrote    generated/server_gen.go
stub     handlers/handlers.go
stub     handlers/read_file_tool.go
wrote    mcp-tools.json
generated: 1 category, 1 tool, 6 files written
`, "", "generate")
	expect(t, 0, "generated: 1 category, 1 tool, nothing changed\n", "", "generate")
	expect(t, 0, "verify: 1 category, 1 tool, nothing differs\n", "", "verify")

	write(t, "generated/schemas/old.json", "{\n}\n")
	write(t, "specs/files.yaml", strings.Replace(filesSpec, "Where it is", "Where it was", 1))
	code, out, _ := teagen("verify")
	for _, want := range []string{
		"changed   generated/files_gen.go\n--- generated/files_gen.go\n",
		"\n-\tPath string // Where it is.\n+\tPath string // Where it was.\n",
		"orphaned  generated/schemas/old.json\n",
		"\nverify: 3 changed, 0 missing, 1 orphaned; cure it with: go generate ./...\n",
	} {
		if code != 1 || !strings.Contains(out, want) {
			t.Errorf("verify: exit %d, want %q in\n%s", code, want, out)
		}
	}
	expect(t, 0, `wrote    generated/files_gen.go
wrote    generated/schemas/files.json
removed  generated/schemas/old.json
wrote    mcp-tools.json
generated: 1 category, 1 tool, 3 files written, 1 removed
`, "", "generate")
}

func TestFindings(t *testing.T) {
	repo(t)
	write(t, "specs/files.yaml", strings.Replace(filesSpec, "Read a file", "Reads a file", 1))
	const finding = `specs/files.yaml:4:18: description starts with "Reads"; write "Read" [desc-imperative]
  4 |     description: Reads a file.
    |                  ^~~~~
`
	expect(t, 1, "", finding+"1 error; nothing was written\n", "generate")
	expect(t, 1, "", finding+"1 error\n", "verify")
	expect(t, 1, "", finding+"1 error\n", "lint")
	if _, err := os.Stat("generated"); err == nil {
		t.Error("generated was written")
	}
}

func TestLint(t *testing.T) {
	repo(t)
	expect(t, 0, "lint: 1 category, 1 tool, no findings\n", "", "lint")
	teagen("generate")
	expect(t, 0, "", "handlers/read_file_tool.go:11:20: warning: ReadFile of demo_readFile still answers NOT_IMPLEMENTED; write its body [handler-stub]\n1 warning\n", "lint")
}

// Places in findings can be opened from where the command is run.
func TestFromElsewhere(t *testing.T) {
	repo(t)
	write(t, "specs/files.yaml", strings.Replace(filesSpec, "Read a file", "Reads a file", 1))
	write(t, "handlers/deep/x.txt", "")
	repo, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("handlers/deep")
	if _, _, errs := teagen("lint"); !strings.HasPrefix(errs, "../../specs/files.yaml:4:18: ") {
		t.Errorf("from below: %s", errs)
	}
	t.Chdir(t.TempDir())
	if _, _, errs := teagen("lint", "--dir", repo); !strings.HasPrefix(errs, repo+"/specs/files.yaml:4:18: ") {
		t.Errorf("by --dir: %s", errs)
	}
	code, _, errs := teagen("lint")
	if code != 2 || !strings.Contains(errs, "go to the repo, or say --dir") {
		t.Errorf("outside: exit %d, %s", code, errs)
	}
}

func TestTrouble(t *testing.T) {
	repo(t)
	write(t, "generated/files_gen.go", "package generated\n")
	for _, command := range []string{"generate", "verify"} {
		expect(t, 2, "", "teagen: generated/files_gen.go was not written by teagen, which would have to overwrite it: move it away, then generate again\n", command)
	}
	for _, args := range [][]string{
		{"generat"}, {"generate", "now"}, {"generate", "--force"}, {"--force"}, {"lint", "--specs"}, {"lint", "--specs", "missing"}, {"lint", "--dir", "missing"},
	} {
		if code, out, errs := teagen(args...); code != 2 || out != "" || !strings.HasPrefix(errs, "teagen: ") || strings.Count(errs, "\n") != 1 {
			t.Errorf("teagen %s: exit %d\nstdout %s\nstderr %s", strings.Join(args, " "), code, out, errs)
		}
	}
}

// Every help text says what the command does, and shows it once.
func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {}, {"generate", "--help"}, {"verify", "-h"}, {"lint", "--help"}} {
		code, out, errs := teagen(args...)
		if code != 0 || errs != "" || !strings.Contains(out, "USAGE") {
			t.Errorf("teagen %s: exit %d\n%s%s", strings.Join(args, " "), code, out, errs)
		}
		if len(args) == 2 && !strings.Contains(out, "$ teagen "+args[0]) {
			t.Errorf("teagen %s shows no example:\n%s", strings.Join(args, " "), out)
		}
	}
}
