package sandbox

import "os/exec"

// A job object would end what the program has started; this server has none yet.
func group(*exec.Cmd)           {}
func killGroup(*exec.Cmd)       {}
func signalOf(*exec.Cmd) string { return "" }
