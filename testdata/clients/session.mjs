// A whole session, as every client must be able to have one, in either era.
//
// A client is a function that starts a server, and returns
//   listTools(), listResources(), listTemplates()   all of them, as a list
//   callTool(name, args, {signal, onprogress})      its result
//   readResource(uri, {signal})                     its result
//   wire                                            {from: "client" | "server", message} for each message
//   stderr()                                        what the server wrote to standard error
//   errors                                          what the client complained of
//   close()
// and calls the person that it is given with the parameters of each question.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkList, checkTools, checker, workspace } from "./check.mjs";

// wholeSession has a session in an era, "legacy" or "modern", with each server.
export async function wholeSession(name, era, open, { teaagent, fixture, root, validator }) {
  const check = checker(name);
  workspace(root);
  await withTeaagent(check, era, open, teaagent, root, validator);
  await withFixture(check, era, open, fixture, root);
  check.done();
}

const yes = { action: "accept", content: { approve: true, scope: "once" } };

// somebody answers as told, and notes what it was asked.
function somebody() {
  const person = (params) => {
    person.asked.push(params);
    return typeof person.answer === "function" ? person.answer() : person.answer;
  };
  person.asked = [];
  person.answer = yes;
  return person;
}

async function withTeaagent(check, era, open, command, root, validator) {
  const person = somebody();
  const c = await begin(check, era, "teaagent", () => open(command, ["mcp", "serve", "--root", root, "--permission-mode", "prompt"], person));

  await check.step("lists tools, calls them, reads structured results", async () => {
    const list = await c.listTools();
    checkList(check, list);
    await checkTools(check, c, list, validator);
  });

  await check.step("asks for approval", async () => {
    check.equal("the files are listed before", await files(c), [".gitignore", "notes.txt", "src/main.go"]);
    person.asked = [];
    let r = await c.callTool("teaagent_movePath", { from: "notes.txt", to: "moved.txt", confirm: true });
    check.equal("an approved move is told", r.structuredContent, { path: "moved.txt" });
    check.equal("an approved move is done", [existsSync(join(root, "notes.txt")), readFileSync(join(root, "moved.txt"), "utf8")], [false, "one\ntwo\nthree\n"]);
    check.equal("the person was asked once", person.asked.length, 1);
    check.that("the question names tool and path", person.asked[0].message.includes("teaagent_movePath") && person.asked[0].message.includes("moved.txt"), person.asked[0]);
    check.equal("the form asks for approve and scope", Object.keys(person.asked[0].requestedSchema.properties).sort(), ["approve", "scope"]);
    for (const no of [{ action: "accept", content: { approve: false } }, { action: "decline" }, { action: "cancel" }]) {
      person.answer = no;
      r = await c.callTool("teaagent_deletePath", { path: "moved.txt", confirm: true });
      check.equal(`${JSON.stringify(no)} is a no`, [r.isError, r.content[0].text.slice(0, 17), existsSync(join(root, "moved.txt"))], [true, "[APPROVAL_DENIED]", true]);
    }
    // A yes comes too late when the call is cancelled.
    const stop = new AbortController();
    person.answer = () => {
      stop.abort();
      return yes;
    };
    await failure(c.callTool("teaagent_deletePath", { path: "moved.txt", confirm: true }, { signal: stop.signal }));
    r = await c.callTool("teaagent_statPath", { path: "moved.txt" });
    check.equal("nothing is done", [r.isError ?? false, existsSync(join(root, "moved.txt"))], [false, true]);
  });

  person.answer = yes;
  await check.step("lists and reads resources", async () => {
    check.equal("the files are listed as they are now", await files(c), [".gitignore", "moved.txt", "src/main.go"]);
    check.equal("a template is listed", (await c.listTemplates()).map((t) => t.uriTemplate), ["teaagent://workspace/{+path}"]);
    const uri = "teaagent://workspace/src/main.go";
    check.equal("a file is read", (await c.readResource(uri)).contents, [{ uri, mimeType: "text/x-go", text: "package main\n" }]);
    await c.callTool("teaagent_writeFile", { path: "src/main.go", content: "package tea\n", confirm: true });
    check.equal("it is read as it is now", (await c.readResource(uri)).contents[0].text, "package tea\n");
    check.equal("there is no other", (await failure(c.readResource("teaagent://workspace/none"))).code, -32602);
  });

  await finish(check, era, c);
}

