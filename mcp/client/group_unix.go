//go:build unix

package client

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the command the leader of a process group of its own, so that
// what it starts (npx starts node, which starts the server) ends with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills all that is left of the group. The leader has not been
// waited for, or was a moment ago: its id is no one else's while the group has
// members.
func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
