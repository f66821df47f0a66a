package mcptest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
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
//	# …               a comment
//
// and the last of them is = exit. In the server's lines $WORKSPACE stands for
// the path of its workspace. With update, what the server really sends and
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
			s := stage{process: server.Start(t, o), update: update, workspace: o.Dir}
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

	workspace string
	said      bytes.Buffer // the session as it went
	closed    bool
	exited    bool
	stderr    map[string]int // how often each text was waited for
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
		s.process.Send(rest)
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

// general puts $WORKSPACE where a server's line names this run's folder.
func (s *stage) general(line string) string {
	if s.workspace == "" {
		return line
	}
	return strings.ReplaceAll(line, s.workspace, "$WORKSPACE")
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
