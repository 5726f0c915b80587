import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Command } from "commander";
import { createProgram as createEngineProgram } from "../../engine/cli/program.ts";
import { createProgram as createSigninProgram } from "../../signin/cli/program.ts";
import { PRODUCTION, refusalOf } from "../signin/config/configurations.ts";
import { APPLE_KEY } from "../support/signin/played-providers.ts";
import { allPages, allSnippets, type Snippet } from "./snippets.ts";
import { ROOT } from "./sources.ts";

const snippets = allSnippets();
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const { scripts } = JSON.parse(read("package.json"));

// Which test has the blocks of a label. What starts a program for good or needs other services is checked word by word here.
const TESTS: Readonly<Record<string, string>> = {
  "bash five-minutes": "test/house/docs.test.ts",
  "bash walk": "test/house/docs.test.ts",
  "bash turns": "test/house/clients.test.ts",
  "bash openai": "test/house/clients.test.ts",
  "bash account": "test/house/account-page.test.ts",
  "ts signin": "test/house/account-page.test.ts",
  "ts approvals": "test/whole/clients-approvals.test.ts",
  "ts first": "test/whole/client-package.test.ts",
  "ts more": "test/whole/client-package.test.ts",
  "ts verify": "test/whole/client-package.test.ts",
  "json tools": "test/house/clients.test.ts",
  "json mcp-server": "test/house/snippets.test.ts",
  "ini variables": "test/house/snippets.test.ts",
  "sh commands": "test/house/snippets.test.ts",
};

it("every snippet of a page has a label, and every label a test", () => {
  const known = (snippet: Snippet) => {
    const info = `${snippet.language} ${snippet.label}`;
    return /^(mermaid|text)$/.test(snippet.language) || Object.hasOwn(TESTS, info);
  };
  assert.deepEqual(
    snippets.filter((snippet) => !known(snippet)),
    [],
  );
  for (const [info, path] of Object.entries(TESTS)) {
    const [language, label = ""] = info.split(" ");
    assert.ok(
      snippets.some((one) => one.language === language && one.label === label),
      info,
    );
    assert.match(read(path), new RegExp(`"(${info}|${label})"`), path);
  }
});

describe("the commands of the pages", () => {
  const programs: Readonly<Record<string, Command>> = {
    engine: createEngineProgram({} as never, () => ({}) as never),
    signin: createSigninProgram({ env: {} } as never),
  };
  const variables = read("engine/config.ts") + read("signin/config/variables.ts");

  for (const { document, text } of snippets.filter(({ label }) => label === "commands")) {
    for (const line of toCommands(text)) {
      it(`${document}: ${line}`, () => checkCommand(line));
    }
  }

  for (const { document, text } of snippets.filter(({ label }) => label === "mcp-server")) {
    it(`${document}: the command of an MCP server`, () => {
      for (const { command, args } of Object.values<{ command: string; args: string[] }>(
        JSON.parse(text).mcpServers,
      )) {
        assert.equal(command, "roundhouse");
        checkArguments(programs.engine!, args);
      }
    });
  }

  it("stand in sentences as they stand in blocks", () => {
    const lines = allPages().flatMap((page) => [
      ...read(page).matchAll(/`(npm run (?:engine|signin) (?:-s )?-- (?!COMMAND)[^`]+)`/g),
    ]);
    assert.ok(lines.length > 20);
    for (const [, line = ""] of lines) checkCommand(line.replace(/\s+/g, " "));
  });

  it("have the options that their row in docs/commands.md names", () => {
    const rows = [...read("docs/commands.md").matchAll(/^\| `([a-z ]+)[^|]*\|(.*)\|$/gm)];
    assert.ok(rows.length > 20);
    for (const [, command = "", text = ""] of rows) {
      const options = [...text.matchAll(/`(--?[a-z][a-z-]*)/g)].map(([, option = ""]) => option);
      checkArguments(programs.engine!, [...command.trim().split(" "), ...options]);
    }
  });

  it("are refused if one does not exist", () => {
    for (const line of [
      "npm run nothing",
      "npm run engine -- nothing",
      "npm run engine -- chat --nothing",
      "npm run signin -- users nothing",
      "ENGINE_NOTHING=1 npm start",
      "npx no-such-program",
      "nothing",
    ]) {
      assert.throws(() => checkCommand(line), assert.AssertionError, line);
    }
  });

  function checkCommand(line: string): void {
    const words = toWords(line);
    while (/^[A-Z0-9_]+=/.test(words[0] ?? "")) {
      const [name = ""] = (words.shift() ?? "").split("=");
      assert.match(variables, new RegExp(`\\b${name}\\b`));
    }
    const [program = "", first = "", ...rest] = words;
    if (program === "npx") {
      assert.ok(read("package-lock.json").includes(`"node_modules/${first}"`), first);
    } else if (program !== "npm") {
      assert.match(program, /^(curl|echo|head|install|node|rm)$/);
    } else if (first !== "run") {
      assert.match(first, /^(ci|install|pkg|start|test)$/);
    } else {
      const [script = "", ...given] = rest;
      assert.ok(Object.hasOwn(scripts, script), script);
      const args = given.slice(given.indexOf("--") + 1);
      if (given.includes("--")) checkArguments(programs[script]!, args);
    }
  }
});

describe("the variables of the pages are a configuration that the sign-in server accepts", () => {
  for (const document of new Set(
    snippets.filter(({ label }) => label === "variables").map((one) => one.document),
  )) {
    it(document, () => {
      const blocks = snippets.filter((one) => one.document === document);
      const text = blocks.flatMap((one) => (one.label === "variables" ? [one.text] : [])).join("");
      const env = Object.fromEntries(
        [...text.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [
          name,
          value.includes("...") ? (SECRETS[name] ?? value + name) : value,
        ]),
      );
      assert.equal(refusalOf({ ...PRODUCTION, ...env }), "");
    });
  }
});

// What a page leaves out as `...`, if a value has a form.
const SECRETS: Readonly<Record<string, string | undefined>> = {
  JWT_SECRET_KEY: PRODUCTION.JWT_SECRET_KEY,
  TOKEN_ENCRYPTION_KEY: PRODUCTION.TOKEN_ENCRYPTION_KEY,
  PROVIDER_APPLE_PRIVATE_KEY: APPLE_KEY,
};

/** The simple commands of a block: no comments, continued lines joined, lists and pipes apart. */
function toCommands(text: string): string[] {
  return text
    .replace(/\\\n/g, " ")
    .split("\n")
    .flatMap((line) => line.replace(/(^|\s)#.*$/, "").split(/ && | \| /))
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The words of a command; quotes hold one together. */
function toWords(line: string): string[] {
  return line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
}

/** Whether a program has this command with these options. */
function checkArguments(program: Command, args: readonly string[]): void {
  let command = program;
  const rest = [...args];
  for (;;) {
    const below = command.commands.find((one) => one.name() === rest[0]);
    if (!below) break;
    command = below;
    rest.shift();
  }
  const [first = "-"] = rest;
  assert.ok(first.startsWith("-") || command.registeredArguments.length > 0, first);
  for (const option of rest.filter((word) => /^--?[a-z]/.test(word))) {
    const known = [...command.options, ...program.options, { short: "-h", long: "--help" }];
    assert.ok(
      known.some(({ short, long }) => option === short || option === long),
      option,
    );
  }
}
