import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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

// TypeScript would not say so: packages of ours load the types of Node, wherever they are imported.
const OF_NODE: readonly [bad: string, good: string][] = [
  ['import "node:fs";', 'import "./files.ts";'],
  [
    "export const bytes = Buffer.from(text);",
    "export const bytes = new TextEncoder().encode(text);",
  ],
  ["export const id = process.pid;", "export const id = crypto.randomUUID();"],
  ["setImmediate(run);", "queueMicrotask(run);"],
  ["export let timer: NodeJS.Timeout;", "export let timer: number;"],
];

it("the linter finds what makes a test red by chance, and nothing else", async () => {
  const rules = ["plugin", "style/noRestrictedImports"];
  await findsEachBad("test/whole/planted.ts", PLANTED, rules);
});

it("the linter finds what is of Node in code for browsers and Workers, and nothing else", async () => {
  const rules = ["correctness/noNodejsModules", "style/noRestrictedGlobals"];
  await findsEachBad("shared/planted.ts", OF_NODE, rules);
});

/** Lints a file of these lines by our configuration. */
async function findsEachBad(
  path: string,
  planted: readonly (readonly [string, string])[],
  rules: readonly string[],
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "roundhouse-linter-"));
  for (const path of ["biome.json", "test/steady"]) {
    await cp(join(ROOT, path), join(folder, path), { recursive: true });
  }
  await mkdir(join(folder, dirname(path)), { recursive: true });
  await writeFile(join(folder, path), planted.flat().join("\n"));
  const only = rules.map((rule) => `--only=${rule}`);
  const args = ["lint", "--vcs-enabled=false", "--reporter=github", ...only];
  const biome = join(ROOT, "node_modules/.bin/biome");
  const { stdout } = spawnSync(biome, [...args, "--max-diagnostics=none"], {
    cwd: folder,
    encoding: "utf8",
  });
  await rm(folder, { recursive: true });
  const lines = [...stdout.matchAll(/,line=(\d+),/g)].map(([, line]) => Number(line));
  const bad = planted.map((_, at) => 2 * at + 1);
  assert.deepEqual(
    [...new Set(lines)].toSorted((one, other) => one - other),
    bad,
    stdout,
  );
}
