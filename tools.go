// Package teaagent holds the line that generates the server this repo ships,
// and the manifest that comes of it.
package teaagent

import _ "embed"

//go:generate go run ./cmd/teagen generate

// Manifest is mcp-tools.json: the specs of all tools in their canonical JSON form.
//
//go:embed mcp-tools.json
var Manifest []byte
