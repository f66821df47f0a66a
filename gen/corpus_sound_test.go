package gen

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// soundCall is one call of an entry of sound.txtar, and what it comes to.
type soundCall struct {
	entry string
	Name  string          `json:"name"`
	Args  json.RawMessage `json:"arguments"`
	want  []string        // "gets …", "fails …" or "sends …"
}

// Every entry of sound.txtar generates, compiles, and is called through the
// runtime; its manifest generates the same.
func TestCorpusSound(t *testing.T) {
	archive, err := txtar.ParseFile("../testdata/corpus/sound.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.Files) < 60 {
		t.Errorf("%d entries", len(archive.Files))
	}
	dir := t.TempDir()
	writeModule(t, dir, "example.com/sound")
	server := "server: sound\nprefix: co\nversion: \"1\"\ncategories:\n"
	var calls []soundCall
	returns := map[string]string{} // by tool
	for _, entry := range archive.Files {
		category := strings.ReplaceAll(entry.Name, "_", "-")
		server += "  " + category + ": {description: Odd things.}\n"
		specs := soundEntry(t, entry, &calls, returns)
		writeFile(t, filepath.Join(dir, "specs", entry.Name+".yaml"), "category: "+category+"\n"+specs)
	}
	writeFile(t, filepath.Join(dir, "specs", "server.yaml"), server)
	mustGenerateIn(t, dir)
	fillStubs(t, dir, returns)
	sameFromManifest(t, dir)

	writeFile(t, filepath.Join(dir, "main.go"), soundMain)
	text, err := json.Marshal(calls)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "calls.json"), string(text))
	var answers []string
	if err := json.Unmarshal([]byte(goRun(t, dir, "run", ".")), &answers); err != nil {
		t.Fatal(err)
	}
	for i, c := range calls {
		c.check(t, answers[i])
	}
}

var toolName = regexp.MustCompile(`name: "?([^,"}\n]+)`)

// soundEntry notes the calls of an entry, and returns its spec.
func soundEntry(t *testing.T, entry txtar.File, calls *[]soundCall, returns map[string]string) (specs string) {
	t.Helper()
	_, tools, _ := strings.Cut(string(entry.Data), "tools:")
	first := toolName.FindStringSubmatch(tools)
	if first == nil {
		t.Fatalf("%s: no tool", entry.Name)
	}
	before := len(*calls)
	for line := range strings.Lines(string(entry.Data)) {
		verb, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch verb {
		case "call":
			c := soundCall{entry: entry.Name, Name: first[1], Args: json.RawMessage(rest)}
			if name, args, ok := strings.Cut(rest, " {"); ok && rest[0] != '{' {
				c.Name, c.Args = name, json.RawMessage("{"+args)
			}
			*calls = append(*calls, c)
		case "gets", "fails", "sends":
			last := &(*calls)[len(*calls)-1]
			last.want = append(last.want, line[:len(line)-1])
		case "returns":
			// The tool that gives a result is the last one of its entry.
			all := toolName.FindAllStringSubmatch(tools, -1)
			for _, m := range all {
				if strings.HasPrefix(m[1], "co_") {
					returns[m[1]] = rest
				}
			}
		default:
			specs += line
		}
	}
	if len(*calls) == before {
		t.Errorf("%s: nothing is called", entry.Name)
	}
	return specs
}

