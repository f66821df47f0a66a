// The benchmark's server on the TypeScript SDK: N tools by registerTool with a
// zod shape. Usage: node server.mjs N.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const n = Number(process.argv[2]);
const server = new McpServer({ name: 'bench', version: '1.0.0' });

for (let i = 1; i <= n; i++) {
  server.registerTool(
    `t_listThing${String(i).padStart(4, '0')}`,
    {
      description: `List the entries of thing ${i} below a path and say what was asked for.`,
      inputSchema: {
        path: z.string().min(1).max(4096).describe('Path relative to the workspace root.'),
        note: z.string().optional().describe('Text to repeat in the answer.'),
        count: z.number().int().min(1).max(1000).default(10).describe('Number of entries to return.'),
        all: z.boolean().optional().describe('Whether to include hidden entries.'),
        order: z.enum(['name', 'size', 'time']).optional().describe('What to sort the entries by.'),
        tags: z.array(z.string()).optional().describe('Tags that an entry must have.'),
      },
    },
    async ({ path, note = '', count, all = false, order = '', tags = [] }) => ({
      content: [{ type: 'text', text: `path=${path} count=${count} all=${all} order=${order} tags=${tags.length} note=${note}` }],
    }),
  );
}

await server.connect(new StdioServerTransport());
