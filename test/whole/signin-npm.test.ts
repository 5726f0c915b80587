import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { freePort } from "../support/fake-server.ts";
import { groupOf, startByNpm } from "../support/processes.ts";
import { nodeRuntime } from "../support/signin/runtimes.ts";

const SCRIPTS = [
  { script: "signin", child: /node|MainThread/ },
  { script: "signin:edge", child: /workerd/ },
];

// A terminal signals the whole group; a supervisor knows npm alone.
describe("SIGTERM to npm", { skip: !existsSync("/proc/self/stat") && "needs /proc" }, () => {
  for (const { script, child } of SCRIPTS) {
    it(`G19 stops \`npm run ${script}\` in order, and all that it started`, async () => {
      const folder = await mkdtemp(join(tmpdir(), "roundhouse-npm-"));
      const port = await freePort();
      const env = { SIGNIN_DATA_DIR: folder, SIGNIN_PORT: String(port) };
      const npm = startByNpm(script, env);
      await npm.said("is listening");
      assert.equal((await fetch(`http://127.0.0.1:${port}/health`)).status, 200);
      const names = groupOf(npm.pid).map(({ name }) => name);
      assert.ok(
        names.some((name) => child.test(name)),
        names.join(", "),
      );

      const refused = await nodeRuntime.refusal({ SIGNIN_DATA_DIR: folder });
      const [, url, pid] = / at (http:\S+) \(process (\d+)\)\./.exec(refused) ?? [];
      assert.equal(url, `http://127.0.0.1:${port}`, refused);
      assert.ok(groupOf(npm.pid).some(({ id }) => id === Number(pid)));

      process.kill(npm.pid, "SIGTERM");
      await npm.gone();
      assert.equal(existsSync(join(folder, "running.json")), false, "it stopped in order");
      await rm(folder, { recursive: true, force: true });
    });
  }
});
