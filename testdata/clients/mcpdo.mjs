// mcpdo, the MCP Inspector's other command: it holds a session, and lets the
// person behind it answer the server's questions.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { checker, eraOf, tap, workspace } from "./check.mjs";

const [teaagent, , work] = process.argv.slice(2);
const mcpdo = join(dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector/package.json")), "clients/mcpdo/build/mcp-bin.js");
const env = { ...process.env, HOME: join(work, "mcpdo-home"), TMPDIR: work, MCP_INSPECTOR_SECRET_STORE: "file" };
mkdirSync(env.HOME);

function run(...args) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [mcpdo, "--format", "json", ...args], { encoding: "utf8", env, timeout: 60_000 });
  if (stdout === "") throw new Error(`mcpdo ${args.join(" ")} exits with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

// The process that holds the sessions is this test's own, and ends with it.
const exports = spawnSync(process.execPath, [mcpdo, "private"], { encoding: "utf8", env }).stdout;
for (const [, name, value] of exports.matchAll(/^export (\w+)='(.*)'$/gm)) env[name] = value;
if (env.MCP_INSPECTOR_DAEMON_DIR === undefined) throw new Error(`mcpdo private says ${exports}`); // else it would use the person's own
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
process.on("exit", () => spawnSync(process.execPath, [mcpdo, "daemon", "stop"], { env }));

for (const [mode, era] of [
  ["legacy", "legacy"],
  ["auto", "modern"],
  ["modern", "modern"],
]) {
  const check = checker(`mcpdo, ${mode}`);
  const root = join(work, `mcpdo-${mode}`);
  workspace(root);
  const origin = { legacy: "server-request", modern: "input-required" }[era];

  const log = `${root}.log`;

  await check.step("asks for approval", () => {
    const { name, protocolEra } = run("--connection", mode, "connect", "--era", mode, "--transport", "stdio", "--", ...tap(log), teaagent, "mcp", "serve", "--root", root);
    check.equal("the era is the one that was asked for", [protocolEra, eraOf(log)], [era, era]);
    const call = (tool, args) => run("--connection", name, "tools/call", tool, JSON.stringify(args));
    const answer = ({ elicitationId }, ...how) => run("--connection", name, "elicitation/respond", elicitationId, ...how);

    let question = call("teaagent_movePath", { from: "notes.txt", to: "moved.txt", confirm: true }).elicitationPending;
    check.equal("the question comes the way of the era", [question?.origin, Object.keys(question?.requestedSchema.properties ?? {})], [origin, ["approve", "scope"]]);
    check.that("nothing is done before the answer", existsSync(join(root, "notes.txt")));
    let r = answer(question, "approve:=true");
    check.equal("an approved move is done", [r.structuredContent?.path, existsSync(join(root, "moved.txt"))], ["moved.txt", true]);

    question = call("teaagent_deletePath", { path: "moved.txt", confirm: true }).elicitationPending;
    r = answer(question, "--decline");
    check.equal("a no is a no", [r.isError, r.content?.[0].text.slice(0, 17), existsSync(join(root, "moved.txt"))], [true, "[APPROVAL_DENIED]", true]);
  });
  check.done();
}
