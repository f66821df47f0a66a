package gen

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// sixArgs is a tool as the line budget knows it.
const sixArgs = `
    args:
      path: {type: string, role: path, required: true, minLength: 1, maxLength: 4096, description: Path relative to the workspace root.}
      query: {type: string, maxLength: 200, description: Text to look for.}
      limit: {type: integer, minimum: 1, maximum: 10000, default: 100, description: Number of things to return.}
      ratio: {type: number, minimum: 0, maximum: 1, default: 0.5, description: Share of the things to look at.}
      recursive: {type: boolean, default: false, description: Whether to look below.}
      format: {type: string, format: date, description: Day to start at.}
`

// A tool with six args costs at most 60 lines of Go, the guard included.
func TestLinesPerTool(t *testing.T) {
	const head = "category: shell\ntools:\n  - {name: demo_runCommand, description: Run a command.}\n"
	const limits = "    workspace: read\n    rateLimit: {maxCalls: 30, windowSeconds: 60}\n    timeoutSeconds: 90"
	for what, tool := range map[string]string{
		"read-only":   "  - name: demo_readThing\n    description: Read one of the many things that there are.\n    readOnly: true\n" + limits + sixArgs,
		"destructive": "  - name: demo_deleteThing\n    description: Delete one of many things. Requires confirm=true.\n    destructive: true\n" + limits + sixArgs,
	} {
		repo(t)
		writeFile(t, "specs/shell.yaml", head)
		mustGenerate(t)
		before := strings.Count(read(t, "generated/shell_gen.go"), "\n")
		writeFile(t, "specs/shell.yaml", head+tool)
		mustGenerate(t)
		if got := strings.Count(read(t, "generated/shell_gen.go"), "\n") - before; got > 60 {
			t.Errorf("a %s tool costs %d lines", what, got)
		} else {
			t.Logf("a %s tool costs %d lines", what, got)
		}
	}
}

// Generated code is static data: a binary with it has nothing to run at start.
func TestNoInit(t *testing.T) {
	dir := synthetic(t, 60)
	writeModule(t, dir, "example.com/synthetic")
	if _, err := Generate(Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "main.go"), `package main

import (
	"example.com/synthetic/generated"
	"github.com/teaagent/teaagent/mcp"
)

var server = &generated.Server

func main() { println(len(server.Categories), mcp.GeneratedV1) }
`)
	goRun(t, dir, "build", "-o", "server", ".")
	symbols := goRun(t, dir, "tool", "nm", "server")
	if !strings.Contains(symbols, "example.com/synthetic/generated.Server") {
		t.Fatal("the server is not in the binary")
	}
	if init := regexp.MustCompile(`.*synthetic/generated\.(init|\.inittask).*`).FindString(symbols); init != "" {
		t.Errorf("generated code runs at start: %s", init)
	}
}

