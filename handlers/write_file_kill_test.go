package handlers_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/teaagent/teaagent/mcp/mcptest"
)

// TestKilledInMidWrite: a server that is killed while it writes, edits and
// patches leaves each file as it was before a call or after it, and the next one
// leaves nothing else.
func TestKilledInMidWrite(t *testing.T) {
	root, home := t.TempDir(), t.TempDir()
	letters := "abcdefgh"
	body := func(i int) string { return strings.Repeat(letters[i:i+1], 1+i*20_000) }
	whole := map[string]bool{"": true}
	for i := range letters {
		whole[body(i)] = true
	}
	files := []string{"one.txt", "two.txt", "deep/down/three.txt"}
	for _, name := range files {
		write(t, filepath.Join(root, name), "")
	}
	// What is edited and patched goes to and fro between two contents; half of
	// these calls come when it is the other one, and are refused.
	there, back := strings.Repeat("alpha\n", 3000), strings.Repeat("beta\n", 3000)
	fro := map[string]bool{there: true, back: true}
	swung := []string{"edited.txt", "patched/one.txt", "patched/two.txt"}
	for _, name := range swung {
		write(t, filepath.Join(root, name), there)
	}
	call := func(i int) (tool string, a args) {
		from, to := there, back
		if rand.IntN(2) == 0 {
			from, to = back, there
		}
		switch i % 4 {
		case 0:
			return "editFile", args{"path": swung[0], "edits": []args{{"oldText": from, "newText": to}}, "confirm": true}
		case 1:
			var patch strings.Builder
			for _, name := range swung[1:] {
				fmt.Fprintf(&patch, "--- a/%s\n+++ b/%s\n@@ -1,3000 +1,3000 @@\n-%s+%s", name, name,
					strings.ReplaceAll(from[:len(from)-1], "\n", "\n-")+"\n", strings.ReplaceAll(to[:len(to)-1], "\n", "\n+")+"\n")
			}
			return "applyPatch", args{"patch": patch.String(), "paths": swung[1:], "confirm": true}
		}
		return "writeFile", args{"path": files[i%len(files)], "content": body(rand.IntN(len(letters))), "confirm": true}
	}
	swings := 0
	n, left := mcptest.Rounds(t, "WRITE_ROUNDS", 50), 0
	for round := range n + 1 {
		cmd := exec.Command(server.Path(t), "mcp", "serve", "--root", root, "--permission-mode", "allow")
		cmd.Env = append(os.Environ(), "TEAAGENT_HOME="+home)
		cmd.Stderr = os.Stderr
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
		answers := bufio.NewReaderSize(out, 1<<16)
		answer := func() {
			line, err := answers.ReadString('\n')
			if strings.Contains(line, `"replaced":`) || strings.Contains(line, `"change":`) {
				swings++
			}
			if err != nil || strings.Contains(line, `"error"`) || strings.Contains(line, `"isError":true`) && !strings.Contains(line, "alpha") && !strings.Contains(line, "beta") && !strings.Contains(line, "[CHANGED]") {
				t.Fatalf("round %d: %.500s, %v", round, line, err)
			}
		}
		fmt.Fprintln(in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
		answer()
		if found := temps(t, root); len(found) > 0 {
			t.Errorf("round %d starts with %q", round, found)
		}
		if round == n {
			in.Close()
			cmd.Wait()
			break
		}
		var calls strings.Builder
		const many = 24
		for id := range many {
			tool, arguments := call(id)
			a, err := json.Marshal(arguments)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&calls, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"teaagent_%s","arguments":%s}}`+"\n", id+1, tool, a)
		}
		go in.Write([]byte(calls.String()))
		for range rand.IntN(many) {
			answer()
		}
		cmd.Process.Kill() // while others are on their way
		cmd.Wait()
		if len(temps(t, root)) > 0 {
			left++
		}
		for _, name := range files {
			data, err := os.ReadFile(filepath.Join(root, name))
			if err != nil || !whole[string(data)] {
				t.Fatalf("round %d: %s has %d bytes, %v", round, name, len(data), err)
			}
		}
		for _, name := range swung {
			data, err := os.ReadFile(filepath.Join(root, name))
			if err != nil || !fro[string(data)] {
				t.Fatalf("round %d: %s has %d bytes, %v", round, name, len(data), err)
			}
		}
	}
	t.Logf("%d of %d killed servers left temporary files for the next one to remove; %d edits and patches were answered", left, n, swings)
	if swings == 0 {
		t.Error("nothing was edited or patched")
	}
	if left == 0 {
		t.Error("no server was killed in mid-write, so the test has not tested it")
	}
}

func temps(t *testing.T, root string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasPrefix(filepath.Base(path), ".teaagent-") {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestTwoServers: servers with homes of their own share no lock but that of the
// directories that they write to, and of two updates of one content one fails.
func TestTwoServers(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "n"), "0")
	const each = 20
	finished := make(chan error)
	for range 2 {
		c := serve(t, root, "allow")
		go func() {
			for done, tries := 0, 0; done < each; tries++ {
				data, err := os.ReadFile(filepath.Join(root, "n"))
				if err != nil {
					finished <- err
					return
				}
				n, _ := strconv.Atoi(string(data))
				text := textOf(c.call("writeFile", args{"path": "n", "content": strconv.Itoa(n + 1), "expectedSha256": hashOf(string(data)), "confirm": true}))
				switch {
				case strings.HasPrefix(text, "[RATE_LIMITED]"):
					finished <- fmt.Errorf("%d updates took too many tries: %s", done, text)
					return
				case strings.HasPrefix(text, "[CHANGED]"):
				case strings.HasPrefix(text, "["):
					finished <- fmt.Errorf("%s", text)
					return
				default:
					done++
				}
			}
			finished <- nil
		}()
	}
	for range 2 {
		if err := <-finished; err != nil {
			t.Error(err)
		}
	}
	if data, err := os.ReadFile(filepath.Join(root, "n")); string(data) != strconv.Itoa(2*each) || err != nil {
		t.Errorf("%d updates left %s, %v", 2*each, data, err)
	}
}
