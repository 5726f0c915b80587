// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createSignin } from "../../../signin/app.ts";
import { startServer } from "../../../signin/node/run-server.ts";
import { startFakeServer } from "../../support/fake-server.ts";
import { until } from "../../support/time.ts";

const TOKEN = "canary-metrics-token-of-32-characters";
const EMAIL = "canary-ann@example.test";
const PASSWORD = "canary correct horse battery";
const WRONG = "canary wrong horse battery";

/** A server on a real socket in a folder of its own, and the mail service that it sends to. */
async function startHarness(env: Record<string, string>) {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "roundhouse-metrics-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const mails = stack.use(await startFakeServer(() => async () => new Response("{}")));
  const { config } = stack.use(
    await startServer(
      {
        APP_ENV: "development",
        SIGNIN_PORT: "0",
        SIGNIN_DATA_DIR: folder,
        SIGNIN_LOG_LEVEL: "silent",
        MAIL_TRANSPORT: "http",
        MAIL_HTTP_URL: mails.url,
        ...env,
      },
      createSignin,
    ),
  );
  const held = stack.move();
  const post = (path: string, body: object) =>
    fetch(`${config.baseUrl}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const scrape = (authorization?: string) =>
    fetch(`${config.baseUrl}/metrics`, { headers: authorization ? { authorization } : {} });
  return { mails, post, scrape, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** The value of a series, such as `mails_total{outcome="sent"}`. */
function figureOf(text: string, series: string): number {
  const line = text.split("\n").find((each) => each.startsWith(`roundhouse_signin_${series} `));
  return Number(line?.split(" ").at(-1));
}

describe("GET /metrics", () => {
  it("is 404 where METRICS_TOKEN is not set, also for an empty bearer", async () => {
    await using harness = await startHarness({});
    for (const bearer of [undefined, "Bearer", "Bearer undefined"]) {
      assert.equal((await harness.scrape(bearer)).status, 404);
    }
  });

  it("is 404 without the token, as an unknown path is", async () => {
    await using harness = await startHarness({ METRICS_TOKEN: TOKEN });
    for (const bearer of [undefined, "Bearer x", `Bearer ${TOKEN}x`, `Basic ${TOKEN}`]) {
      const response = await harness.scrape(bearer);
      assert.equal(response.status, 404, bearer);
      assert.equal((await response.text()).includes("roundhouse_signin"), false);
    }
    const text = await (await harness.scrape(`Bearer ${TOKEN}`)).text();
    // Ready-made dashboards know figures of a process by these names.
    assert.match(text, /^process_cpu_seconds_total /m);
    assert.match(text, /^nodejs_eventloop_lag_seconds /m);
  });

  it("counts what happened, with names of its own, and holds no secret and no address", async () => {
    await using harness = await startHarness({ METRICS_TOKEN: TOKEN });
    const { mails, post } = harness;
    const figures = async () => (await harness.scrape(`Bearer ${TOKEN}`)).text();

    await post("/auth/signup/code", { email: EMAIL });
    const mail = await until("the mailed code", () => mails.takeRequests()[0]);
    const code = /\b\d{8}\b/.exec(JSON.parse(mail.body).text)?.[0] ?? "";
    const signedUp = await post("/auth/signup/complete", {
      email: EMAIL,
      code,
      password: PASSWORD,
    });
    assert.ok(signedUp.ok, String(signedUp.status));
    const first = await signedUp.json();
    const second = await (await post("/auth/refresh", first)).json();
    assert.equal((await post("/auth/refresh", second)).status, 200);
    // Two generations behind: the session ends.
    assert.equal((await post("/auth/refresh", first)).status, 401);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      statuses.push((await post("/auth/login", { email: EMAIL, password: WRONG })).status);
    }
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);

    const text = await figures();
    assert.equal(figureOf(text, 'sign_ins_total{method="signup",outcome="success"}'), 1);
    assert.equal(figureOf(text, 'sign_ins_total{method="password",outcome="failure"}'), 5);
    assert.equal(figureOf(text, 'sign_ins_total{method="google",outcome="success"}'), 0);
    assert.equal(figureOf(text, 'limits_hit_total{limit="loginPerEmailAndIp"}'), 1);
    assert.equal(figureOf(text, 'mails_total{outcome="sent"}'), 1);
    assert.equal(figureOf(text, 'mails_total{outcome="failed"}'), 0);
    assert.equal(figureOf(text, "refresh_rotations_total"), 2);
    assert.equal(figureOf(text, "refresh_thefts_total"), 1);
    assert.equal(figureOf(text, "hash_seconds_count"), 6);
    assert.equal(figureOf(text, "hash_waiting"), 0);
    assert.equal(figureOf(text, "hash_running"), 0);
    assert.ok(figureOf(text, 'database_seconds_count{kind="execute"}') > 0);
    assert.match(
      text,
      /^process_cpu_user_seconds_total [1-9]|^process_cpu_user_seconds_total 0\.\d/m,
    );
    const names = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    assert.deepEqual(
      names.filter((line) => !/^(roundhouse_signin|process|nodejs)_/.test(line)),
      [],
    );
    for (const secret of ["canary", first.refresh_token, first.access_token, code, "127.0.0.1"]) {
      assert.equal(text.includes(secret), false);
    }
  });

  it("has a fixed number of series, whatever clients send", async () => {
    await using harness = await startHarness({ METRICS_TOKEN: TOKEN });
    const count = async () =>
      (await (await harness.scrape(`Bearer ${TOKEN}`)).text())
        .split("\n")
        .filter((line) => /^roundhouse_signin_(sign_ins|limits_hit|mails)_total\{/.test(line))
        .length;
    const before = await count();
    for (const email of ["a@x.test", "b@x.test", "c@x.test"]) {
      await harness.post("/auth/login", { email, password: WRONG });
    }
    assert.equal(await count(), before);
  });
});
