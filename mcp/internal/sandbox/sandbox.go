// Package sandbox is a stand-in.
package sandbox

import (
	"context"
	"os/exec"
	"syscall"
)

type Profile struct {
	Dir     string
	Write   []string
	Read    []string
	Network bool
}

func Command(ctx context.Context, argv, env []string, p Profile) (*exec.Cmd, error) {
	return Unconfined(ctx, argv, env, p.Dir)
}
func Unconfined(ctx context.Context, argv, env []string, dir string) (*exec.Cmd, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env, cmd.Dir = env, dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd, nil
}
func Confines() bool { return true }
