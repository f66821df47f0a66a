package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestImport(t *testing.T) {
	repo(t)
	os.RemoveAll("specs")
	write(t, "tools.json", `[{"name":"x_getA","description":"Get A.","category":"files","annotations":{"readOnlyHint":true}},
		{"name":"x_dropB","description":"Delete B.","category":"files","args":"which, how (int)"}]`)
	code, out, errs := teagen("import", "tools.json")
	if code != 0 || errs != "" {
		t.Fatal(code, out, errs)
	}
	for _, want := range []string{
		"decide  server: the server has no version; server.yaml says 0.1.0\n",
		"decide  x_dropB: destructive: ",
		"decide  x_dropB /args/how: the arg is described in words; it is an optional integer here\n",
		"wrote   specs/server.yaml\nwrote   specs/files.yaml\nimported: 2 tools, 0 of them lost something, ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if code, out, errs := teagen("generate"); code != 0 || !strings.Contains(out, "2 tools") {
		t.Errorf("generate: exit %d\n%s%s", code, out, errs)
	}
	code, _, errs = teagen("import", "tools.json")
	if code != 2 || !strings.Contains(errs, "is there already") {
		t.Errorf("over specs: exit %d, %s", code, errs)
	}
}

func TestExport(t *testing.T) {
	repo(t)
	code, out, errs := teagen("export", "--array")
	var tools []map[string]any
	if err := json.Unmarshal([]byte(out), &tools); code != 0 || err != nil || len(tools) != 1 || tools[0]["name"] != "demo_readFile" || tools[0]["category"] != "files" {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	code, out, _ = teagen("export")
	if !json.Valid([]byte(out)) || code != 0 || !strings.HasPrefix(out, "{\n  \"server\": {") {
		t.Errorf("exit %d\n%s", code, out)
	}
	write(t, "specs/files.yaml", strings.Replace(filesSpec, "Read a file", "Reads a file", 1))
	if code, out, _ := teagen("export"); code != 1 || out != "" {
		t.Errorf("of faulty specs: exit %d\n%s", code, out)
	}
}

// A command is needed behind --server, and what it says when it fails is shown.
func TestServerCommand(t *testing.T) {
	repo(t)
	for _, command := range [][]string{{"lint"}, {"import", "--out", "elsewhere"}} {
		code, _, errs := teagen(append(command, "--server")...)
		if code != 2 || !strings.Contains(errs, "behind --") {
			t.Errorf("%s without a command: exit %d, %s", command, code, errs)
		}
		code, _, errs = teagen(append(command, "--server", "--", "sh", "-c", "echo no key >&2; exit 1")...)
		if code != 2 || !strings.Contains(errs, "no key") {
			t.Errorf("%s of one that fails: exit %d, %s", command, code, errs)
		}
	}
	const server = `read -r line; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"sh","version":"1"}}}'
read -r line; read -r line; echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"x_getA","description":"Gets A.","inputSchema":{"type":"object"}}]}}'
read -r line`
	code, _, errs := teagen("lint", "--server", "--", "sh", "-c", server)
	if code == 2 || !strings.Contains(errs, "tools/list:2:") {
		t.Errorf("lint of a live one: exit %d, %s", code, errs)
	}
	if code, out, errs := teagen("import", "--out", "elsewhere", "--server", "--", "sh", "-c", server); code != 0 || !strings.Contains(out, "imported: 1 tool, ") {
		t.Errorf("import of a live one: exit %d\n%s%s", code, out, errs)
	}
}
