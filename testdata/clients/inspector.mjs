// The MCP Inspector's command line. Its exit codes: 0 all is well, 5 the tool
// failed or there is none, 6 a schema that some client can't read.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { checker, checkList } from "./check.mjs";

const [command, root] = process.argv.slice(2);
const inspector = join(dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector/package.json")), "clients/launcher/build/index.js");
const check = checker("inspector");
const home = `${root}-home`; // it writes a catalog there
mkdirSync(home);

function inspect(mode, ...options) {
  const run = spawnSync(process.execPath, [inspector, "--cli", command, "mcp", "serve", "--root", root, "--permission-mode", mode, ...options], {
    encoding: "utf8",
    env: { ...process.env, HOME: home },
    timeout: 120_000,
  });
  return { code: run.status, out: run.stdout, err: run.stderr };
}

// call calls a tool and returns the exit code and the answer.
function call(mode, tool, args) {
  const run = inspect(mode, "--method", "tools/call", "--tool-name", `teaagent_${tool}`, "--tool-args-json", JSON.stringify(args));
  return [run.code, run.out === "" ? run.err : JSON.parse(run.out)];
}

let run = inspect("prompt", "--method", "tools/list");
check.equal("tools/list exits with 0", run.code, 0);
checkList(check, JSON.parse(run.out).tools);

run = inspect("prompt", "--method", "tools/list", "--strict");
check.equal(`tools/list --strict has no findings`, [run.code, run.err.trim()], [0, ""]);

let [code, r] = call("prompt", "readFile", { path: "notes.txt" });
check.equal("readFile exits with 0", [code, r.content?.[0].text], [0, "one\ntwo\nthree\n"]);
[code, r] = call("prompt", "findFiles", { pattern: "*.go" });
check.equal("findFiles exits with 0", [code, r.structuredContent?.paths], [0, ["src/main.go"]]);
[code, r] = call("prompt", "readFile", { path: "/etc/passwd" });
check.equal("a path outside exits with 5", [code, r.isError], [5, true]);
[code, r] = call("prompt", "readFile", { path: "notes.txt", limit: "many" });
check.equal("a bad argument exits with 5", [code, r.isError], [5, true]);
[code] = call("prompt", "noSuchTool", {});
check.equal("an unknown tool exits with 5", code, 5);

[code, r] = call("prompt", "deletePath", { path: "notes.txt", confirm: true });
check.equal("a denied delete exits with 5", [code, r.isError], [5, true]);
[code, r] = call("prompt", "deletePath", { path: "notes.txt", confirm: true, dry_run: true });
check.equal("its dry run exits with 0", code, 0);
check.equal("the file is still there", readFileSync(join(root, "notes.txt"), "utf8"), "one\ntwo\nthree\n");
[code, r] = call("allow", "deletePath", { path: "notes.txt", confirm: true });
check.equal("an allowed delete exits with 0", [code, r.structuredContent.deleted], [0, "notes.txt"]);
