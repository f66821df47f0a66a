// The benchmark's server on github.com/modelcontextprotocol/go-sdk: N tools by
// its typed API. Usage: gosdk N.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"strconv"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/teaagent/teaagent/bench/shape"
)

// The tags describe only: bounds are set on the inferred schema, as the SDK's
// documentation shows.
type args struct {
	Path  string   `json:"path" jsonschema:"Path relative to the workspace root."`
	Note  string   `json:"note,omitempty" jsonschema:"Text to repeat in the answer."`
	Count int      `json:"count,omitempty" jsonschema:"Number of entries to return."`
	All   bool     `json:"all,omitempty" jsonschema:"Whether to include hidden entries."`
	Order string   `json:"order,omitempty" jsonschema:"What to sort the entries by."`
	Tags  []string `json:"tags,omitempty" jsonschema:"Tags that an entry must have."`
}

func main() {
	n, err := strconv.Atoi(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "1.0.0"}, nil)
	for i := 1; i <= n; i++ {
		// Inferred per tool: in a real server every tool has a type of its own.
		mcp.AddTool(server, &mcp.Tool{
			Name:        shape.Name(i),
			Description: shape.Description(i),
			InputSchema: inputSchema(),
		}, listThing)
	}
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Fatal(err)
	}
}

func inputSchema() *jsonschema.Schema {
	s, err := jsonschema.For[args](nil)
	if err != nil {
		log.Fatal(err)
	}
	path := s.Properties["path"]
	path.MinLength = jsonschema.Ptr(1)
	path.MaxLength = jsonschema.Ptr(shape.MaxPath)
	count := s.Properties["count"]
	count.Minimum = jsonschema.Ptr(float64(shape.MinCount))
	count.Maximum = jsonschema.Ptr(float64(shape.MaxCount))
	count.Default = json.RawMessage(strconv.Itoa(shape.DefaultCount))
	for _, o := range shape.Orders {
		s.Properties["order"].Enum = append(s.Properties["order"].Enum, o)
	}
	return s
}

func listThing(_ context.Context, _ *mcp.CallToolRequest, a args) (*mcp.CallToolResult, any, error) {
	text := shape.Answer(a.Path, int64(a.Count), a.All, a.Order, len(a.Tags), a.Note)
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
}
