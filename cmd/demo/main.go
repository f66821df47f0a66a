// Command demo drives a built teaagent through a whole session with the
// official Go client, on a folder of real files, and prints what went over.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("demo: ")
	if len(os.Args) != 2 {
		log.Fatal("usage: demo SERVER")
	}
	if err := run(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// files is the workspace of the demo.
var files = map[string]string{
	"README.md":         "# Tea\n\nHow we make tea.\n",
	"recipes/green.txt": "Water at 80 degrees.\nTwo minutes.\nNo milk.\n",
	"recipes/old.txt":   "Boil everything.\n",
}

// step is a call and what its answer has to contain.
type step struct {
	says string
	tool string
	args map[string]any
	want string
	fail bool // the answer is an error, as it should be
}

var steps = []step{
	{says: "List a directory", tool: "teaagent_listDirectory", args: map[string]any{"path": "recipes"}, want: `"name":"old.txt"`},
	{says: "Read a file, from its second line on", tool: "teaagent_readFile", args: map[string]any{"path": "recipes/green.txt", "offset": 2}, want: "Two minutes."},
	{says: "Delete a file without saying so twice: refused", tool: "teaagent_deletePath", args: map[string]any{"path": "recipes/old.txt"}, want: "CONFIRM_REQUIRED", fail: true},
	{says: "See what it would do", tool: "teaagent_deletePath", args: map[string]any{"path": "recipes/old.txt", "dry_run": true}, want: "Would move"},
	{says: "Do it", tool: "teaagent_deletePath", args: map[string]any{"path": "recipes/old.txt", "confirm": true}, want: `"deleted":"recipes/old.txt"`},
	{says: "A bad argument: refused, with its place", tool: "teaagent_readFile", args: map[string]any{"path": "README.md", "limit": 0, "lines": 3}, want: "/limit", fail: true},
	{says: "A way out of the workspace: refused", tool: "teaagent_readFile", args: map[string]any{"path": "../../etc/passwd"}, want: "OUTSIDE_WORKSPACE", fail: true},
}

func run(server string) error {
	root, err := os.MkdirTemp("", "teaagent-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	state, err := os.MkdirTemp("", "teaagent-demo-state-") // not the user's own
	if err != nil {
		return err
	}
	defer os.RemoveAll(state)
	os.Setenv("TEAAGENT_HOME", state)
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	fmt.Println("A workspace with README.md, recipes/green.txt and recipes/old.txt.")
	// In mode prompt, the default, a deletion is refused whatever the call says.
	guarded := []step{{says: "In mode prompt nobody has approved a deletion: refused", tool: "teaagent_deletePath",
		args: map[string]any{"path": "recipes/old.txt", "confirm": true}, want: "APPROVAL_DENIED", fail: true}}
	if err := session(server, root, "prompt", guarded); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(root, "recipes/old.txt")); err != nil {
		return fmt.Errorf("mode prompt let a file go: %w", err)
	}
	if err := session(server, root, "allow", steps); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(root, "recipes/old.txt")); !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("recipes/old.txt was to be deleted, and is not")
	}
	fmt.Println("\nrecipes/old.txt is gone, the rest is as it was. The demo has passed.")
	return nil
}

// session starts the server in a mode and takes the steps.
func session(server, root, mode string, steps []step) error {
	ctx := context.Background()
	args := []string{"mcp", "serve", "--root", root, "--permission-mode", mode}
	cmd := exec.Command(server, args...)
	cmd.Stderr = os.Stderr
	fmt.Printf("\n$ teaagent mcp serve --root DIR --permission-mode %s\n", mode)
	client := mcp.NewClient(&mcp.Implementation{Name: "demo", Version: "1"}, nil)
	s, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return err
	}
	info := s.InitializeResult()
	fmt.Printf("  connected to %s %s, protocol %s\n", info.ServerInfo.Name, info.ServerInfo.Version, info.ProtocolVersion)
	tools, err := s.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	for _, tool := range tools.Tools {
		hint := "changes"
		if tool.Annotations.ReadOnlyHint {
			hint = "reads"
		} else if *tool.Annotations.DestructiveHint {
			hint = "destroys"
		}
		fmt.Printf("  %-24s %-9s %s\n", tool.Name, hint, firstLine(tool.Description))
	}
	for _, step := range steps {
		if err := take(ctx, s, step); err != nil {
			return fmt.Errorf("%s: %w", step.says, err)
		}
	}
	return s.Close()
}

func take(ctx context.Context, s *mcp.ClientSession, step step) error {
	args, err := json.Marshal(step.args)
	if err != nil {
		return err
	}
	fmt.Printf("\n%s\n  > %s %s\n", step.says, step.tool, args)
	result, err := s.CallTool(ctx, &mcp.CallToolParams{Name: step.tool, Arguments: step.args})
	if err != nil {
		return err
	}
	var text []string
	for _, content := range result.Content {
		if t, ok := content.(*mcp.TextContent); ok {
			text = append(text, t.Text)
		}
	}
	answer := strings.Join(text, "\n")
	mark := "<"
	if result.IsError {
		mark = "!"
	}
	for line := range strings.Lines(answer) {
		fmt.Printf("  %s %s\n", mark, strings.TrimRight(line, "\n"))
	}
	if result.IsError != step.fail || !strings.Contains(answer, step.want) {
		return fmt.Errorf("the answer should contain %q, error %t", step.want, step.fail)
	}
	return nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
