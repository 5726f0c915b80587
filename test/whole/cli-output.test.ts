import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { START, sharedEngine, temporaryDirectory } from "../support/engine/process.ts";
import { MACHINE } from "../support/processes.ts";

// What the programs do where their output cannot be written.

const ROOT = join(import.meta.dirname, "../..");
const SIGNIN = [join(ROOT, "signin/start.mjs")];
const folder = temporaryDirectory();
const running = sharedEngine();
const LOG_LINE = '{"level":30,"time":1,"msg":"The engine is listening."}\n';
before(() => {
  mkdirSync(join(folder, "logs"));
  writeFileSync(join(folder, "logs/engine.log"), LOG_LINE.repeat(3));
});
after(() => rmSync(folder, { recursive: true }));

function run(args: readonly string[], out: "pipe" | number, env: Record<string, string>) {
  return spawn(process.execPath, args, {
    stdio: ["ignore", out, "pipe"],
    env: { ...MACHINE, HOME: folder, ENGINE_DATA_DIR: folder, SIGNIN_DATA_DIR: folder, ...env },
  });
}

async function endOf(child: ChildProcess): Promise<{ code: number; error: string }> {
  let error = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    error += text;
  });
  const [code] = await once(child, "close");
  return { code, error };
}

describe("a command whose output has no reader any more ends with 0, and says nothing", () => {
  const commands: [name: string, args: readonly string[]][] = [
    ["the help of the engine", [...START, "--help"]],
    ["logs", [...START, "logs"]],
    ["logs as JSON", [...START, "logs", "--json"]],
    ["export", [...START, "export"]],
    ["status", [...START, "status"]],
    ["the help of the sign-in server", [...SIGNIN, "--help"]],
    ["the help of a command of the sign-in server", [...SIGNIN, "keys", "--help"]],
    ["doctor of the sign-in server", [...SIGNIN, "doctor"]],
  ];
  for (const [name, args] of commands) {
    it(name, async () => {
      const isLive = ["export", "status"].includes(name);
      const child = run(args, "pipe", isLive ? running.env : {});
      child.stdout?.destroy();
      assert.deepEqual(await endOf(child), { code: 0, error: "" });
    });
  }

  it("logs -f, at its next line", async () => {
    const child = run([...START, "logs", "-f", "-n", "1"], "pipe", {});
    const end = endOf(child);
    await once(child.stdout ?? assert.fail(), "data");
    child.stdout?.destroy();
    // Which of them meets the closed pipe depends on when the file was read.
    const lines = setInterval(() => appendFileSync(join(folder, "logs/engine.log"), LOG_LINE), 50);
    try {
      assert.deepEqual(await end, { code: 0, error: "" });
    } finally {
      clearInterval(lines);
    }
  });
});

describe("a command that fails, and whose output has no reader, ends with 1 and says why", () => {
  const commands: [name: string, args: readonly string[], why: RegExp][] = [
    ["restore", [...START, "restore", "missing.db"], /missing\.db/],
    ["setup", [...START, "setup"], /run it on a terminal/],
    ["keys check", [...SIGNIN, "keys", "check"], /There is no database/],
  ];
  for (const [name, args, why] of commands) {
    it(name, async () => {
      const child = run(args, "pipe", {});
      child.stdout?.destroy();
      const { code, error } = await endOf(child);
      assert.equal(code, 1, error);
      assert.match(error, why);
    });
  }
});

describe("a command whose output cannot be stored ends with 1, and says so", {
  skip: existsSync("/dev/full") ? false : "there is no /dev/full here",
}, () => {
  for (const [name, args] of [
    ["export", [...START, "export"]],
    ["export as Markdown", [...START, "export", "--format", "markdown"]],
    ["the help of the sign-in server", [...SIGNIN, "--help"]],
  ] as const) {
    it(name, async () => {
      await running.engine.call("POST", "/workspaces", { name: "w" });
      const { code, error } = await endOf(run(args, openSync("/dev/full", "w"), running.env));
      assert.equal(code, 1, error);
      assert.match(error, /^The output could not be written: ENOSPC: .*\n$/);
    });
  }
});
