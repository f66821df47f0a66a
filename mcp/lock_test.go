package mcp_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/teaagent/teaagent/mcp/mcptest"
)

// registry reads the records of locks as people do.
func registry(t *testing.T, home string) (locks []map[string]any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(home, ".teaagent", "workspace_registry.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var r struct{ Locks []map[string]any }
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		t.Fatalf("the registry can't be read: %v\n%s", err, data)
	}
	return r.Locks
}

// Of 16 servers that write to one workspace at once, one does; the rest say who.
func TestOneWriterWins(t *testing.T) {
	n := mcptest.Rounds(t, "LOCK_ROUNDS", 3)
	for round := range n {
		mcptest.Progress(t, round, n)
		t.Run(strconv.Itoa(round), oneWriterWins)
	}
}

func oneWriterWins(t *testing.T) {
	o := mcptest.Options{Dir: t.TempDir(), Home: t.TempDir()}
	var servers [16]*mcptest.Process
	for i := range servers {
		servers[i] = fixture.Start(t, o)
		servers[i].Initialize("2025-11-25", "")
	}
	for i, p := range servers {
		p.Send(toolCall("fx_addThing", fmt.Sprintf(`{"path":"from-%d"}`, i)))
	}
	winner := -1
	var held []frame
	for i, p := range servers {
		f := next(t, p)
		switch {
		case f.String() == `"x" result` && winner < 0:
			winner = i
		case f.String() == `"x" [WORKSPACE_LOCKED]`:
			held = append(held, f)
		default:
			t.Fatal(f.text)
		}
	}
	if winner < 0 {
		t.Fatal("nobody got the workspace")
	}
	for _, f := range held {
		if pid := f.Result.Meta.Error.Holder.PID; pid != servers[winner].Pid() {
			t.Fatalf("the holder is said to be %d, not %d", pid, servers[winner].Pid())
		}
	}
	if files, _ := os.ReadDir(o.Dir); len(files) != 1 {
		t.Fatalf("%d servers have written", len(files))
	}
}

// A holder that is killed at any point leaves a registry that can be read, and
// the next writer takes over.
func TestHolderIsKilled(t *testing.T) {
	o := mcptest.Options{Dir: t.TempDir(), Home: t.TempDir()}
	n := mcptest.Rounds(t, "LOCK_ROUNDS", 20)
	for round := range n {
		mcptest.Progress(t, round, n)
		t.Run(strconv.Itoa(round), func(t *testing.T) { holderIsKilled(t, o) })
	}
}

func holderIsKilled(t *testing.T, o mcptest.Options) {
	p := fixture.Start(t, o)
	p.Send(toolCall("fx_addThing", `{"path":"a"}`), toolCall("fx_addThing", `{"path":"b"}`))
	time.Sleep(rand.N(12 * time.Millisecond)) // a random point is what this is about
	p.Signal(syscall.SIGKILL)
	p.Exit(mcptest.Patience)
	registry(t, o.Home)
	p = fixture.Start(t, o)
	p.Send(toolCall("fx_addThing", `{"path":"c"}`))
	if f := next(t, p); f.String() != `"x" result` {
		t.Fatalf("the next writer got %s", f.text)
	}
	locks := registry(t, o.Home)
	if len(locks) != 1 || int(locks[0]["owner_pid"].(float64)) != p.Pid() {
		t.Fatalf("the registry has %v", locks)
	}
	p.CloseInput()
	if p.Exit(mcptest.Patience); len(registry(t, o.Home)) != 0 {
		t.Fatal("a server that ended left its record")
	}
}

// A root inside or around a locked one, and another spelling of it, are locked too.
func TestLockOfRelatives(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	inner, link := filepath.Join(dir, "a", "b"), filepath.Join(t.TempDir(), "link")
	if err := errors.Join(os.MkdirAll(inner, 0o777), os.Symlink(filepath.Dir(inner), link)); err != nil {
		t.Fatal(err)
	}
	holder := fixture.Start(t, mcptest.Options{Dir: filepath.Dir(inner), Home: home})
	holder.Send(toolCall("fx_addThing", `{"path":"x"}`))
	next(t, holder)
	for _, root := range []string{dir, inner, link, filepath.Dir(inner) + "/../a/."} {
		p := fixture.Start(t, mcptest.Options{Home: home, Args: []string{"--root", root}})
		p.Send(toolCall("fx_addThing", `{"path":"y"}`))
		if f := next(t, p); f.Error == nil || f.Error.Code != -32003 {
			t.Errorf("%s: %s", root, f.text)
		}
	}
	other := fixture.Start(t, mcptest.Options{Home: home})
	other.Send(toolCall("fx_addThing", `{"path":"y"}`))
	if f := next(t, other); f.String() != `"x" result` {
		t.Errorf("another workspace: %s", f.text)
	}
}

// A registry that can't be read refuses, and says the way out.
func TestCorruptRegistry(t *testing.T) {
	for _, content := range []string{"", "{", `{"locks":5}`, "\x00"} {
		o := mcptest.Options{Dir: t.TempDir(), Home: t.TempDir()}
		path := filepath.Join(o.Home, ".teaagent", "workspace_registry.json")
		if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
		p := fixture.Start(t, o)
		p.Send(toolCall("fx_addThing", `{"path":"a"}`))
		if f := next(t, p); f.String() != `"x" [LOCK_FAILED]` || f.Result == nil {
			t.Errorf("%q: %s", content, f.text)
		}
		if data, err := os.ReadFile(path); err != nil || string(data) != content {
			t.Errorf("%q: the registry was changed to %q (%v)", content, data, err)
		}
		if files, _ := os.ReadDir(o.Dir); len(files) != 0 {
			t.Errorf("%q: something was written", content)
		}
	}
}
