import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { it } from "node:test";
import { ROOT } from "./sources.ts";

const PLANTED = {
  "package.json": JSON.stringify({ type: "module", dependencies: { jose: "6.0.0" } }),
  "engine/main.ts": 'import { used } from "./used.ts";\nimport "unlisted";\nused();',
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
  const knip = join(ROOT, "node_modules/.bin/knip");
  const { stdout } = spawnSync(knip, ["--reporter", "json"], {
    cwd: folder,
    // Its loader would keep a cache in the temporary folder.
    env: { ...process.env, JITI_FS_CACHE: "false" },
    encoding: "utf8",
  });
  await rm(folder, { recursive: true });
  const found = JSON.parse(stdout).issues.flatMap(
    ({ file, ...kinds }: { file: string } & Record<string, unknown>) =>
      Object.entries(kinds).flatMap(([kind, issues]) =>
        Array.isArray(issues) && issues.length > 0 ? `${file} ${kind}` : [],
      ),
  );
  assert.deepEqual(found.sort(), [
    "engine/forgotten.ts files",
    "engine/main.ts unlisted",
    "engine/used.ts cycles",
    "engine/used.ts exports",
    "engine/used.ts types",
    "package.json dependencies",
  ]);
});
