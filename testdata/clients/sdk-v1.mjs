// The TypeScript SDK before it was split into packages. It knows the legacy era only.
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { opener } from "./sdk.mjs";
import { wholeSession } from "./session.mjs";

const [teaagent, fixture, work] = process.argv.slice(2);
const open = opener(StdioClientTransport, async (transport, person, onerror) => {
  const client = new Client({ name: "sdk-v1", version: "1.0.0" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => person(params));
  client.onerror = onerror;
  await client.connect(transport);
  return { client, call: (params, options) => client.callTool(params, undefined, options) };
});
await wholeSession("sdk-v1, legacy", "legacy", open, { teaagent, fixture, root: join(work, "sdk-v1"), validator: new AjvJsonSchemaValidator() });
