package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

type numbers struct {
	N    int    `json:"n"`
	Fill string `json:"fill,omitempty"`
}

// nested has the same further inside, below keys that are free in their case.
type nested struct {
	numbers
	More map[string][]numbers `json:"more"`
}

func open(t testing.TB, dir string) *Home {
	t.Helper()
	h, err := Open(func(name string) string {
		return map[string]string{"TEAAGENT_HOME": dir}[name]
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "open"), 0o700), os.Chmod(filepath.Join(dir, "open"), 0o770), os.WriteFile(filepath.Join(dir, "file"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ home, state, dir, says string }{
		{dir, "", filepath.Join(dir, ".teaagent"), ""},
		{"", filepath.Join(dir, "a", "b"), filepath.Join(dir, "a", "b"), ""},
		{dir, "relative", "", "set TEAAGENT_HOME to an absolute path"},
		{dir, filepath.Join(dir, "open"), "", "run chmod 700"},
		{dir, filepath.Join(dir, "file"), "", "file"},
	} {
		h, err := Open(func(name string) string { return map[string]string{"HOME": c.home, "TEAAGENT_HOME": c.state}[name] })
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if err != nil || h.Dir() != c.dir {
			t.Errorf("%+v: %v, %v", c, h, err)
			continue
		}
		if info, err := os.Stat(h.Dir()); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%+v: %v, %v", c, info.Mode(), err)
		}
	}
}

