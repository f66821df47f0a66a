package handlers_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/teaagent/teaagent/mcp/mcptest"
)

// commandResult is what tools that run commands return.
type commandResult struct {
	ExitCode       int
	Signal, Note   string
	Stdout, Stderr struct {
		Text  string
		Bytes int64
		Cut   bool
	}
	TimedOut, Confined bool
}

// doctor returns what this machine enforces, by the words of doctor.
func doctor(t *testing.T) map[string]bool {
	t.Helper()
	cmd := server.Command(t, mcptest.Options{Dir: t.TempDir(), Home: t.TempDir()})
	cmd.Args = []string{cmd.Path, "mcp", "doctor", "--json"}
	out, err := cmd.Output() // an error, too, if something is not enforced
	var d struct {
		Sandbox []struct {
			Name     string
			Enforced bool
		}
	}
	if json.Unmarshal(out, &d) != nil {
		t.Fatalf("doctor says %q, %v", out, err)
	}
	enforces := map[string]bool{}
	for _, check := range d.Sandbox {
		enforces[check.Name] = check.Enforced
	}
	return enforces
}

// commandMode is a mode in which commands run without a question: on a machine
// that does not enforce all, allow asks.
func commandMode(t *testing.T) string {
	t.Helper()
	enforces := doctor(t)
	if len(enforces) == 0 {
		return "danger-full-access"
	}
	for _, yes := range enforces {
		if !yes {
			return "danger-full-access"
		}
	}
	return "allow"
}

// run runs a command, which is confirmed.
func (c *client) run(a args) (r commandResult) {
	c.t.Helper()
	a["confirm"] = true
	c.get("runCommand", a, &r)
	return r
}

// marked lists the processes whose command line has a word, and their state.
func marked(t *testing.T, word string) (found []string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*")
	if err != nil || len(all) == 0 {
		t.Skip("there is no /proc to find processes in")
	}
	for _, dir := range all {
		line, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		if pid, _ := strconv.Atoi(filepath.Base(dir)); err == nil && pid != os.Getpid() && strings.Contains(string(line), word) {
			found = append(found, filepath.Base(dir)+" "+strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}
