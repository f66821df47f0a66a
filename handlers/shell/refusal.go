package shell

import (
	"regexp"
	"slices"
	"strings"
)

// refusals are the kernel's errors that come of the sandbox as a rule, in the
// words that programs print on a line, and what is behind them. The first that
// matches a line counts.
var refusals = []struct {
	says *regexp.Regexp
	by   string
}{
	{regexp.MustCompile(`(?i)network is unreachable|ENETUNREACH|name or service not known|name resolution|could not resolve|no such host|getaddrinfo|(connect|dial|bind|socket|/dev/(tcp|udp)/).*(permission denied|not permitted|EACCES|EPERM)`),
		"the network was refused: the command has one of its own, with nobody in it, and the kernel's rules (Landlock) let it open no connection"},
	{regexp.MustCompile(`(?i)read-only file system|EROFS`),
		"a write outside of the workspace was refused: all but the workspace and $TMPDIR is mounted read-only"},
	{regexp.MustCompile(`(?i)operation not permitted|EPERM|superuser|mount.*permission denied`),
		"an operation was refused: the command has no privileges, not even as root"},
	{regexp.MustCompile(`(?i)permission denied|EACCES`),
		"an access was refused: the kernel's rules (Landlock) open what programs need, the workspace and $TMPDIR, and no more"},
	{regexp.MustCompile(`(?i)no such process|ESRCH`),
		"a process was not found: the command sees its own only"},
}

var (
	notFound = regexp.MustCompile(`(?i)no such file or directory|nonexistent|ENOENT`)
	absolute = regexp.MustCompile(`(^|[\s'"(:=])(/[^\s'":)]*)`)
)

const hidden = "a path outside of the workspace was not found: the sandbox hides the home folder, temporary folders, other workspaces and other processes"

// Refusals says what of the sandbox may be behind what a command in a workspace
// printed before it failed, "" if nothing of it looks like that.
func Refusals(workspace, stdout, stderr string) string {
	var by []string
	for line := range strings.Lines(stderr + "\n" + stdout) {
		if len(line) > 2000 {
			line = line[:2000]
		}
		if why := refusal(workspace, line); why != "" && !slices.Contains(by, why) {
			by = append(by, why)
		}
	}
	if by == nil {
		return ""
	}
	return "It ran in the sandbox. By its output " + strings.Join(by, "; ") + "."
}

func refusal(workspace, line string) string {
	for _, r := range refusals {
		if r.says.MatchString(line) {
			return r.by
		}
	}
	if !notFound.MatchString(line) {
		return ""
	}
	for _, found := range absolute.FindAllStringSubmatch(line, -1) {
		name := found[2]
		if name != "/bin/sh" && name != workspace && !strings.HasPrefix(name, workspace+"/") {
			return hidden
		}
	}
	return ""
}
