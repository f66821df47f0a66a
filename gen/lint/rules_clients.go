package lint

import (
	"strings"

	"github.com/teaagent/teaagent/gen/spec"
)

// clientRules are limits that clients have of names, numbers and texts.
var clientRules = []Rule{
	{
		ID:       "name-characters",
		Purpose:  "A tool's name is letters, digits, _ and -, at most 64.",
		Kind:     Clients,
		Listed:   true,
		Profiles: []string{"openai", "claude-code", "copilot"},
		Source:   "OpenAI's limit: cline#11885; Anthropic's: copilot-cli#1879, XcodeBuildMCP#3",
		Check:    eachTool(nameCharacters),
		Pass:     `[{"name": "docker_list", "description": "List them.", "inputSchema": {"type": "object"}}]`,
		Fail:     `[{"name": "docker.list", "description": "List them.", "inputSchema": {"type": "object"}}]`,
	},
	{
		ID:       "name-length",
		Purpose:  "A tool's name has at most 46 characters, so that a client can put its own prefix before it.",
		Kind:     Clients,
		Listed:   true,
		Profiles: []string{"vscode", "copilot"},
		Source:   "VS Code's source: 18 of 64 characters are for its prefix; vscode#243602",
		Check:    eachTool(nameLength),
		Pass:     `- {name: docker_listContainers, description: List the containers.}`,
		Fail:     `- {name: docker_listContainersOfEveryProjectInTheWorkspace, description: List the containers.}`,
	},
	{
		ID:       "name-server-length",
		Purpose:  "The server's and the tool's name have at most 60 characters, one between them counted.",
		Kind:     Clients,
		Severity: spec.Warning,
		Profiles: []string{"cursor"},
		Source:   "mcp-playwright#145",
		Check:    eachTool(nameServerLength),
		Pass:     `- {name: docker_listContainers, description: List the containers.}`,
		Fail:     `- {name: docker_listContainersOfAnEntireWorkspace, description: List the containers.}`,
		Server:   "server: docker-of-the-workspace\nlint: {profile: cursor}",
	},
	{
		ID:       "name-mcp-length",
		Purpose:  "Between mcp__server__ and its end, a tool's name has at most 64 characters.",
		Kind:     Clients,
		Severity: spec.Warning,
		Profiles: []string{"claude-code"},
		Source:   "XcodeBuildMCP#3",
		Check:    eachTool(nameMCPLength),
		Pass:     `- {name: docker_listContainers, description: List the containers.}`,
		Fail:     `- {name: docker_listContainersOfTheWorkspace, description: List the containers.}`,
		Server:   "server: docker-of-the-workspaces\nlint: {profile: claude-code}",
	},
	{
		ID:       "name-mcp-kept",
		Purpose:  "With mcp__server__ before it, a tool's name has at most 128 characters.",
		Kind:     Clients,
		Profiles: []string{"claude-code"},
		Source:   "Claude Code leaves out tools with longer names (its documentation, by a summary)",
		Check:    eachTool(nameMCPKept),
		Pass:     `- {name: docker_ping, description: Ping the daemon.}`,
		Fail:     `- {name: docker_ping, description: Ping the daemon.}`,
		Server:   `server: docker` + strings.Repeat("-of-the-workspace", 7) + "\nlint: {profile: claude-code}",
	},
	{
		ID:       "tools-many",
		Purpose:  "A server has at most 40 tools.",
		Kind:     Clients,
		Severity: spec.Warning,
		Listed:   true,
		Profiles: []string{"cursor"},
		Source:   "Cursor shows a model the first 40: mcp-testrail#6",
		Check:    toolsMany,
		Pass:     `- {name: docker_ping, description: Ping the daemon.}`,
		Fail:     manyToolsJSON(41),
	},
	{
		ID:       "tools-too-many",
		Purpose:  "A server has at most 128 tools.",
		Kind:     Clients,
		Listed:   true,
		Profiles: []string{"vscode", "copilot", "openai"},
		Source:   "vscode-copilot-release#11653, copilot-intellij-feedback#1842",
		Check:    toolsTooMany,
		Pass:     manyToolsJSON(3),
		Fail:     manyToolsJSON(129),
	},
	{
		ID:       "text-length",
		Purpose:  "A description of a tool, its usage included, or of an arg has at most 1,024 characters.",
		Kind:     Clients,
		Listed:   true,
		Profiles: []string{"openai"},
		Source:   "the OpenAI API's limit for functions, as commonly reported",
		Check:    textLength,
		Pass:     `- {name: docker_ping, description: Ping the daemon., usage: It answers or not.}`,
		Fail:     `- {name: docker_ping, description: Ping the daemon., usage: ` + strings.Repeat("It answers or not. ", 60) + `}`,
	},
	{
		ID:       "text-instructions",
		Purpose:  "A server's instructions have at most 2,048 bytes.",
		Kind:     Clients,
		Profiles: []string{"claude-code"},
		Source:   "claude-code#41593, claude-code#39106, insights-mcp#340",
		Check:    textInstructions,
		Pass:     `- {name: docker_ping, description: Ping the daemon.}`,
		Fail:     `- {name: docker_ping, description: Ping the daemon.}`,
		Server:   `instructions: ` + strings.Repeat("Paths have slashes. ", 110),
	},
}

// manyToolsJSON lists n tools that have nothing else to be said against them.
func manyToolsJSON(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(string("[,"[min(i, 1)]) + `{"name": "docker_list` + strings.Repeat("A", i/26) + string(rune('A'+i%26)) + `", "description": "List them.", "inputSchema": {"type": "object"}}`)
	}
	return b.String() + "]"
}
