package mcpcmd

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/teaagent/teaagent/mcp/internal/lock"
	"github.com/teaagent/teaagent/mcp/internal/store"
)

// locks runs "locks", and returns what it prints.
func locks(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	app := &cli.App{Name: "mcp", Writer: &out, ErrWriter: &out, Commands: []*cli.Command{locksCommand("teaagent")}}
	err := app.RunContext(t.Context(), append([]string{"mcp", "locks"}, args...))
	return out.String(), err
}

func TestLocks(t *testing.T) {
	t.Setenv("TEAAGENT_HOME", filepath.Join(t.TempDir(), "home"))
	if out, err := locks(t); err != nil || out != "No workspace is locked.\n" {
		t.Errorf("without locks: %q, %v", out, err)
	}
	if out, err := locks(t, "--json"); err != nil || strings.TrimSpace(out) != "[]" {
		t.Errorf("without locks, --json: %q, %v", out, err)
	}
	home, err := store.Open(os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	mine, err := lock.Acquire(t.Context(), home, "/srv/project", "teaagent")
	if err != nil {
		t.Fatal(err)
	}
	defer mine.Release()
	// Another's record, whose owner did not remove it; its path draws on the terminal.
	data, err := os.ReadFile(home.Path(lock.File))
	if err != nil {
		t.Fatal(err)
	}
	dead := `"locks": [{"workspace_path":"/gone\u001b[2J","owner_pid":4711,"acquired_at":"2026-12-01T09:30:00Z","server":"other"},`
	if err := os.WriteFile(home.Path(lock.File), bytes.Replace(data, []byte(`"locks": [`), []byte(dead), 1), 0o600); err != nil {
		t.Fatal(err)
	}

	out, err := locks(t)
	if err != nil || strings.Contains(out, "\x1b") {
		t.Errorf("%q, %v", out, err)
	}
	for _, line := range []string{
		`(?m)^WORKSPACE +PROCESS +SINCE +SERVER +STATE$`,
		`(?m)^/srv/project +\d+ +\S+Z +teaagent +held$`,
		`(?m)^\S*/gone.* +4711 +2026-12-01T09:30:00Z +other +stale$`,
	} {
		if !regexp.MustCompile(line).MatchString(out) {
			t.Errorf("no line is like %s:\n%s", line, out)
		}
	}

	out, err = locks(t, "--json")
	var rows []map[string]any
	if err != nil || json.Unmarshal([]byte(out), &rows) != nil || len(rows) != 2 {
		t.Fatalf("%s, %v", out, err)
	}
	if r := rows[0]; r["state"] != "stale" || r["owner_pid"] != 4711.0 || r["workspace_path"] != "/gone\x1b[2J" {
		t.Errorf("the dead one is %v", r)
	}
	if r := rows[1]; r["state"] != "held" || r["owner_pid"] != float64(os.Getpid()) || r["server"] != "teaagent" {
		t.Errorf("the living one is %v", r)
	} else if _, err := time.Parse(time.RFC3339, r["acquired_at"].(string)); err != nil {
		t.Error(err)
	}
}

// What can't be read is never shown as "no locks".
func TestLocksTrouble(t *testing.T) {
	t.Setenv("TEAAGENT_HOME", t.TempDir())
	if out, err := locks(t, "all"); err == nil || !strings.Contains(err.Error(), `"all"`) {
		t.Errorf("an argument: %q, %v", out, err)
	}
	home, err := store.Open(os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	for _, content := range []string{"", "{}", `{"locks":[`} {
		if err := os.WriteFile(home.Path(lock.File), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := locks(t)
		if err == nil || out != "" || !strings.Contains(err.Error(), home.Path(lock.File)) || !strings.Contains(err.Error(), "move it away") {
			t.Errorf("%q: %q, %v", content, out, err)
		}
	}
}
