package mcptest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Transcripts plays every file that the pattern names, each against a server of
// its own. A file is a txtar archive: a comment that says what it is about, with
// the bugs it keeps fixed on top, then
//
//	-- args --        flags of `mcp serve`
//	-- env --         NAME=value, one a line
//	-- files/… --     what is in the workspace
//	-- session --     what is said
//
// of which only the session must be there. Its lines are
//
//	> …               the client sends this line
//	< …               the server sends exactly this line
//	= stderr …        standard error has this text (once more, if it had to before)
//	= eof             the client closes the server's input
//	= exit 0          no more lines come, and the server exits with this code
//	= times 9 …       the client sends this line 9 times, $N in it counting from 0
//	= other …         another server in the same workspace is sent this line, and
//	                  answers with what does not matter here
//	# …               a comment
//
// and the last of them is = exit. In the server's lines $WORKSPACE stands for
// the path of its workspace, $PID for a process, $TIME for a moment, $MS for some
// milliseconds, and $STATE for a requestState; in the client's lines for the last
// of those that came. With update, what the server really sends and
// its exit code are written into the file. To record a new session, write down
// the client's lines and = exit 0.
func Transcripts(t *testing.T, server *Program, pattern string, update bool) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("no transcripts are named by %s (error: %v)", pattern, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			o, session, err := unpack(archive, t.TempDir())
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			o.Home = t.TempDir()
			s := stage{process: server.Start(t, o), update: update, workspace: o.Dir}
			s.startOther = func() *Process { return server.Start(t, o) }
			if err := s.play(string(session.Data)); err != nil {
				t.Fatalf("%s:%v", name, err)
			}
			if session.Data = s.said.Bytes(); update {
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// unpack writes the workspace of a transcript and returns how its server is
// started, and the session.
func unpack(archive *txtar.Archive, workspace string) (o Options, session *txtar.File, err error) {
	o.Dir = workspace
	for i := range archive.Files {
		f := &archive.Files[i]
		path, isFile := strings.CutPrefix(f.Name, "files/")
		switch {
		case isFile:
			path = filepath.Join(workspace, filepath.FromSlash(path))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return o, nil, err
			}
			if err := os.WriteFile(path, f.Data, 0o644); err != nil {
				return o, nil, err
			}
		case f.Name == "args":
			o.Args = strings.Fields(string(f.Data))
		case f.Name == "env":
			o.Env = strings.Split(strings.TrimSpace(string(f.Data)), "\n")
		case f.Name == "session":
			session = f
		default:
			return o, nil, fmt.Errorf("there is no section %q in transcripts", f.Name)
		}
	}
	if session == nil {
		return o, nil, fmt.Errorf("there is no section %q", "session")
	}
	return o, session, nil
}

// stage is where a session is played.
type stage struct {
	process *Process
	update  bool

	workspace  string
	startOther func() *Process
	other      *Process // nil until it is needed
	state      string   // the last requestState

	said   bytes.Buffer // the session as it went
	closed bool
	exited bool
	stderr map[string]int // how often each text was waited for
}

// play goes through a session. Its errors begin with the line they are about.
func (s *stage) play(session string) error {
	s.process.t.Helper()
	s.stderr = map[string]int{}
	n := 0
	for line := range strings.Lines(session) {
		n++
		line = strings.TrimSuffix(line, "\n")
		if s.exited && line != "" {
			return fmt.Errorf("session line %d: the server has exited before", n)
		}
		if err := s.step(line); err != nil {
			return fmt.Errorf("session line %d: %w", n, err)
		}
	}
	if !s.exited {
		return fmt.Errorf("session line %d: its last line has to be: = exit 0", n+1)
	}
	return nil
}

func (s *stage) step(line string) error {
	s.process.t.Helper()
	verb, rest, _ := strings.Cut(line, " ")
	if verb == "=" {
		verb, rest, _ = strings.Cut(rest, " ")
	}
	switch verb {
	case "", "#":
	case ">":
		s.process.Send(strings.ReplaceAll(rest, "$STATE", s.state))
	case "times":
		count, message, _ := strings.Cut(rest, " ")
		n, err := strconv.Atoi(count)
		if err != nil {
			return fmt.Errorf("%q is no number", count)
		}
		for i := range n {
			s.process.Send(strings.ReplaceAll(message, "$N", strconv.Itoa(i)))
		}
	case "other":
		if s.other == nil {
			s.other = s.startOther()
		}
		s.other.Send(rest)
		s.other.Line()
	case "<":
		return s.line(rest)
	case "stderr":
		s.stderr[rest]++
		s.process.AwaitStderr(rest, s.stderr[rest])
	case "eof":
		s.close()
	case "exit":
		return s.exit(rest)
	default:
		return fmt.Errorf("%q is none of > < = #", line)
	}
	s.note(line)
	return nil
}

func (s *stage) note(line string) { s.said.WriteString(line + "\n") }

// line reads the server's next line.
func (s *stage) line(want string) error {
	s.process.t.Helper()
	if s.closed && s.update { // fewer may come than before
		if got, err := s.process.line(); err == nil {
			s.note("< " + s.general(got))
		}
		return nil
	}
	got := s.general(s.process.Line())
	if got != want && !s.update {
		return fmt.Errorf("the server's line differs; if it is meant so, run the test with -update\ngot  %s\nwant %s", got, want)
	}
	s.note("< " + got)
	return nil
}

// general puts a name in place of what is another thing in each run.
func (s *stage) general(line string) string {
	if s.workspace != "" {
		line = strings.ReplaceAll(line, s.workspace, "$WORKSPACE")
	}
	for _, v := range varying {
		if m := v.what.FindStringSubmatch(line); m != nil && v.name == "$STATE" {
			s.state = m[2]
		}
		line = v.what.ReplaceAllString(line, "${1}$"+v.name+"${3}")
	}
	return line
}

var varying = []struct {
	name string
	what *regexp.Regexp
}{
	{"$PID", regexp.MustCompile(`("owner_pid":|process )(\d+)()`)},
	{"$TIME", regexp.MustCompile(`("acquired_at":"|since )(\d{4}-\d\d-\d\dT[0-9:]+Z)()`)},
	{"$MS", regexp.MustCompile(`("retryAfterMs":)(\d+)()`)},
	{"$STATE", regexp.MustCompile(`("requestState":")([^"]+)(")`)},
}

func (s *stage) close() {
	s.process.CloseInput()
	s.closed = true
}

// exit reads the lines that the session does not have, and waits for the end.
func (s *stage) exit(code string) error {
	s.process.t.Helper()
	want, err := strconv.Atoi(code)
	if err != nil {
		return fmt.Errorf("%q is no exit code", code)
	}
	open := !s.closed
	s.close()
	more := s.process.Rest()
	got := s.process.Exit(Patience)
	if !s.update && len(more) > 0 {
		return fmt.Errorf("the server sent %d lines more; if it is meant so, run the test with -update\ngot  %s", len(more), strings.Join(more, "\ngot  "))
	}
	if !s.update && got != want {
		return fmt.Errorf("exit code %d, not %d", got, want)
	}
	if open && len(more) > 0 {
		s.note("= eof") // some of them may come only then
	}
	for _, line := range more {
		s.note("< " + s.general(line))
	}
	s.note("= exit " + strconv.Itoa(got))
	s.exited = true
	return nil
}
