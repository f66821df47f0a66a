package lock

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/teaagent/teaagent/mcp/mcptest"
)

// racer is a process that waits for the start to close, takes the workspace, says
// how that went, and ends with its input.
type racer struct {
	*exec.Cmd
	in  io.Closer
	out *bufio.Scanner
}

func race(t *testing.T, dir, workspace string, start *os.File) racer {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestRacer$")
	cmd.Env = append(os.Environ(), "LOCK_TEST_RACE="+dir, "LOCK_TEST_WORKSPACE="+workspace)
	cmd.ExtraFiles = []*os.File{start}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return racer{cmd, in, bufio.NewScanner(out)}
}

// TestRacer is the process of a racer.
func TestRacer(t *testing.T) {
	dir := os.Getenv("LOCK_TEST_RACE")
	if dir == "" {
		return // it is only run by race
	}
	io.Copy(io.Discard, os.NewFile(3, "start"))
	_, err := Acquire(t.Context(), home(t, dir), os.Getenv("LOCK_TEST_WORKSPACE"), "racer")
	var held *HeldError
	switch {
	case err == nil:
		fmt.Println("won")
	case errors.As(err, &held):
		fmt.Println(held.Holder.PID)
	default:
		fmt.Println(err)
	}
	io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

// Of 16 processes that take a workspace at once one gets it, and the rest are
// told which.
func TestRace(t *testing.T) {
	dir, workspace := t.TempDir(), t.TempDir()
	n := mcptest.Rounds(t, "LOCK_ROUNDS", 3)
	for round := range n {
		mcptest.Progress(t, round, n)
		start, started, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		var racers [16]racer
		for i := range racers {
			racers[i] = race(t, dir, workspace, start)
		}
		start.Close()
		started.Close()
		said, winners := map[string]int{}, []string{}
		for _, r := range racers {
			r.out.Scan()
			if r.out.Text() == "won" {
				winners = append(winners, strconv.Itoa(r.Process.Pid))
			} else {
				said[r.out.Text()]++
			}
		}
		for _, r := range racers {
			r.in.Close()
			r.Wait()
		}
		if len(winners) != 1 || said[winners[0]] != len(racers)-1 {
			t.Fatalf("round %d: %v have won, and the rest say %v", round, winners, said)
		}
	}
}

// A process that is killed anywhere between taking a workspace and letting go of
// it leaves a registry that can be read, and the next one takes over.
func TestKilled(t *testing.T) {
	if dir := os.Getenv("LOCK_TEST_KILL"); dir != "" {
		for h := home(t, dir); ; {
			l, err := Acquire(t.Context(), h, os.Getenv("LOCK_TEST_WORKSPACE"), "killed")
			if err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			fmt.Println("held")
			if err := l.Release(); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
		}
	}
	dir, workspace := t.TempDir(), t.TempDir()
	h := home(t, dir)
	n, dead := mcptest.Rounds(t, "LOCK_ROUNDS", 20), 0
	for round := range n {
		mcptest.Progress(t, round, n)
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), "LOCK_TEST_KILL="+dir, "LOCK_TEST_WORKSPACE="+workspace)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		if !lines.Scan() || lines.Text() != "held" {
			t.Fatalf("round %d: the process says %q", round, lines.Text())
		}
		time.Sleep(rand.N(4 * time.Millisecond)) // a random point is what this is about
		cmd.Process.Kill()
		cmd.Wait()
		list, err := List(t.Context(), h)
		if err != nil || len(list) > 1 || len(list) == 1 && (list[0].Alive || list[0].PID != cmd.Process.Pid) {
			t.Fatalf("round %d: after the kill the list is %+v, %v", round, list, err)
		}
		dead += len(list)
		l, err := Acquire(t.Context(), h, workspace, "next")
		if err != nil {
			t.Fatalf("round %d: the next one: %v", round, err)
		}
		if list, err := List(t.Context(), h); err != nil || len(list) != 1 || list[0].PID != os.Getpid() {
			t.Fatalf("round %d: the list is %+v, %v", round, list, err)
		}
		if err := l.Release(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d of %d kills left a record of the dead", dead, n)
}
