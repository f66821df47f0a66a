// The client inside the MCP Inspector, which its command line, its terminal and
// its web page share. The command line shows no progress, answers no questions
// and never cancels, so this drives what would: the package does not export that
// client, so a hook at its loading does.
import { readdirSync } from "node:fs";
import { createRequire, register } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { wholeSession } from "./session.mjs";

const build = join(dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector/package.json")), "clients/mcpdo/build");
const chunk = pathToFileURL(join(build, readdirSync(build).find((name) => name.startsWith("chunk-")))).href;
const hook = `export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (url === ${JSON.stringify(chunk)}) loaded.source += "\\nexport { InspectorClient, createTransportNode, eraToVersionNegotiation };";
  return loaded;
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
const { InspectorClient, createTransportNode, eraToVersionNegotiation } = await import(chunk);

function opener(mode) {
  return async (command, args, person) => {
    const client = new InspectorClient(
      { type: "stdio", command, args, env: { TEAAGENT_HOME: process.env.TEAAGENT_HOME } },
      {
        environment: { transport: createTransportNode },
        clientIdentity: { name: "inspector", version: "1.0.0" },
        pipeStderr: true,
        sample: false,
        versionNegotiation: eraToVersionNegotiation(mode),
      },
    );
    const wire = [];
    const errors = [];
    let stderr = "";
    client.addEventListener("message", ({ detail }) => wire.push({ from: detail.origin, message: detail.message }));
    client.addEventListener("error", ({ detail }) => errors.push(detail));
    client.addEventListener("stderrLog", ({ detail }) => (stderr += `${detail.message}\n`));
    client.addEventListener("newPendingElicitation", async ({ detail }) => detail.respond(await person(detail.request.params)));
    await client.connect();
    const tools = new Map((await client.listAllTools()).tools.map((tool) => [tool.name, tool]));
    return {
      wire,
      errors,
      stderr: () => stderr,
      listTools: async () => (await client.listAllTools()).tools,
      listResources: async () => (await client.listAllResources()).resources,
      listTemplates: async () => (await client.listAllResourceTemplates()).resourceTemplates,
      async callTool(name, args, { signal, onprogress } = {}) {
        const show = ({ detail }) => onprogress?.(detail);
        const stop = () => client.cancelToolCall();
        client.addEventListener("progressNotification", show);
        signal?.addEventListener("abort", stop);
        try {
          return (await client.callTool(tools.get(name) ?? { name, inputSchema: { type: "object" } }, args)).result;
        } finally {
          client.removeEventListener("progressNotification", show);
          signal?.removeEventListener("abort", stop);
        }
      },
      async readResource(uri, { signal } = {}) {
        const clear = client.setAmbientRequestSignal(signal);
        try {
          return (await client.readResource(uri)).result;
        } finally {
          clear();
        }
      },
      close: () => client.disconnect(),
    };
  };
}

const [teaagent, fixture, work] = process.argv.slice(2);
for (const [mode, era] of [
  ["legacy", "legacy"],
  ["auto", "modern"],
  ["modern", "modern"],
]) {
  await wholeSession(`inspector's client, ${mode}`, era, opener(mode), { teaagent, fixture, root: join(work, `inspector-client-${mode}`), validator: new AjvJsonSchemaValidator() });
}