func mustGenerateIn(t *testing.T, dir string) {
	t.Helper()
	r, err := Generate(Options{Dir: dir, unlinted: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if f.Rule != "spec-unused" {
			t.Errorf("%v", f)
		}
	}
	if r.Failed() {
		t.FailNow()
	}
}

var stubBody = regexp.MustCompile(`return (.*), mcp\.Errorf\("NOT_IMPLEMENTED", "(\S+) .*\)`)

// fillStubs gives every handler a body: the arguments as text, or the result
// that the entry states.
func fillStubs(t *testing.T, dir string, returns map[string]string) {
	t.Helper()
	stubs, err := filepath.Glob(filepath.Join(dir, "handlers", "*_tool.go"))
	if err != nil || len(stubs) < 60 {
		t.Fatal(len(stubs), "stubs", err)
	}
	for _, name := range stubs {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := stubBody.ReplaceAllStringFunc(string(data), func(body string) string {
			m := stubBody.FindStringSubmatch(body)
			switch {
			case m[1] == "nil":
				return `return mcp.Text(fmt.Sprintf("%+v", args)), nil`
			case m[1] == "mcp.Preview{}":
				return "return mcp.Preview{}, nil"
			}
			return "return " + strings.Replace(m[1], "{}", "{"+returns[m[2]]+"}", 1) + ", nil"
		})
		text = strings.Replace(text, "import (\n", "import (\n\t\"fmt\"\n", 1) + "\nvar _ = fmt.Sprint\n\nvar _ mcp.Env\n"
		writeFile(t, name, text)
	}
}

// sameFromManifest generates from the manifest alone.
func sameFromManifest(t *testing.T, dir string) {
	t.Helper()
	again := t.TempDir()
	writeModule(t, again, "example.com/sound")
	manifest, err := os.ReadFile(filepath.Join(dir, "mcp-tools.json"))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(again, "specs", "mcp-tools.json"), string(manifest))
	mustGenerateIn(t, again)
	files, err := filepath.Glob(filepath.Join(dir, "generated", "*", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob(filepath.Join(dir, "generated", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(append(files, more...), filepath.Join(dir, "mcp-tools.json")) {
		path, err := filepath.Rel(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(filepath.Join(again, path)); string(got) != string(want) {
			t.Errorf("%s, from the manifest:\n%s", path, textDiff(t, string(want), string(got)))
		}
	}
}

// check compares the answer to a call with what its entry wants.
func (c soundCall) check(t *testing.T, answer string) {
	t.Helper()
	var reply struct {
		Result struct {
			StructuredContent json.RawMessage
			Content           []struct{ Text string }
			IsError           bool
		}
		Error *struct{ Message string }
	}
	if err := json.Unmarshal([]byte(answer), &reply); err != nil {
		t.Fatalf("%s: %v in %s", c.entry, err, answer)
	}
	text := ""
	for _, item := range reply.Result.Content {
		text += item.Text
	}
	failed := reply.Result.IsError
	if reply.Error != nil {
		text, failed = reply.Error.Message, true
	}
	if c.want == nil {
		t.Errorf("%s: nothing is wanted of %s", c.entry, c.Args)
	}
	for _, want := range c.want {
		verb, want, _ := strings.Cut(want, " ")
		got := text
		if verb == "sends" {
			got = string(reply.Result.StructuredContent)
		}
		if failed != (verb == "fails") || !strings.Contains(got, want) {
			t.Errorf("%s: %s %s\ngot  %s\nwant %s", c.entry, c.Name, c.Args, text+string(reply.Result.StructuredContent), fmt.Sprint(verb, " ", want))
		}
	}
}

// soundMain answers every call of calls.json in a session of its own.
const soundMain = `package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"example.com/sound/generated"
	"example.com/sound/handlers"
	"github.com/teaagent/teaagent/mcp"
	"github.com/teaagent/teaagent/mcp/policy"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func main() {
	var calls []json.RawMessage
	if err := json.Unmarshal(must(os.ReadFile("calls.json")), &calls); err != nil {
		panic(err)
	}
	h := must(handlers.New(mcp.Env{}))
	var texts []string
	for _, call := range calls {
		var out bytes.Buffer
		in := ` + "`" + `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "`" + ` + "\n" +
			fmt.Sprintf(` + "`" + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":%s}` + "`" + `, call) + "\n"
		err := mcp.Serve[generated.Handlers](context.Background(), &generated.Server, h, mcp.Options{
			In: strings.NewReader(in), Out: &out, Mode: policy.DangerFullAccess, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		})
		if err != nil {
			panic(err)
		}
		answer := "{}"
		for line := range strings.Lines(out.String()) {
			if strings.Contains(line, ` + "`" + `"id":2` + "`" + `) {
				answer = line
			}
		}
		texts = append(texts, answer)
	}
	os.Stdout.Write(must(json.Marshal(texts)))
}
`
