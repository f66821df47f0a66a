package git

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/teaagent/teaagent/mcp"
)

// Setting is an entry of git's configuration.
type Setting struct {
	Scope string // local, worktree, command, …
	Key   string // section and name in lower case, what is between as it is written
	Value string
}

// marker is a setting that comes back if git reads settings from its environment.
const marker = "teaagent.marker"

// settings override what a repository's configuration says. Where git takes an
// empty value for none it is empty.
var settings = [][2]string{
	{marker, "1"},

	// programs
	{"core.hookspath", "/dev/null"},
	{"core.fsmonitor", "false"},
	{"core.sshcommand", "false"},
	{"core.askpass", ""},
	{"core.editor", ":"},
	{"sequence.editor", ":"},
	{"core.pager", "cat"},
	{"core.alternaterefscommand", ":"},
	{"core.gitproxy", ""},
	{"credential.helper", ""},
	{"gpg.program", "false"},
	{"gpg.openpgp.program", "false"},
	{"gpg.x509.program", "false"},
	{"gpg.ssh.program", "false"},
	{"gpg.ssh.defaultkeycommand", ""},
	{"log.showsignature", "false"},
	{"commit.gpgsign", "false"},
	{"tag.gpgsign", "false"},
	{"push.gpgsign", "false"},
	{"merge.verifysignatures", "false"},
	{"gc.auto", "0"},
	{"maintenance.auto", "false"},

	// files elsewhere
	{"core.attributesfile", "/dev/null"},
	{"core.excludesfile", "/dev/null"},
	{"mailmap.file", ""},
	{"mailmap.blob", ""},
	{"log.mailmap", "false"},
	{"blame.ignorerevsfile", ""},
	{"commit.template", ""},

	// other repositories
	{"submodule.recurse", "false"},
	{"status.submodulesummary", "false"},
	{"diff.submodule", "short"},
	{"push.recursesubmodules", "no"},
	{"fetch.recursesubmodules", "no"},

	// what git writes
	{"core.bare", "false"},
	{"core.quotepath", "false"},
	{"color.ui", "false"},
	{"i18n.commitencoding", "UTF-8"},
	{"i18n.logoutputencoding", "UTF-8"},
	{"blame.blankboundary", "false"},
	{"blame.showroot", "true"},
	{"log.showroot", "true"},
	{"log.follow", "false"},
	{"diff.ignoresubmodules", "dirty"},
}

// environment is what git gets beside settings. The paths of the repository are
// given, so that git looks for none, nor asks who owns what it finds.
func environment(root string) []string {
	env := []string{
		"GIT_DIR=" + filepath.Join(root, ".git"),
		"GIT_WORK_TREE=" + root,
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_ATTR_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_ASKPASS=",
		"SSH_ASKPASS=",
		"GIT_PAGER=cat",
		"GIT_EDITOR=:",
		"GIT_SEQUENCE_EDITOR=:",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_ALLOW_PROTOCOL=none", // one that does not exist: nothing is fetched when an object lacks
		"GIT_NO_LAZY_FETCH=1",
		"GIT_SSH_COMMAND=false",
		"LC_ALL=C.UTF-8", // its messages in English
		"LANGUAGE=en",
	}
	return append(env, encode(settings)...)
}

// encode returns settings as git reads them from its environment, where a key
// may have any character.
func encode(settings [][2]string) []string {
	env := []string{fmt.Sprintf("GIT_CONFIG_COUNT=%d", len(settings))}
	for i, s := range settings {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, s[0]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, s[1]))
	}
	return env
}

// parseSettings reads `git config --list --show-scope -z`.
func parseSettings(text string) ([]Setting, error) {
	var list []Setting
	fields := strings.Split(text, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		key, value, _ := strings.Cut(fields[i+1], "\n")
		list = append(list, Setting{fields[i], key, value})
	}
	if len(fields)%2 != 1 {
		return nil, mcp.Errorf("GIT_FAILED", "git lists the configuration in a form that is not understood")
	}
	return list, nil
}

func has(list []Setting, key string) bool {
	for _, s := range list {
		if s.Key == key {
			return true
		}
	}
	return false
}

// override returns the settings against what the repository's configuration
// names, beside those that are known: filters, and drivers that merge.
func override(list []Setting) []string {
	all := settings[:len(settings):len(settings)]
	done := map[string]bool{}
	for _, s := range list {
		section, name, variable := s.split()
		key := section + "." + name
		if s.Scope == "command" || name == "" || done[key] {
			continue
		}
		switch {
		case section == "filter":
			all = append(all, [2]string{key + ".clean", ""}, [2]string{key + ".smudge", ""}, [2]string{key + ".process", ""}, [2]string{key + ".required", "false"})
		case section == "merge" && variable == "driver": // git's own, by name
			all = append(all, [2]string{key + ".driver", "git merge-file -q --marker-size=%L %A %O %B"})
		default:
			continue
		}
		done[key] = true
	}
	return encode(all)
}

// split returns the parts of a setting's key.
func (s Setting) split() (section, name, variable string) {
	first, last := strings.IndexByte(s.Key, '.'), strings.LastIndexByte(s.Key, '.')
	if first < 0 {
		return s.Key, "", ""
	}
	section, variable = s.Key[:first], s.Key[last+1:]
	if first < last {
		name = s.Key[first+1 : last]
	}
	return section, name, variable
}