async function withFixture(check, era, open, command, root) {
  const person = somebody();
  const c = await begin(check, era, "the fixture", () => open(command, ["mcp", "serve", "--root", root], person));

  await check.step("reads results of every kind", async () => {
    check.that("there are tools", (await c.listTools()).some((tool) => tool.name === "fx_giveResult"));
    let r = await c.callTool("fx_giveResult", { count: 3 });
    check.equal("a result has structure", r.structuredContent, { numbers: [0, 1, 2], note: "many" });
    r = await c.callTool("fx_giveContent", {});
    check.equal(
      "content is of every type",
      r.content.map((part) => [part.type, part.text ?? part.data ?? part.uri ?? part.resource.text ?? part.resource.blob]),
      [["text", "a text"], ["image", "AQID"], ["audio", "BAU="], ["resource", "inside"], ["resource", "Bg=="], ["resource_link", "fx://c"]],
    );
    check.equal("there is no other tool", (await failure(c.callTool("fx_none", {}))).code, -32602);
  });

  await check.step("asks for a tool", async () => {
    person.answer = { action: "accept", content: { name: "Ann" } };
    let r = await c.callTool("fx_askUser", {});
    check.equal("the answer arrives", [r.isError ?? false, r.content[0].text], [false, "hello Ann"]);
    check.equal("the question was the tool's", [person.asked.length, person.asked[0].message, person.asked[0].requestedSchema.required], [1, "What is your name?", ["name"]]);
    person.answer = { action: "decline" };
    r = await c.callTool("fx_askUser", {});
    check.equal("a no is a no", [r.isError, r.content[0].text.slice(0, 14)], [true, "[ASK_DECLINED]"]);
    let names = 0;
    person.answer = () => ({ action: "accept", content: { name: `guest ${10 + names++}` } });
    const greetings = await Promise.all(Array.from({ length: 8 }, () => c.callTool("fx_askUser", {})));
    check.equal("of many at once each gets an answer of its own", greetings.map((r) => r.content[0].text).sort(), greetings.map((_, i) => `hello guest ${10 + i}`));
  });

  await check.step("shows progress", async () => {
    // What comes with the answer in one piece, a client of the SDKs throws away,
    // since it handles answers at once and notifications a little later. So here
    // it is what it is sent that counts, and what it shows is looked at below,
    // where a body goes on and on.
    const before = c.wire.length;
    const r = await c.callTool("fx_reportProgress", {}, { onprogress: () => {} });
    check.equal("the call ends", r.content[0].text, "done");
    const { progressToken } = requests(c, "tools/call").at(-1)._meta;
    check.equal(
      "each step is told once, with the call's token",
      c.wire.slice(before).filter(isProgress).map(({ message }) => message.params),
      [1, 2, 3].map((progress) => ({ progressToken, progress, total: 3, message: "step" })),
    );
  });

  await check.step("cancels", async () => {
    await interrupted(c, "tools/call", (options) => c.callTool("fx_waitLong", {}, options));
    await stopped(check, c, 1);
    await interrupted(c, "resources/read", (options) => c.readResource("fx://slow", options));
    await stopped(check, c, 2);

    const stop = new AbortController();
    const seen = [];
    const onprogress = ({ progress }) => seen.push(progress) === 3 && stop.abort();
    await failure(c.callTool("fx_reportProgress", { how: "flood" }, { signal: stop.signal, onprogress }));
    check.equal("progress is shown until then", seen.slice(0, 3), [1, 2, 3]);
    await stopped(check, c, 3);
    await c.callTool("fx_echoText", { text: "all that was sent before is read" });
    const before = c.wire.length;
    const r = await c.callTool("fx_echoText", { text: "still here" });
    check.equal("the next call is answered", r.content[0].text, "still here");
    check.equal("no progress comes after it", c.wire.slice(before).filter(isProgress), []);
    check.equal("three were cancelled", requests(c, "notifications/cancelled").length, 3);
  });

  await check.step("lists and reads resources, page by page", async () => {
    check.equal("both pages are listed", (await c.listResources()).map((r) => r.uri), ["fx://text", "fx://blob"]);
    check.equal("there were two pages", requests(c, "resources/list").map((params) => params?.cursor !== undefined), [false, true]);
    check.equal("a template is listed", (await c.listTemplates()).map((t) => t.uriTemplate), ["fx://{+name}"]);
    check.equal("a text is read", (await c.readResource("fx://text")).contents, [{ uri: "fx://text", mimeType: "text/plain", text: "text" }]);
    check.equal("a blob is read", (await c.readResource("fx://blob")).contents, [{ uri: "fx://blob", blob: "/wD+" }]);
  });

  await finish(check, era, c);
}

