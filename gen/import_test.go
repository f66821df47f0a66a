package gen

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/teaagent/teaagent/gen/spec"
)

const listedTools = `[
{"name":"read_note","description":"Reads a note.","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"path":{"$ref":"#/$defs/path"},"limit":{"type":["integer","null"],"default":null}},"required":["path"],"$defs":{"path":{"type":"string","minLength":1}}},"annotations":{"title":"Read a note","readOnlyHint":true}},
{"name":"delete-note","description":"Delete a note. Forever!","inputSchema":{"type":"object","properties":{"path":{"type":"string"}}},"annotations":{"destructiveHint":true}},
{"name":"delete_note","description":"Delete a note.","inputSchema":{"type":"object","properties":{"any":{}}}}
]`

// TestFakeServer is no test: it is the server that the test of Import starts.
func TestFakeServer(t *testing.T) {
	if os.Getenv("FAKE_SERVER") == "" {
		t.Skip("it is started by another test")
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		json.Unmarshal(in.Bytes(), &m)
		switch m.Method {
		case "initialize":
			fmt.Printf("starting…\n"+`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"mcp-notes","version":"3.1"},"instructions":"Keep notes."}}`+"\n", m.ID)
		case "tools/list":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"tools":%s}}`+"\n", m.ID, strings.ReplaceAll(listedTools, "\n", ""))
		}
	}
}

// What a live server lists becomes specs that are generated from, and say what
// the server said.
func TestImportServer(t *testing.T) {
	t.Setenv("FAKE_SERVER", "yes")
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n")
	im, err := Import(context.Background(), ImportOptions{Command: []string{os.Args[0], "-test.run", "^TestFakeServer$"}, Out: filepath.Join(dir, "specs")})
	if err != nil {
		t.Fatal(err)
	}
	if im.Tools != 3 || im.Losing != 1 || len(im.Findings) > 0 || im.Allowed == 0 {
		t.Errorf("%+v", im)
	}
	var notes []string
	for _, n := range im.Notes {
		notes = append(notes, n.String())
	}
	for _, want := range []string{
		"decide  server: the tools' names have no prefix in common; server.yaml says \"notes\"",
		"lost    delete_note /inputSchema/properties/any: it takes any value",
		"decide  delete_note: destructive: ",
		"decide  delete_note: another tool has the same name in Go; this one is DeleteNote2 there",
	} {
		if !strings.Contains(strings.Join(notes, "\n"), want) {
			t.Errorf("no note %q in\n%s", want, strings.Join(notes, "\n"))
		}
	}
	set, findings, err := spec.Load(filepath.Join(dir, "specs"))
	if err != nil || len(findings) > 0 {
		t.Fatal(findings, err)
	}
	if s := set.Server; s.Name.V != "mcp-notes" || s.Version.V != "3.1" || s.Instructions.V != "Keep notes." {
		t.Errorf("%+v", s)
	}
	read := set.Tools[0]
	if read.Name.V != "read_note" || read.Description.V != "Reads a note." || read.Title.V != "Read a note" || !read.ReadOnly.V || read.Args[0].MinLength.V != 1 || !read.Args[1].Nullable.V || read.Args[1].Default.V != "null" {
		t.Errorf("%+v", read)
	}
	if read.Lint == nil || !strings.Contains(read.Lint.Because.V, "mcp-notes") {
		t.Errorf("what breaks rules is not let off: %+v", read.Lint)
	}
	r, err := Generate(Options{Dir: dir})
	if err != nil || r.Failed() {
		t.Fatal(messages(r.Findings), err)
	}

	_, err = Import(context.Background(), ImportOptions{File: "none.json", Out: filepath.Join(dir, "specs")})
	if err == nil || !strings.Contains(err.Error(), "is there already") {
		t.Error("specs are overwritten:", err)
	}
}

// Export prints the manifest, and an array that Import reads again.
func TestExport(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n")
	for name, text := range readFolder(t, "../testdata/fixture/specs") {
		writeFile(t, filepath.Join(dir, "specs", name), text)
	}
	if _, err := Generate(Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	text, _, err := Export(Options{Dir: dir}, false)
	if err != nil || string(text) != readFolder(t, dir)["mcp-tools.json"] {
		t.Error("not the manifest", err)
	}
	if text, _, err = Export(Options{Dir: dir}, true); err != nil {
		t.Fatal(err)
	}
	var tools []struct {
		Name, Description, Category  string
		Destructive, RequiresConfirm *bool
		InputSchema                  map[string]any
	}
	if err := json.Unmarshal(text, &tools); err != nil || len(tools) < 5 {
		t.Fatal(err, string(text))
	}
	for _, tool := range tools {
		if tool.Name == "" || tool.Description == "" || tool.Category == "" || tool.Destructive == nil || tool.RequiresConfirm == nil || tool.InputSchema["type"] != "object" {
			t.Errorf("%+v", tool)
		}
	}
	writeFile(t, filepath.Join(dir, "tools.json"), string(text))
	im, err := Import(context.Background(), ImportOptions{File: filepath.Join(dir, "tools.json"), Out: filepath.Join(dir, "again")})
	if err != nil || len(im.Findings) > 0 || im.Losing > 0 || im.Tools != len(tools) {
		t.Errorf("%v %+v", err, im)
	}
	r, err := Generate(Options{Dir: dir, Specs: "again"})
	if err != nil || r.Failed() {
		t.Error(err, messages(r.Findings))
	}
}

func TestImportFaults(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		`[{"name":"a",}]`:     "m.json:1:14: ",
		`{"server":{}}`:       "no list of tools",
		`[{"name":"a\ud800"`:  "m.json:1:",
		`[{"description":1}]`: "no tool with a name",
	} {
		writeFile(t, filepath.Join(dir, "m.json"), text)
		_, err := Import(context.Background(), ImportOptions{File: filepath.Join(dir, "m.json"), Out: filepath.Join(dir, "specs")})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "specs")); err == nil {
		t.Error("a failed import made a folder")
	}
	_, err := Import(context.Background(), ImportOptions{Command: []string{"sh", "-c", "echo the key is missing >&2; exit 1"}, Out: dir + "/specs"})
	if err == nil || !strings.Contains(err.Error(), "the key is missing") {
		t.Error(err)
	}
}
