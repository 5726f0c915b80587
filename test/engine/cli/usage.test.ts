import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { cli } from "../../support/engine/cli.ts";

const ROOT = join(import.meta.dirname, "../../..");

describe("a wrong argument ends with 2 and says what is wrong:", () => {
  for (const args of [
    ["nonsense"],
    ["--nonsense"],
    ["status", "now"],
    ["search"],
    ["search", "word", "--limit", "0"],
    ["search", "word", "--limit", "51"],
    ["search", "word", "--limit", "ten"],
    ["search", "word", "--mode", "best"],
    ["chat", "hello", "--effort", "much"],
    ["logs", "-n", "-1"],
    ["logs", "-n", "100001"],
    ["index", "a", "b"],
    ["login", "--provider"],
  ]) {
    it(args.join(" "), async () => {
      const { code, error, out } = await cli({}, args);
      assert.equal(code, 2);
      assert.equal(out, "");
      assert.match(error, /^error: /);
      assert.match(error, /--help/);
    });
  }
});

it("an error names the help that has the way out: the commands, or the arguments of one", async () => {
  for (const [args, hint] of [
    [["nonsense"], "(--help lists the commands)"],
    [["service", "nonsense"], "(--help lists the commands)"],
    [["search", "word", "--limit", "0"], "(--help after the command lists its arguments)"],
    [["service", "install", "now"], "(--help after the command lists its arguments)"],
  ] as const) {
    const { error } = await cli({}, [...args]);
    assert.equal(error.trimEnd().split("\n").at(-1), hint, args.join(" "));
  }
});

describe("help", () => {
  it("is there for the program and for each of its commands", async () => {
    const { code, out } = await cli({}, ["--help"]);
    assert.equal(code, 0);
    const names = [...out.matchAll(/^ {2}([a-z]+)(?: [[<]| {2})/gm)].map(([, name = ""]) => name);
    assert.ok(names.length > 7, names.join());
    for (const name of names.filter((name) => name !== "help")) {
      const help = await cli({}, [name, "--help"]);
      assert.equal(help.code, 0, name);
      assert.match(help.out, new RegExp(`^Usage: roundhouse ${name}`));
    }
  });

  it("has a row for each command in docs/commands.md", async () => {
    const { out } = await cli({}, ["--help"]);
    const page = readFileSync(join(ROOT, "docs/commands.md"), "utf8");
    const names = [...out.matchAll(/^ {2}([a-z]+)(?: [[<]| {2})/gm)].map(([, name = ""]) => name);
    assert.deepEqual(
      names.filter((name) => name !== "help" && !new RegExp(`^\\| \`${name}\\b`, "m").test(page)),
      [],
    );
  });

  it("lists every variable of the engine, and no other", async () => {
    const variables = (text: string) =>
      [...new Set(text.match(/\bENGINE_[A-Z_]+[A-Z]\b/g) ?? [])].sort();
    const { out } = await cli({}, ["--help"]);
    assert.deepEqual(
      variables(out),
      variables(readFileSync(join(ROOT, "engine/config.ts"), "utf8")),
    );
  });
});

describe("a bad variable", () => {
  it("ends with 1, and its value is not shown", async () => {
    const { code, error } = await cli({ ENGINE_PORT: "canary" }, ["status"]);
    assert.equal(code, 1);
    assert.match(error, /^ENGINE_PORT: /);
    assert.ok(!error.includes("canary"));
  });
});
