package gen

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/teaagent/teaagent/gen/spec"
)

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func messages(findings []spec.Finding) string {
	var lines []string
	for _, f := range findings {
		lines = append(lines, f.Error())
	}
	return strings.Join(lines, "\n")
}

// freshRepo is repo with package handlers as given, before generating.
func freshRepo(t *testing.T, handlers map[string]string) {
	t.Helper()
	repo(t)
	os.RemoveAll("handlers")
	for name, text := range handlers {
		writeFile(t, "handlers/"+name, text)
	}
}

// Stubs take after the package that is there: its name, who receives the
// methods, and how.
func TestStubsFitThePackage(t *testing.T) {
	for what, c := range map[string]struct {
		source, want string
	}{
		"nothing":            {"", "package handlers\n…func (h *Handlers) ReadFile("},
		"New's pointer":      {"package tools\nfunc New() (*App, error) { return nil, nil }\nfunc (Other) A() {}\nfunc (Other) B() {}\n", "package tools\n…func (h *App) ReadFile("},
		"New's literal":      {"package tools\nfunc New(env mcp.Env) (generated.Handlers, error) {\n\tif x {\n\t\treturn nil, err\n\t}\n\treturn &App{env: env}, nil\n}\n", "…func (h *App) ReadFile("},
		"most methods":       {"package handlers\nfunc (App) A() {}\nfunc (a App) B() {}\nfunc (*Other) C() {}\n", "…func (h App) ReadFile("},
		"a generic receiver": {"package handlers\nfunc (a *App[T]) A() {}\n", "…func (h *App) ReadFile("},
		"no methods":         {"package handlers\ntype Handlers struct{}\n", "…func (h *Handlers) ReadFile("},
	} {
		given := map[string]string{"app.go": c.source}
		if c.source == "" {
			given = nil
		}
		freshRepo(t, given)
		mustGenerate(t)
		stub := read(t, "handlers/read_file_tool.go")
		for part := range strings.SplitSeq(c.want, "…") {
			if !strings.Contains(stub, part) {
				t.Errorf("%s: want %q in\n%s", what, part, stub)
			}
		}
		if _, err := os.Stat("handlers/handlers.go"); (err == nil) != (c.source == "") {
			t.Errorf("%s: handlers.go: %v", what, err)
		}
	}
}

// A method counts wherever it is, also where the parser gives up.
func TestMethodsThatAreThere(t *testing.T) {
	const fine = "package handlers\nfunc (h *Handlers) RunCommand(ctx context.Context, a generated.RunCommandArgs) (mcp.Result, error) { return nil, nil }\n"
	for what, files := range map[string]map[string]string{
		"another file": {"all.go": fine},
		"broken after": {"all.go": fine + "func (\n<<<<<<< HEAD\n"},
		"broken before": {"all.go": strings.Replace(fine, "\n", `
func ((((((((((((((((( {
<<<<<<< HEAD
}}}}}}}}}}}}} x y z ) ( ) ( ) ( ) ( )
`, 1)},
		"no package": {"all.go": strings.Replace(fine, "package handlers\n", "", 1)},
	} {
		freshRepo(t, files)
		want := read(t, "handlers/all.go")
		mustGenerate(t)
		if _, err := os.Stat("handlers/run_command_tool.go"); err == nil {
			t.Errorf("%s: a second RunCommand was written", what)
		}
		if _, err := os.Stat("handlers/read_file_tool.go"); err != nil {
			t.Errorf("%s: ReadFile was not: %v", what, err)
		}
		if read(t, "handlers/all.go") != want {
			t.Errorf("%s: somebody's file was rewritten", what)
		}
	}

	freshRepo(t, map[string]string{"all_test.go": fine})
	mustGenerate(t)
	if _, err := os.Stat("handlers/run_command_tool.go"); err != nil {
		t.Error("a method in a test counted:", err)
	}
}

// Where the stub's file is there already, it is named with what to add.
func TestStubFileTaken(t *testing.T) {
	repo(t)
	writeFile(t, "handlers/read_file_tool.go", "package handlers\n")
	want := snapshot(t)
	for range 2 {
		r, err := Generate(Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := messages(r.Findings)
		if got != "handlers/read_file_tool.go:1:1: tool demo_readFile has no body here; add func (h *Handlers) "+
			"ReadFile(ctx context.Context, args generated.ReadFileArgs) (mcp.Result, error) [handler-missing]" || !r.Failed() {
			t.Errorf("findings: %s", got)
		}
	}
	same(t, snapshot(t), want)
}

// A tool that turns destructive needs a preview in the file that is there.
func TestPreviewMissing(t *testing.T) {
	repo(t)
	edit(t, "specs/shell.yaml", func(s string) string {
		return strings.Replace(s, "Run a command.\n", "Delete by a command. Requires confirm=true.\n    destructive: true\n", 1)
	})
	r, err := Generate(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := messages(r.Findings); !strings.Contains(got, "handlers/run_command_tool.go:1:1: ") ||
		!strings.Contains(got, "add func (h *Handlers) PreviewRunCommand(ctx context.Context, args generated.RunCommandArgs) (mcp.Preview, error) [") {
		t.Errorf("findings: %s", got)
	}
	if got := paths(r.Changes); !slices.Contains(got, "changed generated/shell_gen.go") {
		t.Errorf("changes: %q", got)
	}

	os.Remove("handlers/run_command_tool.go")
	writeFile(t, "handlers/mine.go", "package handlers\nfunc (h *Handlers) RunCommand() {}\n")
	mustGenerate(t)
	if stub := read(t, "handlers/run_command_tool.go"); !strings.Contains(stub, ") PreviewRunCommand(") || strings.Contains(stub, ") RunCommand(") {
		t.Errorf("stub:\n%s", stub)
	}
}

// Lint lists the stubs left, until they have a body.
func TestStubsLeft(t *testing.T) {
	repo(t)
	r, err := Lint(Options{})
	if err != nil || r.Failed() {
		t.Fatal(err, r.Findings)
	}
	got := messages(r.Findings)
	for _, want := range []string{
		"handlers/delete_file_tool.go:11:20: warning: DeleteFile of demo_deleteFile still answers NOT_IMPLEMENTED; write its body [handler-stub]",
		"handlers/delete_file_tool.go:16:20: warning: PreviewDeleteFile of demo_deleteFile still",
		"handlers/read_file_tool.go:11:20: warning: ReadFile of",
		"handlers/run_command_tool.go:11:20: warning: RunCommand of",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("findings lack %q:\n%s", want, got)
		}
	}
	edit(t, "handlers/read_file_tool.go", func(s string) string { return strings.Replace(s, "return nil", "_ = h\n\treturn nil", 1) })
	edit(t, "handlers/run_command_tool.go", func(s string) string { return strings.Replace(s, "NOT_IMPLEMENTED", "NOT_HERE", 1) })
	r, err = Lint(Options{})
	if err != nil || len(r.Findings) != 2 {
		t.Errorf("after two got a body: %v, %s", err, messages(r.Findings))
	}
}
