import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { startFaultyLibsqlServer } from "../support/signin/libsql-server.ts";
import { createWorkersRuntime, KEYS } from "../support/signin/runtimes.ts";
import { UserAgent } from "../support/signin/user-agent.ts";
import {
  buildWorker,
  COMPATIBILITY,
  startWorker,
  WORKER_GZIP_BYTES_MAX,
} from "../support/worker.ts";
import { signinSuite } from "./signin-suite.ts";

signinSuite(createWorkersRuntime());

describe("the Worker itself", () => {
  it("is small, as wrangler bundles it", async () => {
    const size = gzipSync(await readFile(await buildWorker())).length;
    assert.equal(size <= WORKER_GZIP_BYTES_MAX, true, `${(size / 1024).toFixed(1)} KB`);
  });

  it("has no part of Node's metrics", async () => {
    const bundle = await readFile(await buildWorker(), "utf8");
    assert.equal(bundle.includes("sign_ins_total"), false);
    assert.equal(bundle.includes("collectDefaultMetrics"), false);
  });

  it("has no part of the mailbox of development", async () => {
    const bundle = await readFile(await buildWorker(), "utf8");
    assert.equal(bundle.includes("dev/mail"), false);
    assert.equal(bundle.includes("srcdoc"), false);
  });

  it("is tested under the date and the flags that it is deployed with", async () => {
    const text = await readFile(join(import.meta.dirname, "../../wrangler.toml"), "utf8");
    assert.equal(text.includes(`compatibility_date = "${COMPATIBILITY.date}"`), true);
    const flags = `compatibility_flags = ${JSON.stringify(COMPATIBILITY.flags)}`;
    assert.equal(text.includes(flags), true);
  });

  it("says 503 while the database has an older schema, and never migrates by itself", async () => {
    await using server = await startFaultyLibsqlServer();
    await using worker = await startWorker({
      file: await buildWorker(),
      bindings: bindingsOf(server),
    });
    const agent = new UserAgent(worker.url, new Set());
    for (const path of ["/auth/me", "/auth/google/login"]) {
      const answer = await agent.get(path);
      assert.equal(answer.status, 503, answer.text);
      assert.equal(answer.json<{ code: string }>().code, "schema_outdated");
      assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    }
    assert.equal((await agent.get("/ready")).status, 503);
    assert.equal((await agent.get("/health")).status, 200);
  });

  it("stops a flood from one address before it reaches the database, and serves the others", async () => {
    await using server = await startFaultyLibsqlServer();
    await using worker = await startWorker({
      file: await buildWorker(),
      floodLimit: 5,
      bindings: bindingsOf(server),
    });
    const agent = new UserAgent(worker.url, new Set());
    const statuses = [];
    for (let request = 0; request < 8; request += 1) {
      statuses.push((await agent.get("/health")).status);
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429, 429]);
    const asked = server.pipelineCount;
    const refused = await agent.get("/auth/me");
    assert.equal(refused.status, 429);
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
    assert.equal(server.pipelineCount, asked);
    assert.equal((await new UserAgent(worker.url, new Set()).get("/health")).status, 200);

    const household = [];
    for (let host = 1; host <= 8; host += 1) {
      const headers = { "CF-Connecting-IP": `2001:db8:7:7::${host}` };
      household.push((await agent.get("/health", { headers })).status);
    }
    assert.deepEqual(household, statuses, "all addresses of a /64 are one client");
  });
});

/** The variables of a Worker with this database. */
function bindingsOf({ url, authToken }: { url: string; authToken: string }) {
  return {
    APP_ENV: "test",
    APP_BASE_URL: "http://127.0.0.1:8787",
    TRUSTED_HOSTS: "127.0.0.1",
    DATABASE_URL: url,
    DATABASE_AUTH_TOKEN: authToken,
    ...KEYS,
  };
}
