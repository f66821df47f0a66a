package handlers

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/handlers/shell"
	"github.com/teaagent/teaagent/mcp"
)

// RunCommand runs a program or a script, and waits for it.
func (h *Handlers) RunCommand(ctx context.Context, a generated.RunCommandArgs) (generated.RunCommandResult, error) {
	argv, err := commandOf(a)
	if err != nil {
		return generated.RunCommandResult{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(a.TimeoutSeconds)*time.Second)
	defer cancel()
	f, err := mcp.Run(ctx, mcp.Command{Argv: argv, Dir: a.Cwd, Access: mcp.AccessWrite, Live: true})
	if err != nil {
		return generated.RunCommandResult{}, err
	}
	return generated.RunCommandResult{
		ExitCode: int64(f.Code), Signal: someText(f.Signal), Stdout: output(f.Stdout), Stderr: output(f.Stderr),
		TimedOut: f.TimedOut, Confined: f.Confined, Note: someText(noteOf(f, mcp.WorkspaceFrom(ctx).Dir(), a.TimeoutSeconds)),
	}, nil
}

// PreviewRunCommand says what RunCommand would run.
func (h *Handlers) PreviewRunCommand(ctx context.Context, a generated.RunCommandArgs) (mcp.Preview, error) {
	argv, err := commandOf(a)
	if err != nil {
		return mcp.Preview{}, err
	}
	if info, err := mcp.WorkspaceFrom(ctx).Stat(a.Cwd); err != nil {
		return mcp.Preview{}, err
	} else if !info.IsDir() {
		return mcp.Preview{}, mcp.Errorf("NOT_A_DIRECTORY", "%.200q is not a directory", a.Cwd)
	}
	words, err := json.Marshal(argv)
	if err != nil {
		return mcp.Preview{}, err
	}
	return mcp.Preview{Text: fmt.Sprintf("Would run %s in %q for at most %d seconds.", words, a.Cwd, a.TimeoutSeconds)}, nil
}

// commandOf returns the words of the command that a call wants.
func commandOf(a generated.RunCommandArgs) ([]string, error) {
	argv, byWords := a.Argv.Get()
	script, byScript := a.Script.Get()
	switch {
	case byWords && byScript:
		return nil, mcp.Errorf("INVALID_ARGUMENT", "give argv or script, not both: argv runs a program as it is, script is run by /bin/sh")
	case byScript:
		return []string{"/bin/sh", "-c", script}, nil
	case byWords:
		return argv, nil
	}
	return nil, mcp.Errorf("INVALID_ARGUMENT", `give argv, as ["go","test","./..."], or script, as "go test ./... | tail -20"`)
}

// noteOf says what is behind a command's failure where that can be told.
func noteOf(f mcp.Finished, workspace string, seconds int64) string {
	switch {
	case f.TimedOut:
		return fmt.Sprintf("It was killed with all that it had started when its %d seconds were over; timeoutSeconds gives it more, up to 600.", seconds)
	case f.Confined && f.Code != 0:
		return shell.Refusals(workspace, f.Stdout.Text, f.Stderr.Text)
	}
	return ""
}
