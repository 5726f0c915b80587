import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { isLongRun } from "../support/repeats.ts";
import { sharedHarness } from "../support/signin/harness.ts";
import { startFaultyLibsqlServer } from "../support/signin/libsql-server.ts";
import { createWorkersRuntime, KEYS } from "../support/signin/runtimes.ts";
import { UserAgent } from "../support/signin/user-agent.ts";
import { until } from "../support/time.ts";
import {
  buildWorker,
  COMPATIBILITY,
  startWorker,
  WORKER_GZIP_BYTES_MAX,
} from "../support/worker.ts";
import { accountSettingsTests } from "./signin/account-settings.ts";
import { attackTests } from "./signin/attacks.ts";
import { concurrencyTests } from "./signin/concurrency.ts";
import { configurationTests } from "./signin/configuration.ts";
import { conformanceTests } from "./signin/conformance.ts";
import { factorTests } from "./signin/factor.ts";
import { flowTests } from "./signin/flows.ts";
import { githubTests } from "./signin/github.ts";
import { httpTests } from "./signin/http.ts";
import { leakTests } from "./signin/leaks.ts";
import { lostAnswerTests } from "./signin/lost-answers.ts";
import { oidcAnswerTests } from "./signin/oidc-answers.ts";
import { otherServiceTests } from "./signin/other-services.ts";
import { proofTests } from "./signin/proof.ts";
import { providerTests } from "./signin/providers.ts";
import { runtimeTests } from "./signin/runtime.ts";
import { signUpRuleTests } from "./signin/sign-up-rule.ts";
import { stateTests } from "./signin/state.ts";

/** Requests a minute of one network, in the test of a flood. */
const FLOOD_LIMIT = 5;
const FAR_AWAY_MS = 40;

// The parts of the suite of test/whole/signin-node.test.ts whose subject differs here: bodies, cookies, cryptography, time,
// concurrency, and storage over HTTP. What is stored and hashed runs with D1 (test/whole/signin-d1.test.ts). A long run adds what
// depends on no runtime, and runs on Node in `npm test`.
describe("the sign-in server on workers", () => {
  const runtime = createWorkersRuntime();
  const harness = sharedHarness(runtime);
  flowTests(harness);
  oidcAnswerTests(harness, runtime);
  httpTests(harness, runtime);
  runtimeTests(harness, runtime);
  accountSettingsTests(harness);
  concurrencyTests(harness);
  lostAnswerTests(harness, runtime);
  configurationTests(runtime);
  leakTests(harness, runtime);
  if (!isLongRun) return;
  conformanceTests(harness, runtime);
  stateTests(harness, runtime);
  githubTests(harness);
  otherServiceTests(harness, runtime);
  providerTests(harness, runtime);
});

// In `npm test` with D1 and on Node.
if (isLongRun) {
  describe("the sign-in server on workers whose database is far away", () => {
    const harness = sharedHarness(createWorkersRuntime({ latencyMs: FAR_AWAY_MS }));
    proofTests(harness);
    factorTests(harness);
    signUpRuleTests(harness);
    attackTests(harness);
  });
}

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
      floodLimit: FLOOD_LIMIT,
      bindings: bindingsOf(server),
    });
    const limited = new UserAgent(worker.url, new Set());
    const ask = async (path: string, headers: Record<string, string> = {}) =>
      (await limited.get(path, { headers })).status;
    // A new minute may begin at any request.
    const flood = async (headersOf: (at: number) => Record<string, string> = () => ({})) => {
      const statuses = [];
      for (let at = 1; at <= 3 * FLOOD_LIMIT; at += 1)
        statuses.push(await ask("/health", headersOf(at)));
      assert.deepEqual([...new Set(statuses)], [200, 429]);
      assert.equal(statuses.lastIndexOf(200) >= FLOOD_LIMIT - 1, true, statuses.join(" "));
    };
    await flood();
    const refused = await until("A refusal that asked nothing of the database", async () => {
      const asked = server.pipelineCount;
      const answer = await limited.get("/auth/me");
      return answer.status === 429 && { answer, pipelines: server.pipelineCount - asked };
    });
    assert.match(refused.answer.headers.get("retry-after") ?? "", /^\d+$/);
    assert.equal(refused.pipelines, 0);
    assert.equal((await new UserAgent(worker.url, new Set()).get("/health")).status, 200);
    await flood((host) => ({ "CF-Connecting-IP": `2001:db8:7:7::${host}` }));
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
