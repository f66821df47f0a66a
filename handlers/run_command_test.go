//go:build unix

package handlers_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/teaagent/teaagent/mcp/mcptest"
)

func TestRunCommand(t *testing.T) {
	c := open(t, map[string]string{"a.txt": "one\n", "dir/b.txt": "b"}, commandMode(t))
	// The words reach the program as they are.
	words := []string{"$HOME", "`id`", "$(id)", "a;b", "*", "a b", `"`, "'", "\\", ">x", "|", "&", "~", "é\n", ""}
	if r := c.run(args{"argv": append([]string{"printf", "<%s>"}, words...)}); r.Stdout.Text != "<"+strings.Join(words, "><")+">" {
		t.Errorf("the words came as %q", r.Stdout.Text)
	}
	if c.read("x") != "<none>" {
		t.Error("a shell made a file")
	}
	if r := c.run(args{"script": `printf '%s\n' "$0" "$#" *; echo no >&2; exit 7`, "cwd": "dir"}); r.ExitCode != 7 || !strings.HasSuffix(r.Stdout.Text, "0\nb.txt\n") || r.Stderr.Text != "no\n" {
		t.Errorf("the script: %+v", r)
	}
	if r := c.run(args{"argv": []string{"cat"}}); r.ExitCode != 0 || r.Stdout.Bytes != 0 || r.TimedOut {
		t.Errorf("cat waits for input: %+v", r)
	}
	if r := c.run(args{"script": "kill -KILL $$"}); r.ExitCode != -1 || r.Signal != "killed" {
		t.Errorf("a signal is told as %+v", r)
	}
	if r := c.run(args{"script": `touch made "$TMPDIR/t" && test "$HOME" = "$TMPDIR" && echo "$TERM"; set >&2`}); r.Stdout.Text != "dumb\n" || strings.Contains(r.Stderr.Text, "TEAAGENT_HOME") || c.read("made") != "" {
		t.Errorf("the environment: %+v", r)
	}
}

// What can't be run says what to do instead.
func TestRunCommandRefuses(t *testing.T) {
	c := open(t, map[string]string{"a.txt": "a"}, commandMode(t))
	c.refused("runCommand", args{"confirm": true}, "INVALID_ARGUMENT", "argv", "script", "go test")
	c.refused("runCommand", args{"argv": []string{"ls"}, "script": "ls", "confirm": true}, "INVALID_ARGUMENT", "not both", "/bin/sh")
	c.refused("runCommand", args{"argv": []string{"ls"}}, "CONFIRM_REQUIRED")
	c.refused("runCommand", args{"argv": []string{"no-such-program"}, "confirm": true}, "COMMAND_NOT_FOUND", "no-such-program", "PATH")
	c.refused("runCommand", args{"argv": []string{"ls -l"}, "confirm": true}, "COMMAND_NOT_FOUND", "ls -l")
	c.refused("runCommand", args{"argv": []string{"./a.txt"}, "confirm": true}, "COMMAND_NOT_FOUND")
	c.refused("runCommand", args{"argv": []string{"ls"}, "cwd": "none", "confirm": true}, "NOT_FOUND", "none")
	c.refused("runCommand", args{"argv": []string{"ls"}, "cwd": "..", "confirm": true}, "OUTSIDE_WORKSPACE")
	c.refused("runCommand", args{"argv": []string{"ls", "a\x00b"}, "confirm": true}, "INVALID_ARGUMENT", "zero byte")
	c.refused("runCommand", args{"argv": []string{"ls"}, "cwd": "none", "confirm": true, "dry_run": true}, "NOT_FOUND")
	c.refused("runCommand", args{"confirm": true, "dry_run": true}, "INVALID_ARGUMENT")
	if text := c.text("runCommand", args{"script": "rm a.txt", "dry_run": true}); !strings.Contains(text, `[\"/bin/sh\",\"-c\",\"rm a.txt\"]`) && !strings.Contains(text, `["/bin/sh","-c","rm a.txt"]`) || c.read("a.txt") != "a" {
		t.Errorf("the preview is %s", text)
	}
	d := serve(t, c.root, "prompt") // nobody to ask
	d.refused("runCommand", args{"argv": []string{"touch", "x"}, "confirm": true}, "APPROVAL_DENIED")
	if c.read("x") != "<none>" {
		t.Error("it ran unasked")
	}
}

// Of long output the head and the tail are kept.
func TestRunCommandOutput(t *testing.T) {
	c := open(t, nil, commandMode(t))
	r := c.run(args{"script": "echo first; yes | head -c 100000000; echo last; echo err >&2"})
	out := r.Stdout
	if r.ExitCode != 0 || !out.Cut || out.Bytes != 100_000_011 || len(out.Text) > 70_000 || !strings.HasPrefix(out.Text, "first\ny\n") || !strings.HasSuffix(out.Text, "y\nlast\n") || !strings.Contains(out.Text, "bytes left out") {
		t.Errorf("%d bytes, cut: %v; %d are kept: %.20q", out.Bytes, out.Cut, len(out.Text), out.Text)
	}
	if r.Stderr.Text != "err\n" || r.Stderr.Cut {
		t.Errorf("stderr: %+v", r.Stderr)
	}
	if r := c.run(args{"script": `printf 'a\377\303'`}); r.Stdout.Text != "a\ufffd" && r.Stdout.Text != "a\ufffd\ufffd" || r.Stdout.Bytes != 3 {
		t.Errorf("bytes that are no text: %+v", r.Stdout)
	}
}

// The client sees lines while the command runs.
func TestRunCommandProgress(t *testing.T) {
	root, mode := t.TempDir(), commandMode(t)
	lines := make(chan string, 100)
	c := serveTo(t, root, &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
		lines <- r.Params.Message
	}}, "--permission-mode", mode)
	p := &mcp.CallToolParams{Name: "teaagent_runCommand", Arguments: args{"script": "echo working; until test -e go; do sleep 0.05; done; echo done", "confirm": true}}
	p.SetProgressToken("t")
	ended := make(chan string, 1)
	go func() {
		r, err := c.s.CallTool(context.Background(), p)
		if err != nil {
			ended <- err.Error()
			return
		}
		ended <- textOf(r)
	}()
	select {
	case line := <-lines:
		if line != "working" {
			t.Errorf("the first line is %q", line)
		}
	case text := <-ended:
		t.Fatalf("it ended before a line was seen: %s", text)
	case <-time.After(mcptest.Patience):
		t.Fatal("no line is seen")
	}
	write(t, c.path("go"), "")
	if text := <-ended; !strings.Contains(text, "done") {
		t.Errorf("it answers %s", text)
	}
}
