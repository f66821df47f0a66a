// What the two versions of the TypeScript SDK have in common.

// opener returns a client for session.mjs. start connects an SDK's client, and
// returns it with call(params, options), which calls a tool.
export function opener(StdioClientTransport, start) {
  return async (command, args, person) => {
    const transport = new StdioClientTransport({ command, args, stderr: "pipe", env: { TEAAGENT_HOME: process.env.TEAAGENT_HOME } });
    const wire = [];
    const errors = [];
    let stderr = "";
    transport.stderr.on("data", (chunk) => (stderr += chunk));
    transport.onmessage = (message) => wire.push({ from: "server", message });
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      wire.push({ from: "client", message });
      return send(message, options);
    };
    const { client, call } = await start(transport, person, (error) => errors.push(error));
    return {
      wire,
      errors,
      stderr: () => stderr,
      listTools: () => pages((params) => client.listTools(params), "tools"),
      listResources: () => pages((params) => client.listResources(params), "resources"),
      listTemplates: () => pages((params) => client.listResourceTemplates(params), "resourceTemplates"),
      callTool: (name, args, options) => call({ name, arguments: args }, options),
      readResource: (uri, options) => client.readResource({ uri }, options),
      close: () => client.close(),
    };
  };
}

// pages returns what is on all pages.
async function pages(list, what) {
  const all = [];
  for (let cursor; ; ) {
    const page = await list(cursor && { cursor });
    all.push(...page[what]);
    cursor = page.nextCursor;
    if (cursor === undefined) return all;
  }
}
