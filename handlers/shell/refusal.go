package shell

import (
	"slices"
	"strings"
)

// refusals are the kernel's errors that come of the sandbox as a rule, in the
// words that programs print, and what is behind them.
var refusals = []struct {
	says []string
	by   string
}{
	{[]string{"Read-only file system", "EROFS"}, "a write outside of the workspace was refused: all but the workspace and $TMPDIR is mounted read-only"},
	{[]string{"Permission denied", "permission denied", "EACCES"}, "an access was refused: the rules for files (Landlock) open what programs need, the workspace and $TMPDIR, and no more"},
	{[]string{"Network is unreachable", "network is unreachable", "ENETUNREACH", "Name or service not known", "Temporary failure in name resolution", "Could not resolve host", "no such host"}, "the network was not reached: the command has a network of its own, with nobody in it"},
	{[]string{"Operation not permitted", "operation not permitted", "EPERM"}, "an operation was refused: the command has no privileges, and reaches no process but its own"},
	{[]string{"No such process", "ESRCH"}, "a process was not found: the command sees its own processes only"},
}

// Refusals says what of the sandbox may be behind what a command printed before
// it failed, "" if nothing of it looks like that.
func Refusals(stdout, stderr string) string {
	var by []string
	for _, r := range refusals {
		if slices.ContainsFunc(r.says, func(s string) bool { return strings.Contains(stderr, s) || strings.Contains(stdout, s) }) {
			by = append(by, r.by)
		}
	}
	if by == nil {
		return ""
	}
	return "It ran in the sandbox, and by its output " + strings.Join(by, "; ") + "."
}
