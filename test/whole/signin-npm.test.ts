import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { freePort } from "../support/fake-server.ts";
import { NO_PROC, startByNpm } from "../support/processes.ts";
import { stopByNpm } from "../support/signin/npm-stop.ts";

// A terminal signals the whole group; a supervisor knows npm alone. `npm run signin:edge`: signin-edge.test.ts.
describe("SIGTERM to npm", { skip: NO_PROC }, () => {
  it("G19 stops `npm run signin` in order, and all that it started", async () => {
    const folder = await mkdtemp(join(tmpdir(), "roundhouse-npm-"));
    const port = await freePort();
    await using npm = startByNpm("signin", { SIGNIN_DATA_DIR: folder, SIGNIN_PORT: String(port) });
    await npm.said("is listening");
    const url = `http://127.0.0.1:${port}`;
    assert.equal((await fetch(`${url}/health`)).status, 200);
    await stopByNpm(npm, { folder, url, child: /node|MainThread/ });
    await rm(folder, { recursive: true, force: true });
  });
});
