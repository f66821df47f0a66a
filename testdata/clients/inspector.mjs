// The MCP Inspector's command line, in each way of finding an era: a process for
// each request. It tells servers that it can't answer questions, shows no
// progress and never cancels; mcpdo.mjs and inspector-client.mjs see to that.
// Its exit codes: 0 all is well, 5 the tool failed or there is none, 6 a schema
// that some client can't read.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { checkList, checker, eraOf, tap, workspace } from "./check.mjs";

const [command, , work] = process.argv.slice(2);
const inspector = join(dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector/package.json")), "clients/launcher/build/index.js");
const home = join(work, "inspector-home"); // it writes a catalog there
mkdirSync(home);

async function use(mode, era) {
  const check = checker(`inspector, ${mode}`);
  const root = join(work, `inspector-${mode}`);
  const log = `${root}.log`;
  workspace(root);

  // inspect returns the exit code, and what was written.
  function inspect(permission, ...options) {
    const server = [...tap(log), command, "mcp", "serve", "--root", root, "--permission-mode", permission];
    return new Promise((resolve) => {
      execFile(process.execPath, [inspector, "--cli", ...server, "--protocol-era", mode, ...options], { env: { ...process.env, HOME: home }, timeout: 120_000 }, (error, out, err) =>
        resolve({ code: error === null ? 0 : error.code, out: out === "" ? {} : JSON.parse(out), err }),
      );
    });
  }
  const call = (permission, tool, args) => inspect(permission, "--method", "tools/call", "--tool-name", `teaagent_${tool}`, "--tool-args-json", JSON.stringify(args));

  await check.step("lists tools", async () => {
    const run = await inspect("prompt", "--method", "tools/list", "--strict");
    check.equal("--strict has no findings", [run.code, run.err.trim()], [0, ""]);
    checkList(check, run.out.tools);
    check.equal("the era is the one that was asked for", eraOf(log), era);
  });

  await check.step("calls tools", async () => {
    let { code, out } = await call("prompt", "readFile", { path: "notes.txt" });
    check.equal("readFile exits with 0", [code, out.content?.[0].text], [0, "one\ntwo\nthree\n"]);
    ({ code, out } = await call("prompt", "findFiles", { pattern: "*.go" }));
    check.equal("findFiles has structure", [code, out.structuredContent?.paths], [0, ["src/main.go"]]);
    ({ code, out } = await call("prompt", "readFile", { path: "/etc/passwd" }));
    check.equal("a path outside exits with 5", [code, out.isError], [5, true]);
    ({ code, out } = await call("prompt", "readFile", { path: "notes.txt", limit: "many" }));
    check.equal("a bad argument exits with 5", [code, out.isError], [5, true]);
    ({ code } = await call("prompt", "noSuchTool", {}));
    check.equal("an unknown tool exits with 5", code, 5);
  });

  await check.step("is not asked for approval", async () => {
    let { code, out } = await call("prompt", "deletePath", { path: "notes.txt", confirm: true });
    check.equal("who can't be asked is denied", [code, out.content?.[0].text.slice(0, 17), existsSync(join(root, "notes.txt"))], [5, "[APPROVAL_DENIED]", true]);
    ({ code } = await call("prompt", "deletePath", { path: "notes.txt", confirm: true, dry_run: true }));
    check.equal("a dry run exits with 0", [code, readFileSync(join(root, "notes.txt"), "utf8")], [0, "one\ntwo\nthree\n"]);
    ({ code, out } = await call("allow", "deletePath", { path: "notes.txt", confirm: true }));
    check.equal("an allowed delete exits with 0", [code, out.structuredContent?.deleted, existsSync(join(root, "notes.txt"))], [0, "notes.txt", false]);
  });

  await check.step("lists and reads resources", async () => {
    let { code, out } = await inspect("prompt", "--method", "resources/list");
    check.equal("the files are listed", [code, out.resources?.map((r) => r.name)], [0, [".gitignore", "src/main.go"]]);
    ({ code, out } = await inspect("prompt", "--method", "resources/templates/list"));
    check.equal("a template is listed", [code, out.resourceTemplates?.map((t) => t.uriTemplate)], [0, ["teaagent://workspace/{+path}"]]);
    ({ code, out } = await inspect("prompt", "--method", "resources/read", "--uri", "teaagent://workspace/src/main.go"));
    check.equal("a file is read", [code, out.contents?.[0].text], [0, "package main\n"]);
    ({ code } = await inspect("prompt", "--method", "resources/read", "--uri", "teaagent://workspace/none"));
    check.that("there is no other", code !== 0, code);
    check.equal("the era was the same all along", eraOf(log), era);
  });
  check.done();
}

await Promise.all([use("legacy", "legacy"), use("auto", "modern"), use("modern", "modern")]);
