package handlers

import (
	"context"
	"os"
	"path"
	"strings"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/handlers/shell"
	"github.com/teaagent/teaagent/mcp"
)

// InspectCommand runs a command of the allow-list, on files of the workspace.
func (h *Handlers) InspectCommand(ctx context.Context, a generated.InspectCommandArgs) (generated.InspectCommandResult, error) {
	in, err := shell.Inspect(a.Argv)
	if err != nil {
		return generated.InspectCommandResult{}, err
	}
	w := mcp.WorkspaceFrom(ctx)
	for _, name := range in.Paths {
		if err := mayInspect(w, a.Cwd, name); err != nil {
			return generated.InspectCommandResult{}, err
		}
	}
	home, _ := os.UserHomeDir() // none: nothing of it is in PATH
	program := shell.Find(in.Program, h.env.Getenv("PATH"), w.Dir(), home)
	if program == "" {
		return generated.InspectCommandResult{}, mcp.Errorf("COMMAND_NOT_FOUND", "this machine has no %s in the folders of PATH that belong to the system", in.Program)
	}
	f, err := mcp.Run(ctx, mcp.Command{Argv: append([]string{program}, a.Argv[1:]...), Dir: a.Cwd, Env: in.Env, Access: mcp.AccessRead})
	if err != nil {
		return generated.InspectCommandResult{}, err
	}
	return generated.InspectCommandResult{
		ExitCode: int64(f.Code), Signal: someText(f.Signal), Stdout: output(f.Stdout), Stderr: output(f.Stderr),
		TimedOut: f.TimedOut, Confined: f.Confined,
	}, nil
}

// mayInspect refuses what is not in the workspace, is denied, or would make a
// program wait.
func mayInspect(w *mcp.Workspace, cwd, name string) error {
	if !path.IsAbs(name) && name != "" { // else it is refused as it is
		name = cwd + "/" + name // not cleaned: a link's ".." is where it leads
	}
	info, err := w.Stat(name)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() && !info.IsDir() {
		return mcp.Errorf("NOT_A_FILE", "%.200q is neither a file nor a directory", name)
	}
	return nil
}

// output is what a command wrote, as text.
func output(o mcp.Output) generated.CommandOutput {
	return generated.CommandOutput{Text: strings.ToValidUTF8(o.Text, "\ufffd"), Bytes: o.Bytes, Cut: o.Cut}
}
