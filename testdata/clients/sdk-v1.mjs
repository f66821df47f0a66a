// The TypeScript SDK before it was split into packages.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { checkSession } from "./check.mjs";

const [command, root] = process.argv.slice(2);
const client = new Client({ name: "sdk-v1", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args: ["mcp", "serve", "--root", root, "--permission-mode", "allow"] }));
await checkSession("sdk-v1", client, new AjvJsonSchemaValidator());
await client.close();
