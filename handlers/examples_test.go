package handlers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/teaagent/teaagent"
)

// example is what a spec says that a call does.
type example struct {
	Does    string            `json:"does"`
	Files   map[string]string `json:"files"`
	Args    args              `json:"args"`
	Returns any               `json:"returns"`
	Needs   []string          `json:"needs"`
}

// TestExamples: every tool has an example, and does what its examples say.
func TestExamples(t *testing.T) {
	var manifest struct {
		Tools []struct {
			Name     string    `json:"name"`
			Category string    `json:"category"`
			Examples []example `json:"examples"`
		} `json:"tools"`
	}
	d := json.NewDecoder(bytes.NewReader(teaagent.Manifest))
	d.UseNumber()
	if err := d.Decode(&manifest); err != nil {
		t.Fatal(err)
	}
	for _, tool := range manifest.Tools {
		if len(tool.Examples) == 0 {
			t.Errorf("%s has no examples: its spec must show one", tool.Name)
		}
		for _, e := range tool.Examples {
			t.Run(tool.Name+"/"+e.Does, func(t *testing.T) { e.run(t, tool.Name, tool.Category == "git") })
		}
	}
}

// run calls the tool. The examples of git's tools begin in a repository with one
// commit, unless they bring one along: see repository.
func (e *example) run(t *testing.T, tool string, git bool) {
	for _, name := range e.Needs {
		if os.Getenv(name) == "" {
			t.Skipf("%s is not set", name)
		}
	}
	mode := "allow"
	if tool == "teaagent_runCommand" {
		mode = commandMode(t)
	}
	c := open(t, e.Files, mode)
	if _, brought := e.Files[".git/HEAD"]; git && !brought {
		repository(t, c.root)
	}
	r, err := c.s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: e.Args})
	if err != nil {
		t.Fatal(err)
	}
	if r.IsError {
		t.Fatal(textOf(r))
	}
	var got any = textOf(r)
	if _, text := e.Returns.(string); !text && r.StructuredContent != nil {
		data, err := json.Marshal(r.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		if err := d.Decode(&got); err != nil {
			t.Fatal(err)
		}
	}
	if e.Returns != nil {
		differences(t, "the result", e.Returns, got)
	}
}

// differences reports where a result is not as an example has it. Of objects an
// example may show a part.
func differences(t *testing.T, at string, want, got any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			break
		}
		for key, value := range want {
			item, ok := object[key]
			if !ok {
				t.Errorf("%s lacks %q; it has %v", at, key, got)
				continue
			}
			differences(t, at+"."+key, value, item)
		}
		return
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			break
		}
		for i, value := range want {
			differences(t, fmt.Sprintf("%s[%d]", at, i), value, list[i])
		}
		return
	default:
		if reflect.DeepEqual(want, got) {
			return
		}
	}
	t.Errorf("%s is %v, want %v", at, got, want)
}
