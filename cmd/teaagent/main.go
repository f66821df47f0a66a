// Command teaagent is a guarded workspace server for MCP clients.
package main

import (
	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/handlers"
	"github.com/teaagent/teaagent/mcp/mcpcmd"
)

func main() { mcpcmd.Main(generated.Server, handlers.New) }
