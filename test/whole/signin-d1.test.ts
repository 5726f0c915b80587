import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { isLongRun, repeats } from "../support/repeats.ts";
import { sharedHarness } from "../support/signin/harness.ts";
import { createD1Runtime, KEYS } from "../support/signin/runtimes.ts";
import { UserAgent } from "../support/signin/user-agent.ts";
import { buildQuickWorker, buildWorker, startWorker } from "../support/worker.ts";
import { attackTests } from "./signin/attacks.ts";
import { concurrencyTests } from "./signin/concurrency.ts";
import { factorTests } from "./signin/factor.ts";
import { flowTests } from "./signin/flows.ts";
import { oneWinnerTests } from "./signin/one-winner.ts";
import { passkeyTests } from "./signin/passkeys.ts";
import { passwordTests } from "./signin/passwords.ts";
import { proofTests } from "./signin/proof.ts";
import { signUpRuleTests } from "./signin/sign-up-rule.ts";
import { smokeTests } from "./signin/smoke.ts";
import { tokenTests } from "./signin/tokens.ts";

// The parts of the black-box suite that store something, on the built Worker with D1. Miniflare's D1 is SQLite in workerd, and
// not Cloudflare's: `npm run signin -- smoke` is for that one.
const times = repeats({ once: 1, long: 20 });
const runtime = createD1Runtime();

describe("the sign-in server on workers with D1", () => {
  const harness = sharedHarness(runtime);
  tokenTests(harness);
  passwordTests(harness);
  passkeyTests(harness);
  proofTests(harness);
  factorTests(harness);
  signUpRuleTests(harness);
  attackTests(harness);
  concurrencyTests(harness);
  oneWinnerTests(harness, times);
});

describe("the sign-in server on workers with D1, as it is deployed", () => {
  const harness = sharedHarness(createD1Runtime(buildWorker));
  smokeTests(harness);
  // Each of their passwords is hashed at its full cost.
  if (isLongRun) flowTests(harness);
});

describe("a Worker with D1", () => {
  it("is deployed without a warning once wrangler.toml's lines about D1 are uncommented", async () => {
    const bundle = await readFile(await buildQuickWorker(), "utf8");
    assert.match(bundle, /schema_outdated/);
  });

  it("is refused where DATABASE_URL is set as well", async () => {
    const output = await runtime.refusal({ DATABASE_URL: "https://db.example.com" });
    assert.match(output, /DATABASE_URL: must not be set beside the D1 binding DB/);
  });

  it("answers 503 while the database has no schema, and never migrates by itself", async () => {
    const bindings = {
      APP_ENV: "test",
      APP_BASE_URL: "http://127.0.0.1:8787",
      TRUSTED_HOSTS: "127.0.0.1",
      ...KEYS,
    };
    await using worker = await startWorker({ file: await buildWorker(), bindings, hasD1: true });
    const agent = new UserAgent(worker.url, new Set());
    const answer = await agent.get("/auth/me");
    assert.equal(answer.status, 503, answer.text);
    assert.equal(answer.json<{ code: string }>().code, "schema_outdated");
    assert.equal((await agent.get("/ready")).status, 503);
    assert.equal((await agent.get("/health")).status, 200);
  });
});
