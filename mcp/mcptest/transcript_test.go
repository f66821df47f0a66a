package mcptest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// The test binary is also the server: it answers every line by its upper case,
// says bye at the end, and exits with a code.
func TestMain(m *testing.M) {
	if os.Getenv("MCPTEST_SERVER") == "" {
		os.Exit(m.Run())
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		for word := range strings.FieldsSeq(lines.Text()) {
			fmt.Println(strings.ToUpper(word))
		}
		fmt.Fprintln(os.Stderr, "a line came")
	}
	fmt.Println("BYE")
	os.Exit(3)
}

func start(t *testing.T) *Process {
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{"MCPTEST_SERVER=1"}
	return Start(t, cmd, Options{})
}

const wholeSession = `# a comment

> hello there
< HELLO
< THERE
= stderr a line came
> x
= stderr a line came
< X
= eof
< BYE
= exit 3
`

func TestPlay(t *testing.T) {
	for _, c := range []struct {
		name, session, want string
	}{
		{"as it goes", wholeSession, ""},
		{"other line", "> a\n< B\n= exit 3\n", "session line 2: the server's line differs; if it is meant so, run the test with -update\ngot  A\nwant B"},
		{"too many lines", "> a b\n< A\n= exit 3\n", "session line 3: the server sent 2 lines more; if it is meant so, run the test with -update\ngot  B\ngot  BYE"},
		{"other code", "= eof\n< BYE\n= exit 0\n", "session line 3: exit code 3, not 0"},
		{"no end", "> a\n< A\n", "session line 3: its last line has to be: = exit 0"},
		{"after the end", "= eof\n< BYE\n= exit 3\n> a\n", "session line 4: the server has exited before"},
		{"no verb", "hello\n= exit 3\n", `session line 1: "hello" is none of > < = #`},
		{"many times", "= times 3 n$N\n< N0\n< N1\n< N2\n= eof\n< BYE\n= exit 3\n", ""},
		{"no count", "= times n$N\n= exit 3\n", `session line 1: "n$N" is no number`},
		{"another server", "= other a\n= other b\n> c\n< C\n= eof\n< BYE\n= exit 3\n", ""},
		{"no code", "= exit soon\n", `session line 1: "soon" is no exit code`},
	} {
		t.Run(c.name, func(t *testing.T) {
			others := 0
			s := stage{process: start(t), startOther: func() *Process { others++; return start(t) }}
			err := s.play(c.session)
			if others > 1 {
				t.Errorf("%d other servers were started", others)
			}
			if got := fmt.Sprint(err); got != c.want && !(err == nil && c.want == "") {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
			if err == nil && s.said.String() != c.session {
				t.Errorf("said %s", s.said.String())
			}
		})
	}
}

// What differs from run to run has a name, and nothing else has.
func TestGeneral(t *testing.T) {
	s := stage{workspace: "/w"}
	for line, want := range map[string]string{
		`{"owner_pid":17,"id":17}`:                                       `{"owner_pid":$PID,"id":17}`,
		`held by process 17 (x) since 2026-01-02T03:04:05Z.`:             `held by process $PID (x) since $TIME.`,
		`{"acquired_at":"2026-01-02T03:04:05Z","at":"2026-01-02"}`:       `{"acquired_at":"$TIME","at":"2026-01-02"}`,
		`{"retryAfterMs":1999,"ttlMs":1999}`:                             `{"retryAfterMs":$MS,"ttlMs":1999}`,
		`in /w, and /w/a`:                                                `in $WORKSPACE, and $WORKSPACE/a`,
		`{"message":"give it back","requestState":"aB-_1","_meta":{}}`:   `{"message":"give it back","requestState":"$STATE","_meta":{}}`,
		`{"retryAfterMs":-1,"owner_pid":"17","acquired_at":"yesterday"}`: `{"retryAfterMs":-1,"owner_pid":"17","acquired_at":"yesterday"}`,
	} {
		if got := s.general(line); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	if s.state != "aB-_1" {
		t.Errorf("the state is %q", s.state)
	}
}

// The client gives a state back as it came.
func TestState(t *testing.T) {
	s := stage{process: start(t), state: "abc"}
	if err := s.play("> $STATE x$STATEy\n< ABC\n< XABCY\n= eof\n< BYE\n= exit 3\n"); err != nil {
		t.Error(err)
	}
}

// What an update writes down passes, and a second update changes nothing.
func TestUpdate(t *testing.T) {
	for _, c := range []struct {
		name, session, want string
	}{
		{"new", "# a comment\n\n> hello there\n> x\n= exit 0\n", "# a comment\n\n> hello there\n> x\n= eof\n< HELLO\n< THERE\n< X\n< BYE\n= exit 3\n"},
		{"other lines", "> a\n< B\n= eof\n< C\n= exit 3\n", "> a\n< A\n= eof\n< BYE\n= exit 3\n"},
		{"fewer lines", "> a\n< A\n= eof\n< BYE\n< BYE\n= exit 0\n", "> a\n< A\n= eof\n< BYE\n= exit 3\n"},
		{"more lines", "> a b\n< A\n= eof\n= exit 0\n", "> a b\n< A\n= eof\n< B\n< BYE\n= exit 3\n"},
		{"whole", wholeSession, wholeSession},
	} {
		t.Run(c.name, func(t *testing.T) {
			session := c.session
			for range 2 {
				s := stage{process: start(t), update: true}
				if err := s.play(session); err != nil {
					t.Fatal(err)
				}
				if session = s.said.String(); session != c.want {
					t.Fatalf("updated to\n%s", session)
				}
			}
			if err := (&stage{process: start(t)}).play(session); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestUnpack(t *testing.T) {
	dir := t.TempDir()
	o, session, err := unpack(txtar.Parse([]byte("About.\n-- args --\n--a b\n-- env --\nX=1\nY=2 3\n-- files/d/f.txt --\ntext\n-- session --\n= exit 0\n")), dir)
	if err != nil || fmt.Sprintf("%q %q %q", o.Args, o.Env, session.Data) != `["--a" "b"] ["X=1" "Y=2 3"] "= exit 0\n"` || o.Dir != dir {
		t.Errorf("%+v %+v %v", o, session, err)
	}
	if text, err := os.ReadFile(dir + "/d/f.txt"); string(text) != "text\n" {
		t.Errorf("%q %v", text, err)
	}
	for text, want := range map[string]string{
		"-- sesion --\n": `there is no section "sesion" in transcripts`,
		"-- args --\n":   `there is no section "session"`,
	} {
		if _, _, err := unpack(txtar.Parse([]byte(text)), dir); err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}
