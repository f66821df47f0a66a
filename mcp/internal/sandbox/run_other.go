//go:build !linux

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// Only Linux has what confines programs here. Elsewhere they run as the user who
// started the server, and the permission modes know.

func enter() {
	fmt.Fprintln(os.Stderr, "there is no sandbox on "+runtime.GOOS)
	os.Exit(2)
}

func confines() bool { return false }

func hides(string) bool { return false }

func probe(context.Context) []Check {
	return []Check{{Name: "confine programs", By: "there is no sandbox on " + runtime.GOOS + ": commands run as the user who started the server"}}
}

func run(ctx context.Context, p Program) (Status, error) {
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
