import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { ROOT } from "../house/sources.ts";
import { freePort } from "../support/fake-server.ts";
import { NO_PROC, type NpmProcess, startByNpm } from "../support/processes.ts";
import { isLongRun } from "../support/repeats.ts";

/** Where each stop is sent: a supervisor knows npm alone, a terminal that closes signals the whole group. */
const STOPS = [
  ["SIGINT to all", ({ pid }: NpmProcess) => process.kill(-pid, "SIGINT")],
  ["SIGTERM to npm", ({ pid }: NpmProcess) => process.kill(pid, "SIGTERM")],
  ["SIGHUP to all", ({ pid }: NpmProcess) => process.kill(-pid, "SIGHUP")],
] as const;

describe("A stop of the engine", { skip: NO_PROC }, () => {
  for (const script of ["start", "dev"]) {
    // The second one starts the same engine: `npm test` stops it as its developer does.
    const stops = script === "start" || isLongRun ? STOPS : STOPS.slice(0, 1);
    for (const [about, stop] of stops) {
      it(`leaves no process of \`npm run ${script}\` behind: ${about}`, async () => {
        const folder = await mkdtemp(join(tmpdir(), "roundhouse-npm-"));
        const port = await freePort();
        await using npm = startByNpm(script, {
          ENGINE_DATA_DIR: folder,
          ENGINE_PORT: String(port),
          ENGINE_LOG_FORMAT: "json",
        });
        await npm.said("The engine is listening");
        assert.equal((await fetch(`http://127.0.0.1:${port}/api/v1/health`)).status, 200);
        assert.ok(npm.processes().length > 1);
        stop(npm);
        await npm.gone();
        assert.equal(existsSync(join(folder, "runtime.json")), false, "it stopped in order");
        await rm(folder, { recursive: true, force: true });
      });
    }
  }
});

it("The first start after an update says at once that it prepares the engine; the next one does not", async () => {
  const folder = await mkdtemp(join(tmpdir(), "roundhouse-first-"));
  for (const name of ["engine", "shared", "package.json", "package-lock.json"])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  // A short program in the place of the engine: a bundle of all of it is in every checkout where tests run.
  const threads = ["worker", "documents/document-thread", "watch/watch-thread"];
  for (const name of ["main", ...threads.map((path) => `retrieval/${path}`)])
    writeFileSync(join(folder, `engine/${name}.ts`), 'console.log("1.2.3");');
  const start = () =>
    spawnSync(process.execPath, ["engine/start.mjs", "--version"], {
      cwd: folder,
      encoding: "utf8",
    });
  const first = start();
  assert.match(first.stderr, /^Preparing the engine \(once after an update\): .*\n$/);
  const second = start();
  assert.deepEqual([first.stdout, second.stdout, second.stderr], ["1.2.3\n", "1.2.3\n", ""]);
  await rm(folder, { recursive: true });
});
