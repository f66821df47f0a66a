//go:build unix

package handlers_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/teaagent/teaagent/mcp/mcptest"
)

const (
	secretText = "n33dle top-secret\n"
	unlisted   = "unlisted-name" // a file outside that no input names
)

// escapeCalls are the path arguments of all tools; PATH stands for an input's
// JSON. Those that change something come last.
var escapeCalls = []struct{ tool, args string }{
	{"readFile", `{"path":PATH}`},
	{"readFile", `{"path":PATH,"encoding":"base64"}`},
	{"readManyFiles", `{"paths":[PATH]}`},
	{"listDirectory", `{"path":PATH}`},
	{"showTree", `{"path":PATH,"ignored":true}`},
	{"findFiles", `{"path":PATH,"pattern":"**"}`},
	{"searchText", `{"path":PATH,"pattern":"n33dle"}`},
	{"statPath", `{"path":PATH,"hash":true}`},
	{"makeDirectory", `{"path":PATH}`},
	{"writeFile", `{"path":PATH,"content":"new","createDirs":true,"confirm":true}`},
	{"copyPath", `{"from":PATH,"to":"copied","confirm":true}`},
	{"copyPath", `{"from":"in.txt","to":PATH,"replace":true,"confirm":true}`},
	{"movePath", `{"from":PATH,"to":"moved","confirm":true}`},
	{"movePath", `{"from":"dir","to":PATH,"replace":true,"confirm":true}`},
	{"deletePath", `{"path":PATH,"confirm":true}`},
	{"purgePath", `{"path":PATH,"recursive":true,"confirm":true}`},
}

// escapeInputs are paths that no tool takes. BASE is the folder that the
// workspace "ws" is in, beside "out" and "ws-evil".
var escapeInputs = []string{
	// dot segments
	`".."`, `"../"`, `"../."`, `"../.."`, `"./.."`, `"../out"`, `"../out/confidential"`, `"dir/../../out/confidential"`,
	`"dir/./../../out/confidential"`, `"..//out//confidential"`, `"nix/../../out/confidential"`, `"in.txt/../../out/confidential"`,
	`"\u002e\u002e\u002fout\u002fconfidential"`, `"..\/out\/confidential"`,
	// out and in again, and a sibling whose name begins alike
	`"../ws"`, `"../ws/in.txt"`, `"../ws-evil/confidential"`, `"../ws-evil"`,
	// absolute
	`"/"`, `"//"`, `"/etc/passwd"`, `"//etc/passwd"`, `"/./etc/passwd"`, `"BASE/out/confidential"`, `"BASE/ws/in.txt"`, `"BASE/ws/../out/confidential"`,
	`"/dev/zero"`, `"/dev/stdin"`, `"/dev/fd/0"`, `"/dev/tty"`, `"/proc/self/environ"`, `"/proc/self/root/etc/passwd"`, `"/proc/self/cwd/in.txt"`, `"/proc/1/root"`,
	// through links
	`"out/confidential"`, `"out/new"`, `"out/new/deep"`, `"out/."`, `"out/../out/confidential"`, `"out/../ws/in.txt"`,
	`"dir/up/confidential"`, `"chain/confidential"`, `"parent/out/confidential"`, `"parent/ws/in.txt"`, `"outfile/."`, `"outfile/x"`,
	`"root/etc/passwd"`, `"cwd/in.txt"`, `"fds/0"`, `"loop/x"`, `"away/x"`,
	// NUL
	`"\u0000"`, `"in.txt\u0000"`, `"../out/confidential\u0000.txt"`, `"in.txt\u0000/../../out/confidential"`,
	// too long
	`"LONG"`, `"DOTS"`,
	// no text: overlong dots, half a rune, lone surrogates
	"\"\xc0\xae\xc0\xae/out/confidential\"", "\"\xff\"", "\"in.txt\xe2\x82\"", `"\ud800"`, `"\udc00\ud800"`,
	// nothing, and no path
	`""`, `null`, `1`, `{}`, `["in.txt"]`,
}

// oddInputs are paths that look like a way out, but are names as others, or
// links and such that may be moved or removed themselves.
var oddInputs = []string{
	`"out"`, `"out/"`, `"out/.."`, `"outfile"`, `"outfile/"`, `"chain"`, `"chain/"`, `"dir/up"`, `"dir/up/"`, `"away"`, `"away/"`, `"dangling"`, `"dangling/"`, `"parent"`, `"parent/"`,
	`"loop"`, `"root"`, `"root/"`, `"cwd/"`, `"fds/"`, `"zero"`, `"null"`, `"pipe"`, `"pipe/"`, `"dir/pipe"`, `"devzero"`, `"."`, `"./"`, `"dir/.."`, `"dir/../."`,
	`"%2e%2e/out/confidential"`, `"%2e%2e%2fout%2fconfidential"`, `"..%2fout%2fconfidential"`, `"%252e%252e/out/confidential"`, `"..%252fout"`, `"..%c0%afout"`, `"%00"`, `"in.txt%00"`,
	`"..\\out\\confidential"`, `"..\\/out/confidential"`, `"\\etc\\passwd"`, `"C:\\out"`, `"C:/out"`, `"\\\\?\\C:\\out"`, `"\\\\host\\out"`,
	`"OUT/confidential"`, `"Outfile"`, `"DIR/UP/confidential"`, `"oUt"`,
	`".../out"`, `"..;/out"`, `".. /out"`, `"..\t/out"`, `"\uff0e\uff0e/out"`, `"\u2025/out"`, `"..\u2215out"`, `"..\ufeff/out"`,
	`"~"`, `"~/x"`, `"~root/x"`, `"$HOME/x"`, `"${PWD}/../out"`, `"file:///etc/passwd"`, `"teaagent://workspace/../out"`,
	`" "`, `"\n"`, `"in.txt\n"`, `"-rf"`, `"*"`, `"**"`, `"{out,dir}"`, `"con"`, `"in.txt:stream"`, `"NAME"`, `"DEEP"`,
}

