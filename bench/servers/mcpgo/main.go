// The benchmark's server on github.com/mark3labs/mcp-go: N tools by its schema
// options and typed handler, with validation of the input on. Usage: mcpgo N.
package main

import (
	"context"
	"log"
	"os"
	"strconv"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/teaagent/teaagent/bench/shape"
)

type args struct {
	Path  string   `json:"path"`
	Note  string   `json:"note"`
	Count int      `json:"count"`
	All   bool     `json:"all"`
	Order string   `json:"order"`
	Tags  []string `json:"tags"`
}

func main() {
	n, err := strconv.Atoi(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	s := server.NewMCPServer("bench", "1.0.0",
		server.WithToolCapabilities(false),
		server.WithInputSchemaValidation(),
		server.WithStrictInputSchemaDefault(),
	)
	for i := 1; i <= n; i++ {
		s.AddTool(mcp.NewTool(shape.Name(i),
			mcp.WithDescription(shape.Description(i)),
			mcp.WithString("path", mcp.Required(), mcp.MinLength(1), mcp.MaxLength(shape.MaxPath), mcp.Description(shape.PathText)),
			mcp.WithString("note", mcp.Description(shape.NoteText)),
			mcp.WithInteger("count", mcp.Min(shape.MinCount), mcp.Max(shape.MaxCount), mcp.DefaultNumber(shape.DefaultCount), mcp.Description(shape.CountText)),
			mcp.WithBoolean("all", mcp.Description(shape.AllText)),
			mcp.WithString("order", mcp.Enum(shape.Orders...), mcp.Description(shape.OrderText)),
			mcp.WithArray("tags", mcp.WithStringItems(), mcp.Description(shape.TagsText)),
		), mcp.NewTypedToolHandler(listThing))
	}
	if err := server.ServeStdio(s); err != nil {
		log.Fatal(err)
	}
}

func listThing(_ context.Context, _ mcp.CallToolRequest, a args) (*mcp.CallToolResult, error) {
	if a.Count == 0 { // mcp-go advertises defaults and leaves them to the handler
		a.Count = shape.DefaultCount
	}
	return mcp.NewToolResultText(shape.Answer(a.Path, int64(a.Count), a.All, a.Order, len(a.Tags), a.Note)), nil
}