// The manifest says what the specs say: generating from it gives the same.
func TestManifestIsASpec(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"guards", "types", "names", "comments"} {
		archive, err := txtar.ParseFile(filepath.Join(here, "testdata", name+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{}
		for _, f := range archive.Files {
			if path, ok := strings.CutPrefix(f.Name, "want/"); ok {
				want[path] = string(f.Data)
			}
		}
		var manifest struct {
			Server map[string]json.RawMessage `json:"server"`
			Prefix json.RawMessage            `json:"prefix"`
			Tools  json.RawMessage            `json:"tools"`
		}
		if err := json.Unmarshal([]byte(want["mcp-tools.json"]), &manifest); err != nil {
			t.Fatal(err)
		}
		// JSON is YAML, so the parts of the manifest are spec files.
		server := "prefix: " + string(manifest.Prefix) + "\n"
		for key, value := range manifest.Server {
			if key == "name" {
				key = "server"
			}
			server += key + ": " + string(value) + "\n"
		}
		t.Chdir(t.TempDir())
		writeFile(t, "go.mod", "module example.com/cases/"+name+"\n")
		writeFile(t, "specs/server.yaml", server)
		writeFile(t, "specs/tools.yaml", "tools: "+string(manifest.Tools))
		r, err := Generate(Options{unlinted: true})
		if err != nil || r.Failed() {
			t.Fatal(err, messages(r.Findings))
		}
		for path, text := range want {
			if data, _ := os.ReadFile(path); string(data) != text {
				t.Errorf("%s: %s differs:\n%s", name, path, textDiff(t, text, string(data)))
			}
		}
	}
}

// One set is built and called: what the specs say is what arrives.
func TestCalls(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/types.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	writeModule(t, dir, "example.com/cases/types")
	for _, f := range archive.Files {
		if path, ok := strings.CutPrefix(f.Name, "want/generated/"); ok {
			writeFile(t, filepath.Join(dir, "generated", path), string(f.Data))
		}
	}
	writeFile(t, filepath.Join(dir, "main.go"), echoServer)
	goRun(t, dir, "build", "-o", "echo", ".")
	for _, c := range []struct{ call, want string }{
		{`"ty_takeScalars","arguments":{"text":"x"}`, // defaults
			`Text:x Sized:- Long:- Mail:- Command:- Token:hush Count:- Port:8080 Step:- Ratio:0.5 Price:- Deep:true Plain:false Since:2026-01-02T01:04:05Z Until:- Day:2026-01-02`},
		{`"ty_takeScalars","arguments":{"text":"x","sized":"äöü","count":-9223372036854775808,"port":1e2,"price":0.07,"deep":false,"until":"2026-01-02T03:04:05Z","step":10}`,
			`Text:x Sized:äöü Long:- Mail:- Command:- Token:hush Count:-9223372036854775808 Port:100 Step:10 Ratio:0.5 Price:0.07 Deep:false Plain:false Since:2026-01-02T01:04:05Z Until:2026-01-02T03:04:05Z Day:2026-01-02`},
		{`"ty_takeScalars","arguments":{"sized":"ä","port":65536,"step":7,"ratio":0,"day":"2026-02-30","txt":1}`,
			`/text: required|/sized: want a string of 2 to 5 characters|/port: want an integer from 1 to 65535|/step: want a multiple of 5|/ratio: want a number above 0|/day: want a string with the format date|/txt: no such key (did you mean \"text\"?)`},
		{`"ty_takeEnums","arguments":{"mode":"w+","many":["desc","asc"]}`, `Mode:w+ Level:2 Many:[desc asc] State:`},
		{`"ty_takeEnums","arguments":{"mode":"x","level":3}`, `/mode: want one of \"r\", \"r+\", \"w\", \"w+\"|/level: want one of 1, 2, -1`},
		{`"ty_takeNested","arguments":{"names":["a"],"filter":{}}`,
			`Names:[a] Tags:[a b] Grid:- Filter:{Range:- Entries:- Nothing:-} Window:{Width:3 Height:4 Title:wide Size:-} Boxes:[{Width:1 Scale:2}]`},
		{`"ty_takeNested","arguments":{"names":["a","b"],"tags":[],"grid":[[1,2],[]],"filter":{"range":{"from":1},"entries":[{"key":"k","weight":0.5}],"nothing":{}},"window":{"width":9},"boxes":[{"width":2},{"width":3,"scale":4}]}`,
			`Names:[a b] Tags:[] Grid:[[1 2] []] Filter:{Range:{From:1 To:10} Entries:[{Key:k Weight:0.5}] Nothing:{}} Window:{Width:9 Height:4 Title:- Size:-} Boxes:[{Width:2 Scale:2} {Width:3 Scale:4}]`},
		{`"ty_takeNested","arguments":{"names":["a","a"],"filter":{"range":{}}}`, `/names: want an array without equal items|/filter/range/from: required`},
		{`"ty_returnAll"`, `"structuredContent":{"text":"t","count":1,"port":80,"ok":true,"at":"2026-01-02T03:04:05Z","lines":[],"grid":[[0.5]],"entries":[{"name":"n","kind":"file","parent":{}}]}`},
		{`"ty_takeEnums","arguments":{"mode":"r","state":"closed"}`, `"structuredContent":{"state":"closed","level":-1}`},
		{`"ty_takeEnums","arguments":{"mode":"r"}`, `"structuredContent":{"state":"open"}`},
		{`"ty_empty"`, `"structuredContent":{}`},
		{`"ty_nothing","arguments":{"a":1}`, `/a: no such key`},
	} {
		writeFile(t, filepath.Join(dir, "call.json"), `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":`+c.call+`}}`)
		cmd := exec.Command("./echo")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("call %s: %v\n%s", c.call, err, out)
		}
		got := string(out)
		for want := range strings.SplitSeq(c.want, "|") {
			if !strings.Contains(got, want) {
				t.Errorf("call %s\nwant %s\ngot  %s", c.call, want, got)
			}
		}
	}
}

