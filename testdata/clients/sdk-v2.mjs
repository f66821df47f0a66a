// The TypeScript SDK's second version, in each way of finding an era.
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { opener } from "./sdk.mjs";
import { wholeSession } from "./session.mjs";

const [teaagent, fixture, work] = process.argv.slice(2);
for (const [name, mode, era] of [
  ["legacy", "legacy", "legacy"],
  ["auto", "auto", "modern"],
  ["pinned", { pin: "2026-07-28" }, "modern"],
]) {
  const open = opener(StdioClientTransport, async (transport, person, onerror) => {
    const client = new Client({ name: "sdk-v2", version: "1.0.0" }, { capabilities: { elicitation: {} }, versionNegotiation: { mode } });
    client.setRequestHandler("elicitation/create", ({ params }) => person(params));
    client.onerror = onerror;
    await client.connect(transport);
    return { client, call: (params, options) => client.callTool(params, options) };
  });
  await wholeSession(`sdk-v2, ${name}`, era, open, { teaagent, fixture, root: join(work, `sdk-v2-${name}`), validator: new AjvJsonSchemaValidator() });
}
