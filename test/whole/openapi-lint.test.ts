import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";

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

interface Report {
  status: number | string;
  output: string;
}

function run(linter: keyof typeof LINTERS, files: string[]): Promise<Report> {
  return new Promise((resolve) => {
    const env = {
      ...process.env,
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    };
    execFile(join(BIN, linter), LINTERS[linter](files), { cwd: ROOT, env }, (error, stdout) =>
      resolve({ status: error?.code ?? 0, output: stdout }),
    );
  });
}

const skip = existsSync(BIN) ? false : "`npm run extra` installs what it needs";

describe("the OpenAPI documents", { skip }, () => {
  it("give redocly nothing to say", async () => {
    for (const document of DOCUMENTS) {
      const { output } = await run("redocly", [document]);
      assert.deepEqual(JSON.parse(output).problems, [], document);
    }
  });

  it("give spectral nothing to say", async () => {
    const { status, output } = await run("spectral", DOCUMENTS);
    assert.deepEqual([status, JSON.parse(output)], [0, []]);
  });

  it("are judged: an operation without an id is found by both", async () => {
    const folder = await mkdtemp(join(tmpdir(), "roundhouse-lint-"));
    try {
      const text = await readFile(join(ROOT, "signin/openapi.json"), "utf8");
      const file = join(folder, "openapi.json");
      await writeFile(file, text.replace(/"operationId": "getMe",/, ""));
      for (const linter of ["redocly", "spectral"] as const) {
        assert.match((await run(linter, [file])).output, /operation-operationId/, linter);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