// TestEscapeInputs gives each path to each path argument: nothing outside is
// shown, changed or brought in, and nothing hangs.
func TestEscapeInputs(t *testing.T) {
	base := t.TempDir()
	for _, name := range []string{"out", "ws-evil"} {
		write(t, filepath.Join(base, name, "confidential"), secretText)
		write(t, filepath.Join(base, name, unlisted), secretText)
	}
	w := escapeWorld{t: t, base: base, home: t.TempDir()}
	if err := os.Mkdir(filepath.Join(base, "ws"), 0o777); err != nil {
		t.Fatal(err)
	}
	before := w.outside()
	fill := strings.NewReplacer("BASE", base, "LONG", strings.Repeat("n", 300), "DOTS", strings.Repeat("../", 1300)+"etc/passwd",
		"NAME", strings.Repeat("n", 255), "DEEP", strings.Repeat("d/", 300)+"d")
	for i, input := range append(append([]string{}, escapeInputs...), oddInputs...) {
		w.try(fill.Replace(input), i < len(escapeInputs))
		if after := w.outside(); after != before {
			t.Fatalf("%.80s changed what is outside to %s", input, after)
		}
	}
}

type escapeWorld struct {
	t          *testing.T
	base, home string
}

// make makes the workspace anew.
func (w *escapeWorld) make() {
	root := filepath.Join(w.base, "ws")
	entries, err := os.ReadDir(root)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(root, e.Name())); err != nil {
			w.t.Fatal(err)
		}
	}
	write(w.t, filepath.Join(root, "in.txt"), "in")
	write(w.t, filepath.Join(root, "dir", "x"), "x")
	out := filepath.Join(w.base, "out")
	for name, to := range map[string]string{
		"out": out, "outfile": filepath.Join(out, "confidential"), "dir/up": "../../out", "chain": "out", "parent": "..",
		"dangling": "nowhere", "away": filepath.Join(out, "missing"), "loop": "loop", "devzero": "/dev/zero",
		"root": "/proc/self/root", "cwd": "/proc/self/cwd", "fds": "/proc/self/fd",
	} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			w.t.Fatal(err)
		}
	}
	for _, name := range []string{"pipe", "dir/pipe"} {
		if err := syscall.Mkfifo(filepath.Join(root, name), 0o666); err != nil {
			w.t.Fatal(err)
		}
	}
	// Devices need a privilege; without it the names are just not there.
	syscall.Mknod(filepath.Join(root, "zero"), syscall.S_IFCHR|0o666, 1<<8|5)
	syscall.Mknod(filepath.Join(root, "null"), syscall.S_IFCHR|0o666, 1<<8|3)
}

// outside describes all beside the workspace.
func (w *escapeWorld) outside() string {
	var b strings.Builder
	err := filepath.WalkDir(w.base, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "ws" {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		b.WriteString(path + " " + info.Mode().String() + "\n")
		if d.Type().IsRegular() {
			data, err := os.ReadFile(path)
			b.Write(data)
			return err
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return b.String()
}

// try makes every call with one path.
func (w *escapeWorld) try(input string, refused bool) {
	w.make()
	p := server.Start(w.t, mcptest.Options{Dir: filepath.Join(w.base, "ws"), Home: w.home, Args: []string{"--permission-mode", "allow", "--error-profile", "official"}})
	p.Initialize("2025-06-18", "")
	for i, call := range escapeCalls {
		if i > 8 {
			w.make()
		}
		p.Send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"teaagent_` + call.tool + `","arguments":` + strings.Replace(call.args, "PATH", input, 1) + `}}`)
		line := p.Line()
		w.leaks(call.tool, input, line)
		var answer struct {
			Error  json.RawMessage
			Result struct {
				IsError           bool
				StructuredContent json.RawMessage
			}
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			w.t.Fatal(err)
		}
		failed := answer.Error != nil || answer.Result.IsError
		if call.tool == "readManyFiles" && !failed { // each file has its own error
			failed = strings.Contains(string(answer.Result.StructuredContent), `"error":"[`)
		}
		if refused && !failed {
			w.t.Errorf("%s of %.80s answers %.300s", call.tool, input, line)
		}
		w.broughtIn(filepath.Join(w.base, "ws"), call.tool, input)
	}
	trash := filepath.Join(w.home, ".teaagent", "trash")
	w.broughtIn(trash, "some tool", input)
	os.RemoveAll(trash)
	p.Ping()
	p.CloseInput()
	p.Exit(mcptest.Patience)
}

func (w *escapeWorld) leaks(tool, input, line string) {
	sum := sha256.Sum256([]byte(secretText))
	for _, part := range []string{"top-secret", unlisted, "root:x:", base64.StdEncoding.EncodeToString([]byte(secretText)), hex.EncodeToString(sum[:])} {
		if strings.Contains(line, part) {
			w.t.Errorf("%s of %.80s shows %q: %.300s", tool, input, part, line)
		}
	}
}

// broughtIn looks for what is outside among the files of a folder.
func (w *escapeWorld) broughtIn(dir, tool, input string) {
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		if data, _ := os.ReadFile(path); d.Name() == unlisted || strings.Contains(string(data), "top-secret") {
			w.t.Errorf("%s of %.80s brought %s in", tool, input, path)
		}
		return nil
	})
}
