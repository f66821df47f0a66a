package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// runPlain runs a program without any of it, in a process group of its own where
// there are such.
func runPlain(ctx context.Context, p Program) (Status, error) {
	cmd := exec.CommandContext(ctx, p.Argv[0], p.Argv[1:]...)
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = p.Env, p.Dir, p.Stdout, p.Stderr
	cmd.WaitDelay = 2 * time.Second
	group(cmd)
	if err := cmd.Start(); err != nil {
		return Status{Code: -1}, fmt.Errorf("%w: %v", ErrNotStarted, err)
	}
	err := cmd.Wait()
	killGroup(cmd)
	if ctx.Err() != nil {
		return Status{Code: -1}, ctx.Err()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return Status{Code: -1}, err
	}
	return Status{Code: cmd.ProcessState.ExitCode(), Signal: signalOf(cmd)}, nil
}
