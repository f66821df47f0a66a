// Command conformance is the server that the official conformance suite talks to.
package main

import (
	"example.com/conformance/generated"
	"example.com/conformance/handlers"
	"github.com/teaagent/teaagent/mcp/mcpcmd"
)

func main() { mcpcmd.Main(generated.Server, handlers.New) }
