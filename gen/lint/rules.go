package lint

import (
	"slices"

	"github.com/teaagent/teaagent/gen/spec"
)

// rules is the table.
var rules = slices.Concat(standard, settingRules, clientRules, wireRules, safetyRules, costRules)

// standard is the house style. The examples are read beside a server.yaml with prefix
// docker, category containers and variable DOCKER_HOST.
var standard = []Rule{
	{
		ID:      "name-prefix",
		Purpose: "A tool's name starts with the server's prefix and an underscore.",
		Kind:    Standard,
		Check:   eachTool(namePrefix),
		Pass:    `- {name: docker_listContainers, description: List the containers.}`,
		Fail:    `- {name: podman_listContainers, description: List the containers.}`,
	},
	{
		ID:      "name-shape",
		Purpose: "After its prefix, a tool's name is one verbNoun in camel case.",
		Kind:    Standard,
		Check:   eachTool(nameShape),
		Pass:    `- {name: docker_listContainers, description: List the containers.}`,
		Fail:    `- {name: docker_list_containers, description: List the containers.}`,
	},
	{
		ID:      "name-unique",
		Purpose: "No two tools have the same name, nor names that differ in case only.",
		Kind:    Standard,
		Check:   nameUnique,
		Pass: `- {name: docker_getRuntime, description: Get the runtime.}
- {name: docker_getImage, description: Get an image.}`,
		Fail: `- {name: docker_getRuntime, description: Get the runtime.}
- {name: docker_getRunTime, description: Get the time a container ran.}`,
	},
	{
		ID:       "name-verb",
		Purpose:  "After its prefix, a tool's name starts with a verb.",
		Kind:     Standard,
		Severity: spec.Warning,
		Check:    eachTool(nameVerb),
		Pass:     `- {name: docker_listContainers, description: List the containers.}`,
		Fail:     `- {name: docker_containerList, description: List the containers.}`,
	},
	{
		ID:      "desc-present",
		Purpose: "Every tool has a description.",
		Kind:    Standard,
		Listed:  true,
		Check:   eachTool(descPresent),
		Pass:    `- {name: docker_listContainers, description: List the containers.}`,
		Fail:    `- {name: docker_listContainers}`,
	},
	{
		ID:      "desc-imperative",
		Purpose: "Descriptions start with an imperative verb.",
		Kind:    Standard,
		Listed:  true,
		Check:   eachTool(descImperative),
		Pass:    `- {name: docker_listContainers, description: List the running containers.}`,
		Fail:    `- {name: docker_listContainers, description: Lists all running containers.}`,
	},
	{
		ID:      "desc-one-sentence",
		Purpose: "A description is one sentence with a full stop, after which only \"Requires confirm=true.\" may follow.",
		Kind:    Standard,
		Listed:  true,
		Check:   eachTool(descOneSentence),
		Pass:    `- {name: docker_listContainers, description: "List containers, e.g. those of registry.json."}`,
		Fail:    `- {name: docker_listContainers, description: List containers. Shows their IDs.}`,
	},
	{
		ID:      "desc-length",
		Purpose: "A description has under 200 characters; what is longer belongs to usage.",
		Kind:    Standard,
		Listed:  true,
		Check:   eachTool(descLength),
		Pass:    `- {name: docker_listContainers, description: List the containers., usage: They come in no order.}`,
		Fail: `- name: docker_listContainers
  description: >-
    List the containers of the host, whether they run or not, with their IDs, names, images, commands, ports,
    labels, networks, mounts and the time at which each of them was created, started, paused and stopped.`,
	},
	{
		ID:      "desc-effect",
		Purpose: "The description of a destructive tool names what it destroys or changes.",
		Kind:    Standard,
		Check:   eachTool(descEffect),
		Pass:    `- {name: docker_killContainer, destructive: true, auth: none, description: Kill a container by ID. Requires confirm=true.}`,
		Fail:    `- {name: docker_processContainer, destructive: true, auth: none, description: Process a container by ID. Requires confirm=true.}`,
	},
	{
		ID:      "desc-marketing",
		Purpose: "Descriptions say what a tool does, not how good it is.",
		Kind:    Standard,
		Listed:  true,
		Check:   eachTool(descMarketing),
		Pass:    `- {name: docker_listContainers, description: List the running containers.}`,
		Fail:    `- {name: docker_listContainers, description: List containers with a powerful filter.}`,
	},
	{
		ID:      "category-declared",
		Purpose: "Categories are declared in server.yaml.",
		Kind:    Standard,
		Check:   categoryDeclared,
		Pass:    `- {name: docker_listContainers, category: containers, description: List the containers.}`,
		Fail:    `- {name: docker_listContainers, category: container, description: List the containers.}`,
	},
	{
		ID:      "flags-readonly-destructive",
		Purpose: "A read-only tool is not destructive.",
		Kind:    Safety,
		Check:   eachTool(flagsReadOnlyDestructive),
		Pass:    `- {name: docker_removeContainer, destructive: true, auth: none, description: Remove a container. Requires confirm=true.}`,
		Fail:    `- {name: docker_removeContainer, destructive: true, auth: none, readOnly: true, tier: Low, description: Remove a container.}`,
	},
	{
		ID:      "flags-tier-readonly",
		Purpose: "A tool has tier Low if it is read-only, and only then.",
		Kind:    Safety,
		Check:   eachTool(flagsTierReadOnly),
		Pass:    `- {name: docker_listContainers, readOnly: true, tier: Low, description: List the containers.}`,
		Fail:    `- {name: docker_startContainer, tier: Low, description: Start a container.}`,
	},
	{
		ID:      "flags-confirm",
		Purpose: "A destructive tool requires confirmation.",
		Kind:    Standard,
		Check:   eachTool(flagsConfirm),
		Pass:    `- {name: docker_removeContainer, destructive: true, auth: none, description: Remove a container. Requires confirm=true.}`,
		Fail:    `- {name: docker_removeContainer, destructive: true, auth: none, requiresConfirm: false, description: Remove a container.}`,
	},
	{
		ID:      "flags-workspace",
		Purpose: "A read-only tool does not write to the workspace.",
		Kind:    Safety,
		Check:   eachTool(flagsWorkspace),
		Pass:    `- {name: docker_listFiles, readOnly: true, workspace: read, description: List compose files.}`,
		Fail:    `- {name: docker_listFiles, readOnly: true, workspace: write, description: List compose files.}`,
	},
	{
		ID:      "arg-reserved",
		Purpose: "The args confirm and dry_run are added to guarded tools, never declared.",
		Kind:    Safety,
		Check:   eachTool(argReserved),
		Pass:    `- {name: docker_removeContainer, destructive: true, auth: none, description: Remove a container. Requires confirm=true.}`,
		Fail: `- name: docker_startContainer
  description: Start a container.
  args:
    confirm: {type: boolean, description: Whether to go on.}`,
	},
	{
		ID:       "arg-key",
		Purpose:  "Names of args, properties and result fields are letters, digits and underscores, at most 64.",
		Kind:     Clients,
		Profiles: []string{"openai", "gemini"},
		Source:   "function schemas of the OpenAI and Gemini APIs",
		Check:    eachTool(argKey),
		Pass: `- name: docker_startContainer
  description: Start a container.
  args:
    container_id: {type: string, description: Its ID.}`,
		Fail: `- name: docker_startContainer
  description: Start a container.
  args:
    container-id: {type: string, description: Its ID.}`,
	},
	{
		ID:      "arg-description",
		Purpose: "Every arg, and every property of one, has a description.",
		Kind:    Standard,
		Check:   eachArg(argDescription),
		Pass: `- name: docker_startContainer
  description: Start a container.
  args:
    id: {type: string, description: Its ID.}`,
		Fail: `- name: docker_startContainer
  description: Start a container.
  args:
    id: {type: string}`,
	},
	{
		ID:      "text-hidden",
		Purpose: "Specs hold no character that is invisible or reorders the text around it.",
		Kind:    Safety,
		Listed:  true,
		Check:   textHidden,
		Pass:    `- {name: docker_listContainers, description: "List the containers (läuft, 走る, 🏃)."}`,
		Fail:    `- {name: docker_listContainers, description: "List the \u202econtainers."}`,
	},
	{
		ID:      "auth-declared",
		Purpose: "Variables that auth and needs name are declared in server.yaml.",
		Kind:    Standard,
		Check:   eachTool(authDeclared),
		Pass:    `- {name: docker_listContainers, auth: [DOCKER_HOST], description: List the containers.}`,
		Fail:    `- {name: docker_listContainers, auth: [DOCKER_HOTS], description: List the containers.}`,
	},
	{
		ID:       "auth-secret",
		Purpose:  "A secret variable is required, or a tool names it in auth.",
		Kind:     Standard,
		Severity: spec.Warning,
		Check:    authSecret,
		Pass:     `- {name: docker_listContainers, auth: [DOCKER_HOST], description: List the containers.}`,
		Fail:     `- {name: docker_listContainers, auth: none, description: List the containers.}`,
		Server:   `env: {DOCKER_HOST: {description: Where the daemon listens., secret: true}}`,
	},
	{
		ID:       "desc-stem",
		Purpose:  "A description speaks of what the tool's name or one of its args is about.",
		Kind:     Standard,
		Severity: spec.Warning,
		Check:    eachTool(descStem),
		Pass:     `- {name: docker_listContainers, description: List what runs in a container.}`,
		Fail:     `- {name: docker_listContainers, description: List what runs.}`,
	},
	{
		ID:      "auth-stated",
		Purpose: "A destructive tool states what it authenticates with, or auth: none.",
		Kind:    Standard,
		Check:   eachTool(authStated),
		Pass:    `- {name: docker_removeContainer, destructive: true, auth: none, description: Remove a container.}`,
		Fail:    `- {name: docker_removeContainer, destructive: true, description: Remove a container.}`,
	},
	{
		ID:      "example-missing",
		Purpose: "Every tool has an example.",
		Kind:    Standard,
		Check:   eachTool(exampleMissing),
		Pass: `- name: docker_listContainers
  description: List the containers.
  examples:
    - does: lists them`,
		Fail: `- {name: docker_listContainers, description: List the containers.}`,
	},
}