// What can't be read is named, kept, and never taken for empty.
func TestCorrupt(t *testing.T) {
	h := open(t, t.TempDir())
	for content, says := range map[string]string{
		"": "it is empty", " \n": "it is empty", "{": "", `{"n":1} x`: "", `{"n":1,"n":2}`: "", `{"m":1}`: `unknown field "m"`,
		"null": "it is null", `{"N":1}`: `write "n"`, `{"n":1,"N":2}`: `write "n"`,
		`{"n":"1"}`: "cannot unmarshal", "[]": "cannot unmarshal", "\x00": "", "{\"n\":1,\"fill\":\"\xff\"}": "",
		`{"n":1,"fill":"` + strings.Repeat("x", maxFile) + `"}`: "more than",
	} {
		if err := os.WriteFile(h.Path("x.json"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		v := numbers{N: 7}
		_, err := h.Read("x.json", &v)
		var corrupt *CorruptError
		if !errors.As(err, &corrupt) || corrupt.Path != h.Path("x.json") || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "move it away to start anew") {
			t.Errorf("%.30q: %v", content, err)
		}
		if err := h.Update(t.Context(), "x.json", &v, func() error { return nil }); !errors.As(err, &corrupt) {
			t.Errorf("%.30q is written over: %v", content, err)
		}
		if got, _ := os.ReadFile(h.Path("x.json")); string(got) != content {
			t.Errorf("%.30q has become %.30q", content, got)
		}
	}
	os.Mkdir(h.Path("folder.json"), 0o700)
	os.Symlink("x.json", h.Path("link.json"))
	for _, name := range []string{"folder.json", "link.json"} {
		var corrupt *CorruptError
		if _, err := h.Read(name, new(numbers)); !errors.As(err, &corrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	v := numbers{N: 7}
	if stamp, err := h.Read("none.json", &v); err != nil || stamp != (Stamp{}) || v.N != 7 {
		t.Errorf("an absent file: %v, %v, %v", stamp, err, v)
	}
}

func TestUpdate(t *testing.T) {
	h := open(t, t.TempDir())
	var v numbers
	add := func() error { v.N++; return nil }
	if err := h.Update(t.Context(), "x.json", &v, add); err != nil {
		t.Fatal(err)
	}
	before, _ := h.Stamp("x.json")
	refuse := errors.New("no")
	v = numbers{}
	if err := h.Update(t.Context(), "x.json", &v, func() error { v.N = 100; return refuse }); !errors.Is(err, refuse) {
		t.Error(err)
	}
	var got numbers
	stamp, err := h.Read("x.json", &got)
	if err != nil || got.N != 1 || stamp != before {
		t.Errorf("after a change that was refused: %+v, %v", got, err)
	}
	v = numbers{}
	h.Update(t.Context(), "x.json", &v, add)
	if after, _ := h.Stamp("x.json"); after == before {
		t.Error("the stamp of a file that changed is the same")
	}
	if info, _ := os.Stat(h.Path("x.json")); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if left, _ := filepath.Glob(h.Path("*.tmp")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// Keys are told by their case at any depth, but for those of a map.
func TestCase(t *testing.T) {
	h := open(t, t.TempDir())
	for content, says := range map[string]string{
		`{"n":1,"more":{"a":[{"n":1}],"A":[{"n":2}]}}`: "",
		`{"n":1,"more":{"a":[{"n":1},{"N":1}]}}`:       `write "n"`,
		`{"N":1}`:                                      `write "n"`,
		`{"More":{}}`:                                  `write "more"`,
	} {
		os.WriteFile(h.Path("x.json"), []byte(content), 0o600)
		_, err := h.Read("x.json", new(nested))
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: %v", content, err)
		}
	}
}

// Only a lock that is held is said to be held; a file may lie in a folder.
func TestLockTrouble(t *testing.T) {
	h := open(t, t.TempDir())
	os.Mkdir(h.Path("x.json.lock"), 0o700)
	err := h.Update(t.Context(), "x.json", &numbers{}, func() error { return nil })
	if err == nil || strings.Contains(err.Error(), "another process") {
		t.Errorf("a folder instead of the lock file: %v", err)
	}
	if err := h.Update(t.Context(), filepath.Join("sub", "x.json"), &numbers{}, func() error { return nil }); err != nil {
		t.Errorf("a file in a folder: %v", err)
	}
}

// What a killed process began to write is in nobody's way, and goes.
func TestLeftover(t *testing.T) {
	h := open(t, t.TempDir())
	if err := os.WriteFile(h.Path("x.json.tmp"), []byte(`{"n":`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := h.Update(t.Context(), "x.json", &numbers{}, func() error { return nil }); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(h.Path("*.tmp")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// Who can't get the lock says which, and gives up with its context.
func TestLocked(t *testing.T) {
	h := open(t, t.TempDir())
	unlock, err := h.lock(t.Context(), "x.json")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := h.Update(ctx, "x.json", &numbers{}, func() error { return nil }); err == nil || !strings.Contains(err.Error(), "x.json.lock") {
		t.Error(err)
	}
	unlock()
	if err := h.Update(t.Context(), "x.json", &numbers{}, func() error { return nil }); err != nil {
		t.Error(err)
	}
}

func TestManyAtOnce(t *testing.T) {
	h := open(t, t.TempDir())
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 10 {
				var v numbers
				if err := h.Update(context.Background(), "x.json", &v, func() error { v.N++; return nil }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	var v numbers
	if h.Read("x.json", &v); v.N != 80 {
		t.Errorf("of 80 additions %d are there", v.N)
	}
}

// A process that is killed at any point leaves the old file or the new one, and
// whoever comes next can go on. The child adds, and prints each sum that it has
// written.
func TestKilled(t *testing.T) {
	if dir := os.Getenv("STORE_TEST_DIR"); dir != "" {
		h := open(t, dir)
		for {
			var v numbers
			if err := h.Update(context.Background(), "x.json", &v, func() error { v.N++; v.Fill = strings.Repeat("x", 5_000); return nil }); err != nil {
				fmt.Println(err)
				return
			}
			fmt.Println(v.N)
		}
	}
	dir := t.TempDir()
	h := open(t, dir)
	sum := 0
	for round := range 50 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), "STORE_TEST_DIR="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for i := 0; i <= round%5 && lines.Scan(); i++ { // then it is somewhere in the next one
			n, err := strconv.Atoi(lines.Text())
			if err != nil || n <= sum {
				t.Fatalf("round %d: %q after %d", round, lines.Text(), sum)
			}
			sum = n
		}
		for range rand.N(100) { // a random point, and whoever reads meanwhile finds a whole file
			var v numbers
			if _, err := h.Read("x.json", &v); err != nil || v.N < sum {
				t.Fatalf("round %d: %d was written, and %d is read (%v)", round, sum, v.N, err)
			}
		}
		cmd.Process.Kill()
		cmd.Wait()
		var v numbers
		if _, err := h.Read("x.json", &v); err != nil || v.N < sum {
			t.Fatalf("round %d: %d was written, and %d is there (%v)", round, sum, v.N, err)
		}
		sum = v.N
	}
}
