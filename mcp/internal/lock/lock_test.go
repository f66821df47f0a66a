package lock

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/teaagent/teaagent/mcp/internal/store"
)

func home(t testing.TB, dir string) *store.Home {
	t.Helper()
	h, err := store.Open(func(name string) string { return map[string]string{"TEAAGENT_HOME": dir}[name] })
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// hold takes a workspace in another process, which holds it until its input ends.
func hold(t *testing.T, dir, workspace string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestHold$")
	cmd.Env = append(os.Environ(), "LOCK_TEST_DIR="+dir, "LOCK_TEST_WORKSPACE="+workspace)
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
	t.Cleanup(func() { in.Close(); cmd.Process.Kill(); cmd.Wait() })
	if line := make([]byte, 5); func() bool { _, err := out.Read(line); return err != nil || string(line) != "held\n" }() {
		t.Fatalf("the other process says %q", line)
	}
	return cmd
}

// TestHold is the other process.
func TestHold(t *testing.T) {
	dir := os.Getenv("LOCK_TEST_DIR")
	if dir == "" {
		return // it is only run by hold
	}
	if _, err := Acquire(t.Context(), home(t, dir), os.Getenv("LOCK_TEST_WORKSPACE"), "other"); err != nil {
		t.Fatal(err)
	}
	os.Stdout.WriteString("held\n")
	os.Stdin.Read(make([]byte, 1))
	os.Exit(0)
}

func TestAcquire(t *testing.T) {
	dir, workspace := t.TempDir(), t.TempDir()
	h := home(t, dir)
	other := hold(t, dir, workspace)
	var held *HeldError
	if _, err := Acquire(t.Context(), h, workspace, "me"); !errors.As(err, &held) {
		t.Fatalf("a workspace that another process holds: %v", err)
	}
	if held.Holder.PID != other.Process.Pid || held.Holder.Server != "other" || held.Holder.Path != workspace || held.Holder.Since.IsZero() {
		t.Errorf("the holder is %+v", held.Holder)
	}
	list, err := List(t.Context(), h)
	if err != nil || len(list) != 1 || !list[0].Alive || list[0].Holder != held.Holder {
		t.Errorf("the list is %+v, %v", list, err)
	}
	other.Process.Kill()
	other.Wait()
	if list, err := List(t.Context(), h); err != nil || len(list) != 1 || list[0].Alive {
		t.Errorf("the list with a dead owner is %+v, %v", list, err)
	}
	mine, err := Acquire(t.Context(), h, workspace, "me")
	if err != nil {
		t.Fatalf("after its owner's death: %v", err)
	}
	if _, err := Acquire(t.Context(), h, workspace, "me"); !errors.As(err, &held) {
		t.Errorf("twice in one process: %v", err)
	}
	if list, _ := List(t.Context(), h); len(list) != 1 || list[0].PID != os.Getpid() {
		t.Errorf("the list is %+v", list)
	}
	if err := mine.Release(); err != nil {
		t.Error(err)
	}
	if list, _ := List(t.Context(), h); len(list) != 0 {
		t.Errorf("after its release the list is %+v", list)
	}
	again, err := Acquire(t.Context(), h, workspace, "me")
	if err != nil {
		t.Fatal(err)
	}
	again.Release()
}

func TestRelatives(t *testing.T) {
	dir, root := t.TempDir(), t.TempDir()
	inner := filepath.Join(root, "a", "b")
	if err := errors.Join(os.MkdirAll(inner, 0o777), os.Mkdir(filepath.Join(root, "ab"), 0o777)); err != nil {
		t.Fatal(err)
	}
	h := home(t, dir)
	hold(t, dir, filepath.Join(root, "a"))
	for _, path := range []string{root, inner, filepath.Join(root, "a")} {
		var held *HeldError
		if _, err := Acquire(t.Context(), h, path, "me"); !errors.As(err, &held) || held.Holder.Path != filepath.Join(root, "a") {
			t.Errorf("%s: %v", path, err)
		} else if path != held.Holder.Path && !strings.Contains(err.Error(), "they share files") {
			t.Errorf("%s: %v", path, err)
		}
	}
	l, err := Acquire(t.Context(), h, filepath.Join(root, "ab"), "me")
	if err != nil {
		t.Fatalf("a neighbour whose name begins alike: %v", err)
	}
	l.Release()
}

// A lock that is held without a record, as after somebody deleted the registry,
// is held all the same.
func TestHeldWithoutRecord(t *testing.T) {
	dir, workspace := t.TempDir(), t.TempDir()
	h := home(t, dir)
	hold(t, dir, workspace)
	if err := os.Remove(h.Path(File)); err != nil {
		t.Fatal(err)
	}
	var held *HeldError
	if _, err := Acquire(t.Context(), h, workspace, "me"); !errors.As(err, &held) || held.Holder.PID != 0 {
		t.Errorf("got %v", err)
	}
}

// So is one around a workspace.
func TestAroundHeldWithoutRecord(t *testing.T) {
	dir, workspace := t.TempDir(), t.TempDir()
	h := home(t, dir)
	hold(t, dir, workspace)
	if err := os.Remove(h.Path(File)); err != nil {
		t.Fatal(err)
	}
	var held *HeldError
	if _, err := Acquire(t.Context(), h, filepath.Join(workspace, "a", "b"), "me"); !errors.As(err, &held) || held.Holder.Path != workspace {
		t.Errorf("got %v", err)
	}
}

// Who has let go of a workspace leaves the record of its next owner alone.
func TestReleaseTwice(t *testing.T) {
	dir, workspace := t.TempDir(), t.TempDir()
	h := home(t, dir)
	mine, err := Acquire(t.Context(), h, workspace, "me")
	if err != nil {
		t.Fatal(err)
	}
	if err := mine.Release(); err != nil {
		t.Fatal(err)
	}
	other := hold(t, dir, workspace)
	if err := mine.Release(); err != nil {
		t.Error(err)
	}
	if list, err := List(t.Context(), h); err != nil || len(list) != 1 || list[0].PID != other.Process.Pid {
		t.Errorf("the list is %+v, %v", list, err)
	}
}

func TestCorruptRegistry(t *testing.T) {
	h := home(t, t.TempDir())
	for _, content := range []string{
		"", "null", "{}", `{"locks":null}`, `{"locks":[null]}`, `{"locks":[{}]}`, `{"locks":[{"pid":1}]}`, `{"Locks":[]}`,
		`{"locks":[{"workspace_path":"a","owner_pid":1,"acquired_at":"2026-12-01T09:30:00Z"}]}`,
		`{"locks":[{"workspace_path":"/a/..","owner_pid":1,"acquired_at":"2026-12-01T09:30:00Z"}]}`,
		`{"locks":[{"workspace_path":"/a\u0000","owner_pid":1,"acquired_at":"2026-12-01T09:30:00Z"}]}`,
		`{"locks":[{"workspace_path":"/a","owner_pid":0,"acquired_at":"2026-12-01T09:30:00Z"}]}`,
		`{"locks":[{"workspace_path":"/a","owner_pid":1,"acquired_at":"yesterday"}]}`,
	} {
		if err := os.WriteFile(h.Path(File), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		var corrupt *store.CorruptError
		if _, err := Acquire(t.Context(), h, t.TempDir(), "me"); !errors.As(err, &corrupt) {
			t.Errorf("Acquire with %s: %v", content, err)
		}
		if _, err := List(t.Context(), h); !errors.As(err, &corrupt) {
			t.Errorf("List with %s: %v", content, err)
		}
		if got, _ := os.ReadFile(h.Path(File)); string(got) != content {
			t.Errorf("%s has become %s", content, got)
		}
	}
}
