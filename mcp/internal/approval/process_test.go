package approval

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/teaagent/teaagent/mcp/internal/store"
	"github.com/teaagent/teaagent/mcp/policy"
)

// TestMain is also the body of the processes that these tests start.
func TestMain(m *testing.M) {
	if role := os.Getenv("APPROVAL_TEST_ROLE"); role != "" {
		if err := play(role); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// play says ready, waits for a line, and does what its role says.
func play(role string) error {
	home, err := store.Open(os.Getenv)
	if err != nil {
		return err
	}
	b, _ := newBook(home, Preapproval{"rm", call1})
	grants, err := b.Grants(true)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return err
	}
	switch role {
	case "spend", "spend-and-die":
		g := grants[0]
		if os.Getenv("APPROVAL_TEST_FLAG") != "" {
			g = grants[len(grants)-1]
		}
		err := b.Spend(ctx, &g)
		switch {
		case errors.Is(err, ErrSpent):
			fmt.Println("late")
			return nil
		case err != nil:
			return err
		}
		fmt.Println("spent")
		if role == "spend-and-die" {
			self, _ := os.FindProcess(os.Getpid())
			self.Kill()
			select {}
		}
	case "write":
		for i := 0; ; i++ {
			if err := b.Pend(ctx, Pending{Tool: "rm", Digest: fmt.Sprintf("%032x%032x", os.Getpid(), i)}); err != nil {
				return err
			}
			if i == 2 {
				fmt.Println("writing")
			}
		}
	}
	return nil
}

type process struct {
	*exec.Cmd
	lines *bufio.Scanner
	start func()
}

func startProcess(t *testing.T, dir, role string, env ...string) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), append(env, "APPROVAL_TEST_ROLE="+role, "TEAAGENT_HOME="+dir)...)
	in := must[io.WriteCloser](t)(cmd.StdinPipe())
	out := must[io.ReadCloser](t)(cmd.StdoutPipe())
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	p := &process{cmd, bufio.NewScanner(out), func() { in.Write([]byte("\n")) }}
	if line := p.line(); line != "ready" {
		t.Fatalf("the process says %q", line)
	}
	return p
}

func (p *process) line() string {
	p.lines.Scan()
	return p.lines.Text()
}

// Of many processes that spend at once, as many succeed as there are uses.
func TestSpendRace(t *testing.T) {
	for _, test := range []struct {
		name string
		uses int
		env  string
	}{{"once", 1, ""}, {"three times", 3, ""}, {"flag", 1, "APPROVAL_TEST_FLAG=1"}} {
		t.Run(test.name, func(t *testing.T) {
			for range 4 {
				dir := t.TempDir()
				b, _ := newBook(homeIn(t, dir))
				must[policy.Grant](t)(b.Add(ctx, policy.Grant{Effect: policy.Allows, Tool: "rm", Digest: call1, Uses: test.uses}))
				var all []*process
				for range 8 {
					all = append(all, startProcess(t, dir, "spend", test.env))
				}
				for _, p := range all {
					p.start()
				}
				counts := map[string]int{}
				for _, p := range all {
					counts[p.line()]++
				}
				if counts["spent"] != test.uses || counts["late"] != 8-test.uses {
					t.Fatalf("%d uses among 8 processes: %v", test.uses, counts)
				}
			}
		})
	}
}

// Whoever dies between spending and running has spent.
func TestSpendThenDie(t *testing.T) {
	for _, flag := range []string{"", "APPROVAL_TEST_FLAG=1"} {
		dir := t.TempDir()
		b, _ := newBook(homeIn(t, dir), Preapproval{"rm", call1})
		must[policy.Grant](t)(b.Add(ctx, policy.Grant{Effect: policy.Allows, Tool: "mv", Digest: call2, Uses: 1}))
		grants := must[[]policy.Grant](t)(b.Grants(true))
		g := grants[0]
		if flag != "" {
			g = grants[1]
		}
		p := startProcess(t, dir, "spend-and-die", flag)
		p.start()
		if line := p.line(); line != "spent" {
			t.Fatalf("the process says %q", line)
		}
		if err := p.Wait(); err == nil || !strings.Contains(err.Error(), "kill") {
			t.Fatalf("the process was not killed: %v", err)
		}
		again, _ := newBook(homeIn(t, dir), Preapproval{"rm", call1})
		if err := again.Spend(ctx, &g); !errors.Is(err, ErrSpent) {
			t.Errorf("%s: spent again after the crash: %v", g.ID, err)
		}
		if got := must[[]policy.Grant](t)(again.Grants(true)); len(got) != 1 || got[0].ID == g.ID {
			t.Errorf("after the crash: %+v", got)
		}
	}
}

// A process that is killed while it writes leaves a whole file, and no lock.
func TestKilledWriters(t *testing.T) {
	dir := t.TempDir()
	b, _ := newBook(homeIn(t, dir))
	kept := must[policy.Grant](t)(b.Add(ctx, policy.Grant{Effect: policy.Denies, Tool: "*"}))
	for range 15 {
		p := startProcess(t, dir, "write")
		p.start()
		if line := p.line(); line != "writing" {
			t.Fatalf("the process says %q", line)
		}
		p.Process.Kill()
		p.Wait()
		s := must[Snapshot](t)(b.Snapshot())
		if len(s.Grants) != 1 || s.Grants[0].ID != kept.ID || len(s.Pending) == 0 {
			t.Fatalf("left: %d grants, %d pending", len(s.Grants), len(s.Pending))
		}
		must[Revoked](t)(b.Revoke(ctx, s.Pending[0].Digest))
	}
}