// echoServer is a server whose tools answer with the arguments that they got.
const echoServer = `package main

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"strings"
	"time"

	"example.com/cases/types/generated"
	"github.com/teaagent/teaagent/mcp"
	"github.com/teaagent/teaagent/mcp/policy"
)

type echo struct{}

func (echo) TakeScalars(_ context.Context, a generated.TakeScalarsArgs) (mcp.Result, error) {
	return mcp.Text(show(reflect.ValueOf(a))), nil
}

func (echo) TakeEnums(_ context.Context, a generated.TakeEnumsArgs) (generated.TakeEnumsResult, error) {
	fmt.Println(show(reflect.ValueOf(a)))
	r := generated.TakeEnumsResult{State: a.State}
	if a.State == "" {
		r.State = generated.TakeEnumsStateOpen
	} else {
		r.Level = generated.TakeEnumsLevelMinus1
	}
	return r, nil
}

func (echo) TakeNested(_ context.Context, a generated.TakeNestedArgs) (mcp.Result, error) {
	return mcp.Text(show(reflect.ValueOf(a))), nil
}

func (echo) ReturnAll(context.Context, generated.ReturnAllArgs) (generated.ReturnAllResult, error) {
	return generated.ReturnAllResult{
		Text:  "t",
		Count: 1,
		Port:  mcp.Some[int64](80),
		Ok:    true,
		At:    time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Grid:  mcp.Some([][]float64{{0.5}}),
		Entries: []generated.ReturnAllEntry{{
			Name:   "n",
			Kind:   generated.ReturnAllEntryKindFile,
			Parent: mcp.Some(generated.ReturnAllEntryParent{}),
		}},
	}, nil
}

func (echo) Nothing(context.Context, generated.NothingArgs) (mcp.Result, error) { return mcp.Text(""), nil }

func (echo) Empty(context.Context, generated.EmptyArgs) (generated.EmptyResult, error) {
	return generated.EmptyResult{}, nil
}

// show prints an Optional as its value, or as - if it is absent.
func show(v reflect.Value) string {
	if t, ok := v.Interface().(time.Time); ok {
		return t.UTC().Format(time.RFC3339)
	}
	if get := v.MethodByName("Get"); get.IsValid() {
		out := get.Call(nil)
		if !out[1].Bool() {
			return "-"
		}
		return show(out[0])
	}
	var parts []string
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			parts = append(parts, v.Type().Field(i).Name+":"+show(v.Field(i)))
		}
		return "{" + strings.Join(parts, " ") + "}"
	case reflect.Slice:
		for i := range v.Len() {
			parts = append(parts, show(v.Index(i)))
		}
		return "[" + strings.Join(parts, " ") + "]"
	}
	return fmt.Sprint(v.Interface())
}

func main() {
	call, err := os.ReadFile("call.json")
	if err != nil {
		panic(err)
	}
	in := ` + "`" + `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "`" + ` + "\n" + string(call) + "\n"
	err = mcp.Serve[generated.Handlers](context.Background(), &generated.Server, echo{}, mcp.Options{In: strings.NewReader(in), Mode: policy.Allow})
	if err != nil {
		panic(err)
	}
}
`