// begin starts a server and checks in which era the session is.
async function begin(check, era, server, open) {
  const c = await check.step(`connects to ${server}`, open);
  await check.step(`finds the era of ${server}`, () => {
    const revision = answers(c).find((result) => result.protocolVersion)?.protocolVersion;
    check.equal("a handshake was made", [requests(c, "initialize").length, revision], era === "legacy" ? [1, "2025-11-25"] : [0, undefined]);
  });
  return c;
}

// finish checks what must hold of the wire in an era, and ends the session.
async function finish(check, era, c) {
  await check.step("keeps to its era", () => {
    const results = answers(c);
    check.that("there are results", results.length > 8, results.length);
    const questions = c.wire.filter(({ from, message }) => from === "server" && message.method !== undefined && message.id !== undefined).map(({ message }) => message.method);
    if (era === "legacy") {
      check.equal("questions are requests", new Set(questions), new Set(["elicitation/create"]));
      check.equal("results say nothing of the other era", results.filter((r) => "resultType" in r || "ttlMs" in r), []);
    } else {
      check.equal("the server asks nothing by itself", questions, []);
      check.equal("results say what they are", new Set(results.map((r) => r.resultType)), new Set(["complete", "input_required"]));
      check.equal("results say whose they are", results.filter((r) => r._meta?.["io.modelcontextprotocol/serverInfo"] === undefined), []);
    }
    const cancelled = requests(c, "notifications/cancelled").map(({ requestId }) => requestId);
    check.equal("what is cancelled is not answered", c.wire.filter(({ from, message }) => from === "server" && message.method === undefined && cancelled.includes(message.id)), []);
    // but of progress whose handler it had thrown away
    check.equal("the client complains of nothing", c.errors.map(String).filter((text) => !text.includes("progress notification for an unknown token")), []);
  });
  await check.step("ends", () => c.close());
}

// answers returns the results that the server sent.
function answers(c) {
  return c.wire.filter(({ from, message }) => from === "server" && message.result !== undefined).map(({ message }) => message.result);
}

const isProgress = ({ message }) => message.method === "notifications/progress";

const files = async (c) => (await c.listResources()).map((r) => r.uri.replace("teaagent://workspace/", ""));

// requests returns the parameters of what the client sent of a method.
function requests(c, method) {
  return c.wire.filter(({ from, message }) => from === "client" && message.method === method).map(({ message }) => message.params);
}

// failure returns how a request failed.
async function failure(request) {
  let result;
  try {
    result = await request;
  } catch (error) {
    return error;
  }
  throw new Error(`this should have failed: ${JSON.stringify(result)}`);
}

// interrupted makes a request, and aborts it when it is sent.
async function interrupted(c, method, request) {
  const stop = new AbortController();
  const before = requests(c, method).length;
  const failed = failure(request({ signal: stop.signal }));
  await until(() => requests(c, method).length > before, () => `${method} is not sent`);
  stop.abort();
  await failed;
}

// stopped waits until as many bodies as said were told to stop.
async function stopped(check, c, count) {
  const told = () => c.stderr().split("told to stop").length - 1;
  await until(() => told() >= count, () => `of ${count} bodies this many are told to stop: ${told()}`);
  check.equal("bodies that were told to stop", told(), count);
}

// until looks again and again whether something holds, for 20 seconds.
async function until(holds, problem) {
  for (const deadline = Date.now() + 20_000; !holds(); await new Promise((resolve) => setTimeout(resolve, 5))) {
    if (Date.now() > deadline) throw new Error(problem());
  }
}
