import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { it } from "node:test";
import { ROOT } from "./sources.ts";

const PLANTED = {
  "package.json": JSON.stringify({ type: "module", dependencies: { jose: "6.0.0" } }),
  "engine/main.ts":
    'import { used } from "./used.ts";\nimport "./tested.ts";\nimport "unlisted";\nused();',
  "engine/tested.ts": "export function usedByTestsAlone() {}",
  "test/tested.test.ts":
    'import { usedByTestsAlone } from "../engine/tested.ts";\nusedByTestsAlone();',
  "engine/used.ts":
    'import "./circle.ts";\nexport function used() {}\nexport function unused() {}\nexport type Unused = 1;',
  "engine/circle.ts": 'import "./used.ts";',
  "engine/forgotten.ts": "used();",
};

it("knip finds a planted violation of each kind, and nothing else", async () => {
  const folder = await mkdtemp(join(tmpdir(), "roundhouse-dead-code-"));
  await cp(join(ROOT, "knip.jsonc"), join(folder, "knip.jsonc"));
  for (const [path, text] of Object.entries(PLANTED)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const [everywhere, inProduction] = [[], ["--production"]].map((args) => findings(folder, args));
  await rm(folder, { recursive: true });
  assert.deepEqual(everywhere, [
    "engine/forgotten.ts files",
    "engine/main.ts unlisted",
    "engine/used.ts cycles",
    "engine/used.ts exports",
    "engine/used.ts types",
    "package.json dependencies",
  ]);
  assert.ok(inProduction?.includes("engine/tested.ts exports"));
});

function findings(cwd: string, args: readonly string[]): string[] {
  const knip = join(ROOT, "node_modules/.bin/knip");
  // Its loader would keep a cache in the temporary folder.
  const env = { ...process.env, JITI_FS_CACHE: "false" };
  const { stdout } = spawnSync(knip, ["--reporter", "json", ...args], {
    cwd,
    env,
    encoding: "utf8",
  });
  const { issues } = JSON.parse(stdout);
  return issues
    .flatMap(({ file, ...kinds }: { file: string } & Record<string, unknown>) =>
      Object.entries(kinds).flatMap(([kind, found]) =>
        Array.isArray(found) && found.length > 0 ? `${file} ${kind}` : [],
      ),
    )
    .sort();
}
