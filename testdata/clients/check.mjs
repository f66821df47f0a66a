// What every client must see of teaagent, in words of its own.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

// The tools, and whether they destroy something. A tier is given where it is not
// that of a destructive tool, Medium, or of one that reads, Low.
export const tools = {
  teaagent_readFile: { destructive: false, structured: false },
  teaagent_listDirectory: { destructive: false, structured: true },
  teaagent_findFiles: { destructive: false, structured: true },
  teaagent_searchText: { destructive: false, structured: true },
  teaagent_writeFile: { destructive: true, structured: true },
  teaagent_editFile: { destructive: true, structured: true },
  teaagent_applyPatch: { destructive: true, structured: true },
  teaagent_deletePath: { destructive: true, structured: true },
  teaagent_purgePath: { destructive: true, structured: true, tier: "Critical" },
  teaagent_movePath: { destructive: true, structured: true },
  teaagent_copyPath: { destructive: true, structured: true },
  teaagent_makeDirectory: { destructive: false, structured: true, tier: "Medium" },
  teaagent_readManyFiles: { destructive: false, structured: true },
  teaagent_statPath: { destructive: false, structured: true },
  teaagent_showTree: { destructive: false, structured: false },
  teaagent_getStatus: { destructive: false, structured: true },
  teaagent_getDiff: { destructive: false, structured: true },
  teaagent_getLog: { destructive: false, structured: true },
  teaagent_showCommit: { destructive: false, structured: true },
  teaagent_getBlame: { destructive: false, structured: true },
  teaagent_listBranches: { destructive: false, structured: true },
  teaagent_inspectCommand: { destructive: false, structured: true },
  teaagent_stageFiles: { destructive: false, structured: true, tier: "Medium" },
  teaagent_createBranch: { destructive: false, structured: true, tier: "Medium" },
  teaagent_switchBranch: { destructive: false, structured: true, tier: "Medium" },
  teaagent_commitChanges: { destructive: true, structured: true },
  teaagent_stashChanges: { destructive: true, structured: true },
  teaagent_pushBranch: { destructive: true, structured: true, tier: "Critical", openWorld: true },
  teaagent_runCommand: { destructive: true, structured: true, tier: "High", openWorld: true },
};

// workspace makes a folder with what the checks expect to find.
export function workspace(root) {
  mkdirSync(join(root, "src"), { recursive: true });
  const files = { "notes.txt": "one\ntwo\nthree\n", "src/main.go": "package main\n", ".gitignore": "*.log\n", "debug.log": "" };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content);
}

// tap is what stands before a server's command to note in a file what the client
// sends. eraOf says in which era that was.
export const tap = (file) => ["sh", "-c", 'tee -a "$0" | exec "$@"', file];

export function eraOf(file) {
  const methods = readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line).method);
  return methods.includes("initialize") ? "legacy" : "modern";
}

// checker counts what holds, and ends the process at the first thing that does
// not, saying which client it was, in which era and at which step.
export function checker(client) {
  let count = 0;
  let step = "";
  const fail = (what) => {
    console.error(`${client}: ${step}: ${what}`);
    process.exit(1);
  };
  return {
    async step(name, run) {
      step = name;
      try {
        return await run();
      } catch (error) {
        fail(error.stack ?? error);
      }
    },
    that(what, holds, seen) {
      if (!holds) fail(`not so: ${what}${seen === undefined ? "" : `:\n${JSON.stringify(seen)}`}`);
      count++;
    },
    equal(what, got, want) {
      if (!isDeepStrictEqual(got, want)) fail(`${what}:\ngot  ${JSON.stringify(got)}\nwant ${JSON.stringify(want)}`);
      count++;
    },
    done() {
      console.log(`${client}: ${count} checks`);
    },
  };
}

