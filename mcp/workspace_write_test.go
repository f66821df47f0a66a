//go:build unix

package mcp_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/teaagent/teaagent/mcp"
	"github.com/teaagent/teaagent/mcp/mcptest"
)

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func TestWorkspaceWriteFileIf(t *testing.T) {
	w, root := openWorkspace(t, "f")
	for _, tc := range []struct {
		name    string
		expect  mcp.Expect
		created bool
		code    string
	}{
		{"f", mcp.Expect{SHA256: hashOf("f")}, false, ""},
		{"f", mcp.Expect{SHA256: hashOf("f")}, false, "CHANGED"},
		{"f", mcp.Expect{Absent: true}, false, "ALREADY_EXISTS"},
		{"new", mcp.Expect{Absent: true}, true, ""},
		{"new", mcp.Expect{Absent: true}, false, "ALREADY_EXISTS"},
		{"nix", mcp.Expect{SHA256: hashOf("f")}, false, "CHANGED"},
		{"nix", mcp.Expect{}, true, ""},
	} {
		created, err := w.WriteFileIf(tc.name, []byte("by "+tc.name), tc.expect)
		if tc.code != "" {
			wantCode(t, tc.name, err, tc.code)
		} else if err != nil || created != tc.created {
			t.Errorf("%s: created %v, %v", tc.name, created, err)
		}
	}
	_, err := w.WriteFileIf("f", nil, mcp.Expect{SHA256: hashOf("x")})
	if err == nil || !strings.Contains(err.Error(), hashOf("by f")) {
		t.Errorf("the error does not tell the hash: %v", err)
	}
	wantCode(t, "RemoveFileIf", w.RemoveFileIf("f", mcp.Expect{SHA256: hashOf("f")}), "CHANGED")
	wantCode(t, "RemoveFileIf of nothing", w.RemoveFileIf("gone", mcp.Expect{}), "NOT_FOUND")
	if err := w.RemoveFileIf("f", mcp.Expect{SHA256: hashOf("by f")}); err != nil {
		t.Error(err)
	}
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) != 2 {
		t.Errorf("the workspace has %v, %v", entries, err)
	}
}

// TestWorkspaceWriters: of two writers that expect the same content one fails.
func TestWorkspaceWriters(t *testing.T) {
	w, root := openWorkspace(t)
	if err := w.WriteFile("n", []byte("0")); err != nil {
		t.Fatal(err)
	}
	other, err := mcp.OpenWorkspace(root)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	const each = 50
	var writers sync.WaitGroup
	for _, w := range []*mcp.Workspace{w, w, other} {
		writers.Go(func() {
			count(t, w, each)
		})
	}
	writers.Wait()
	if data, err := os.ReadFile(filepath.Join(root, "n")); string(data) != strconv.Itoa(3*each) || err != nil {
		t.Errorf("%d updates left %s, %v", 3*each, data, err)
	}
}

// TestWorkspaceWriteOnce: of many that make a file one does.
func TestWorkspaceWriteOnce(t *testing.T) {
	w, _ := openWorkspace(t)
	for round := range 20 {
		name := strconv.Itoa(round)
		var mu sync.Mutex
		var writers sync.WaitGroup
		made := 0
		for range 4 {
			writers.Go(func() {
				if _, err := w.WriteFileIf(name, nil, mcp.Expect{Absent: true}); err == nil {
					mu.Lock()
					made++
					mu.Unlock()
				}
			})
		}
		writers.Wait()
		if made != 1 {
			t.Fatalf("%d writers made one file", made)
		}
	}
}

// TestWorkspaceProcesses: the same for writers in two processes. WRITE_ROUNDS
// says how many updates each makes.
func TestWorkspaceProcesses(t *testing.T) {
	each := mcptest.Rounds(t, "WRITE_ROUNDS", 200)
	if dir := os.Getenv("WRITER_DIR"); dir != "" {
		w, err := mcp.OpenWorkspace(dir)
		if err != nil {
			t.Fatal(err)
		}
		count(t, w, each)
		return
	}
	w, root := openWorkspace(t)
	if err := w.WriteFile("n", []byte("0")); err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	for range 2 {
		writers.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestWorkspaceProcesses$", "-test.v")
			cmd.Env = append(os.Environ(), "WRITER_DIR="+root)
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS") {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	writers.Wait()
	if data, err := os.ReadFile(filepath.Join(root, "n")); string(data) != strconv.Itoa(2*each) || err != nil {
		t.Errorf("%d updates left %s, %v", 2*each, data, err)
	}
	if entries, err := os.ReadDir(root); len(entries) != 1 || err != nil {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// count adds 1 to the number in a file, so many times.
func count(t *testing.T, w *mcp.Workspace, times int) {
	for done := 0; done < times; {
		data, err := w.ReadFile("n", 100)
		if err != nil {
			t.Error(err)
			return
		}
		n, _ := strconv.Atoi(string(data))
		_, err = w.WriteFileIf("n", []byte(strconv.Itoa(n+1)), mcp.Expect{SHA256: hashOf(string(data))})
		switch {
		case err == nil:
			done++
		case !strings.HasPrefix(err.Error(), "[CHANGED] "):
			t.Error(err)
			return
		}
	}
}
