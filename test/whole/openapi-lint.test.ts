// In a process of its own: it waits for the packages of tools/extra.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

const ROOT = join(import.meta.dirname, "../..");
const DOCUMENTS = ["engine/openapi.json", "signin/openapi.json"];
const BIN = join(ROOT, "tools/extra/node_modules/.bin");

/** What `npm run openapi:lint` runs, as programs whose findings can be read. */
const LINTERS = {
  redocly: (files: string[]) => ["lint", "--format=json", ...files],
  spectral: (files: string[]) => [
    "lint",
    "--fail-severity=hint",
    "--format=json",
    "--quiet",
    ...files,
  ],
};

function run(linter: keyof typeof LINTERS, files: string[]): Promise<string> {
  return new Promise((resolve) => {
    const env = {
      ...process.env,
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    };
    execFile(join(BIN, linter), LINTERS[linter](files), { cwd: ROOT, env }, (_error, stdout) =>
      resolve(stdout),
    );
  });
}

const skip = existsSync(BIN) ? false : "`npm run extra` installs what it needs";

// Each linter runs once, for the documents and one that is bad: most of its time is its start.
describe("the OpenAPI documents", { skip }, () => {
  let folder: string;
  let bad: string;
  let redocly: { problems: { ruleId: string }[] }[];
  let spectral: { code: string; source: string }[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "roundhouse-lint-"));
    bad = join(folder, "openapi.json");
    const text = await readFile(join(ROOT, "signin/openapi.json"), "utf8");
    await writeFile(bad, text.replace(/"operationId": "getMe",/, ""));
    const files = [...DOCUMENTS, bad];
    // One report after the other, without a comma.
    redocly = JSON.parse(`[${(await run("redocly", files)).replaceAll("\n}{", "\n},{")}]`);
    spectral = JSON.parse(await run("spectral", files));
  });

  after(() => rm(folder, { recursive: true }));

  it("give redocly nothing to say", () => {
    assert.equal(redocly.length, DOCUMENTS.length + 1);
    DOCUMENTS.forEach((document, at) => {
      assert.deepEqual(redocly[at]?.problems, [], document);
    });
  });

  it("give spectral nothing to say", () => {
    assert.deepEqual(
      spectral.filter(({ source }) => source !== bad),
      [],
    );
  });

  it("are judged: an operation without an id is found by both", () => {
    const found = [
      ...(redocly.at(-1)?.problems.map(({ ruleId }) => ruleId) ?? []),
      ...spectral.map(({ code }) => code),
    ];
    assert.deepEqual(found, ["operation-operationId", "operation-operationId"]);
  });
});
