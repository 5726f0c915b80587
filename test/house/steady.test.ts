import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { ROOT } from "./sources.ts";

// A line that the linter must find, and one like it that is good.
const PLANTED: readonly [bad: string, good: string][] = [
  [
    'import { setTimeout } from "node:timers/promises";',
    'import { setImmediate } from "node:timers/promises";',
  ],
  ["await new Promise((resolve) => setTimeout(resolve, 50));", "await once(child, 'exit');"],
  ["setTimeout(stop, LIMIT_MS);", "clock.after(LIMIT_MS, stop);"],
  ["const now = Date.now();", "const now = clock.now();"],
  ["const today = new Date();", "const day = new Date(0);"],
  ["const began = performance.now();", "const began = clock.now();"],
  ["const home = homedir();", "const home = mkdtempSync(join(tmpdir(), 'home-'));"],
  ["const env = { HOME: process.env.HOME };", "const env = { HOME: folder };"],
  ["const path = join(tmpdir(), 'roundhouse');", "const path = join(folder, 'roundhouse');"],
  ["server.listen(8787, '127.0.0.1');", "server.listen(0, '127.0.0.1');"],
  ['start({ ENGINE_PORT: "8787" });', 'start({ ENGINE_PORT: "0" });'],
  [
    "assert.deepEqual(readdirSync(path), [a, b]);",
    "assert.deepEqual(readdirSync(path).sort(), [a, b]);",
  ],
  ["assert.deepEqual(await readdir(path), [a, b]);", "assert.deepEqual(await readdir(path), [a]);"],
  [
    'assert.equal(await page.getByRole("alert").count(), 0);',
    'await page.getByRole("alert").waitFor({ state: "detached" });',
  ],
  [
    "assert.ok(((await box.boundingBox())?.y ?? 9) < 8);",
    'assert.equal(await w.count("users", "email = ?", [email]), 0);',
  ],
  [
    "assert.deepEqual((await list.allTextContents()).slice(1), names);",
    "await untilEqual(() => list.allTextContents(), names);",
  ],
  ["assert.equal(day.toLocaleString(), text);", 'assert.equal(day.toLocaleString("de"), text);'],
];

it("the linter finds what makes a test red by chance, and nothing else", async () => {
  const folder = await mkdtemp(join(tmpdir(), "roundhouse-steady-"));
  for (const path of ["biome.json", "test/steady"]) {
    await cp(join(ROOT, path), join(folder, path), { recursive: true });
  }
  await mkdir(join(folder, "test/whole"));
  await writeFile(join(folder, "test/whole/planted.ts"), PLANTED.flat().join("\n"));
  const only = ["--only=plugin", "--only=style/noRestrictedImports"];
  const args = ["lint", "--vcs-enabled=false", "--reporter=github", ...only];
  const biome = join(ROOT, "node_modules/.bin/biome");
  const { stdout } = spawnSync(biome, [...args, "--max-diagnostics=none"], {
    cwd: folder,
    encoding: "utf8",
  });
  await rm(folder, { recursive: true });
  const lines = [...stdout.matchAll(/,line=(\d+),/g)].map(([, line]) => Number(line));
  const bad = PLANTED.map((_, at) => 2 * at + 1);
  assert.deepEqual(
    [...new Set(lines)].toSorted((one, other) => one - other),
    bad,
    stdout,
  );
});
