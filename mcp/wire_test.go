package mcp_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// wireTool is a tool as tools/list has it; what is nil is not there.
type wireTool struct {
	Name        string
	Description string
	InputSchema json.RawMessage
	Annotations map[string]any
	Meta        map[string]map[string]any `json:"_meta"`
}

// tools/list has the tools of the manifest, in its order.
func TestListIsTheManifest(t *testing.T) {
	text, err := os.ReadFile("../testdata/fixture/mcp-tools.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Tools []struct{ Name, Description string }
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	got := listTools(t, "2025-11-25")
	if len(got) != len(manifest.Tools) || len(got) < 10 {
		t.Fatalf("%d tools, the manifest has %d", len(got), len(manifest.Tools))
	}
	for i, want := range manifest.Tools {
		if got[i].Name != want.Name || !strings.HasPrefix(got[i].Description, want.Description) {
			t.Errorf("tool %d is %s: %s; the manifest has %+v", i, got[i].Name, got[i].Description, want)
		}
	}
}

// Clients refuse a whole list for one null, or a schema that is no object.
func TestListIsWhatClientsTake(t *testing.T) {
	t.Parallel()
	for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		for _, tool := range listTools(t, revision) {
			if !bytes.HasPrefix(tool.InputSchema, []byte(`{"type":"object",`)) {
				t.Errorf("%s: input schema %s", tool.Name, tool.InputSchema)
			}
			for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint", "readOnly", "destructive", "idempotent", "stateful"} {
				if _, is := tool.Annotations[hint].(bool); !is {
					t.Errorf("%s: %s is %v", tool.Name, hint, tool.Annotations[hint])
				}
			}
			for _, name := range []string{"readOnly", "destructive", "idempotent", "stateful", "securityTier"} {
				// Client libraries strip these from the annotations, and keep _meta.
				if again, ok := tool.Meta["dev.teaagent/annotations"][name]; !ok || again != tool.Annotations[name] {
					t.Errorf("%s: %s is %v, and %v in _meta", tool.Name, name, tool.Annotations[name], again)
				}
			}
			if tool.Annotations["readOnlyHint"] == true && tool.Annotations["destructiveHint"] == true {
				t.Errorf("%s is read-only and destructive", tool.Name)
			}
		}
	}
}

func listTools(t *testing.T, revision string) []wireTool {
	t.Helper()
	p := open(t, revision, "")
	p.Send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	line := p.Line()
	if strings.Contains(line, ":null") || strings.Contains(line, "[null") || strings.Contains(line, "nextCursor") {
		t.Errorf("%s: there is a null, or a cursor, in %s", revision, line)
	}
	var answer struct{ Result struct{ Tools []wireTool } }
	if err := json.Unmarshal([]byte(line), &answer); err != nil {
		t.Fatal(err)
	}
	p.Send(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`)
	if again := p.Line(); again != line {
		t.Errorf("%s: asked again, the list is another", revision)
	}
	return answer.Result.Tools
}
