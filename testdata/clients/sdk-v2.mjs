// The TypeScript SDK's second version.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { checkSession } from "./check.mjs";

const [command, root] = process.argv.slice(2);
const client = new Client({ name: "sdk-v2", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args: ["mcp", "serve", "--root", root, "--permission-mode", "allow"] }));
await checkSession("sdk-v2", client, new AjvJsonSchemaValidator());
await client.close();