// checkList checks the answer to tools/list.
export function checkList(check, list) {
  check.equal("lists the tools", list.map((tool) => tool.name).sort(), Object.keys(tools).sort());
  for (const tool of list) {
    const { destructive, structured, tier = destructive ? "Medium" : "Low", openWorld = false } = tools[tool.name];
    const readOnly = tier === "Low";
    const { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations;
    check.equal(
      `${tool.name} has hints`,
      [typeof title, readOnlyHint, destructiveHint, typeof idempotentHint, openWorldHint],
      ["string", readOnly, destructive, "boolean", openWorld],
    );
    check.equal(`${tool.name} has its annotations in _meta`, tool._meta["dev.teaagent/annotations"], {
      readOnly,
      destructive,
      idempotent: idempotentHint,
      stateful: false,
      securityTier: tier,
    });
    check.equal(`${tool.name} has schemas`, [tool.inputSchema.type, tool.outputSchema?.type], ["object", structured ? "object" : undefined]);
    if (destructive) {
      check.that(`${tool.name} asks for confirm and offers dry_run`, tool.inputSchema.required.includes("confirm") && "dry_run" in tool.inputSchema.properties);
    }
  }
}

// checkTools calls the tools, of which list is the list. The client's own
// validator judges the results.
export async function checkTools(check, client, list, validator) {
  const call = (tool, args) => client.callTool(`teaagent_${tool}`, args);
  const valid = (tool, result) => {
    const schema = list.find((t) => t.name === `teaagent_${tool}`).outputSchema;
    return validator.getValidator(schema)(result.structuredContent).valid;
  };

  let r = await call("readFile", { path: "notes.txt", offset: 2, limit: 1 });
  check.equal("readFile returns lines", r.content[0].text, "two\n\n[cut: there is more; go on with offset 3]");

  r = await call("listDirectory", {});
  check.equal("listDirectory returns entries", r.structuredContent.entries.map((e) => e.name), [".gitignore", "debug.log", "notes.txt", "src"]);
  check.that("listDirectory's result is as its schema says", valid("listDirectory", r));
  check.that("the validator would notice if it were not", !valid("listDirectory", { structuredContent: { entries: [{ name: 1 }] } }));
  check.equal("listDirectory's text is the same", JSON.parse(r.content[0].text), r.structuredContent);

  r = await call("findFiles", { pattern: "**" });
  check.equal("findFiles returns paths", r.structuredContent, { paths: [".gitignore", "notes.txt", "src/main.go"], truncated: false });
  check.that("findFiles' result is as its schema says", valid("findFiles", r));

  r = await call("searchText", { pattern: "^t", context: 1, limit: 1 });
  check.equal("searchText returns matches", r.structuredContent, {
    matches: [{ path: "notes.txt", line: 2, text: "two", before: ["one"], after: ["three"] }],
    truncated: true,
    next: "notes.txt:2",
    searched: 2,
  });
  check.that("searchText's result is as its schema says", valid("searchText", r));

  r = await call("writeFile", { path: "notes.txt", content: "one\n", dry_run: true });
  check.that("a dry run shows a diff", r.structuredContent.preview.diff.includes("\n-two\n"));
  check.that("a preview is as the schema says", valid("writeFile", r));
  r = await call("writeFile", { path: "new.txt", content: "née\n", confirm: true });
  check.equal("writeFile says what it did", r.structuredContent, { path: "new.txt", bytes: 5, created: true, sha256: createHash("sha256").update("née\n").digest("hex") });
  check.that("writeFile's result is as its schema says", valid("writeFile", r));
  r = await call("deletePath", { path: "new.txt", confirm: true });
  check.equal("deletePath says what it did", r.structuredContent.deleted, "new.txt");

  for (const [tool, args, code] of [
    ["readFile", { path: 5 }, "INVALID_ARGUMENT"],
    ["findFiles", { pattern: "*", limit: 0 }, "INVALID_ARGUMENT"],
    ["readFile", { path: "../x" }, "OUTSIDE_WORKSPACE"],
    ["deletePath", { path: "notes.txt" }, "CONFIRM_REQUIRED"],
  ]) {
    r = await call(tool, args);
    check.that(`${tool} ${JSON.stringify(args)} is an error: ${code}`, r.isError === true && r.content[0].text.startsWith(`[${code}] `) && r.structuredContent === undefined);
  }
}
