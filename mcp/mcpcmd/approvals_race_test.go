package mcpcmd

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// Of several operators who approve the same call at once, one does.
func TestApproveRace(t *testing.T) {
	if root := os.Getenv("APPROVALS_TEST_ROOT"); root != "" {
		app := &cli.App{Name: "srv", Commands: []*cli.Command{approvalsCommand("srv", nil)}, ExitErrHandler: func(*cli.Context, error) {}}
		if err := app.Run([]string{"srv", "approvals", "approve", firstCall, "--root", root}); err != nil {
			fmt.Println(err)
			os.Exit(2)
		}
		os.Exit(0)
	}
	d := newDesk(t)
	for range 3 {
		d.pend("rm", firstCall, "{}")
		before := len(d.grants())
		results := make(chan string)
		for range 4 {
			cmd := exec.Command(os.Args[0], "-test.run=^TestApproveRace$")
			cmd.Env = append(os.Environ(), "APPROVALS_TEST_ROOT="+d.workspace)
			go func() {
				out, err := cmd.CombinedOutput()
				results <- fmt.Sprintf("%v: %s", err, out)
			}()
		}
		approved := 0
		for range 4 {
			switch r := <-results; {
			case strings.HasPrefix(r, "<nil>: g-"):
				approved++
			case !strings.HasPrefix(r, "exit status 2: approve "+firstCall+": no pending call's digest begins"):
				t.Error(r)
			}
		}
		if approved != 1 || len(d.grants()) != before+1 {
			t.Errorf("%d approved it; grants: %+v", approved, d.grants())
		}
	}
}
