// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, it } from "node:test";
import { startAdversarialProvider } from "../../support/signin/adversarial-provider.ts";
import {
  type CliDatabase,
  cli,
  openD1Database,
  openEmbeddedFolder,
} from "../../support/signin/cli.ts";
import { startGithubFake } from "../../support/signin/github.ts";
import { startMailbox, startSmtpReceiver } from "../../support/signin/mail.ts";
import { KEYS } from "../../support/signin/runtimes.ts";
import { machineTimeMs, TestClock } from "../../support/time.ts";

const SECRETS = {
  OIDC_PROVIDER_CLIENT_SECRET: "canary-oidc-1",
  OAUTH_PROVIDER_CLIENT_SECRET: "canary-oauth-2",
};

/** The environment of a server whose providers and mail answer. */
async function openHarness() {
  const stack = new AsyncDisposableStack();
  const [database, oidc, github, mailbox] = [
    stack.use(await openEmbeddedFolder()),
    stack.use(await startAdversarialProvider()),
    stack.use(await startGithubFake()),
    stack.use(await startMailbox(new Set())),
  ];
  const env = {
    ...database.env,
    ...KEYS,
    ...SECRETS,
    APP_ENV: "test",
    APP_BASE_URL: "http://127.0.0.1:8787",
    OIDC_PROVIDER_CLIENT_ID: "client-1",
    OIDC_PROVIDER_ISSUER: oidc.url,
    OAUTH_PROVIDER_CLIENT_ID: "client-2",
    OAUTH_PROVIDER_API_URL: github.url,
    MAIL_TRANSPORT: "http",
    MAIL_HTTP_URL: mailbox.url,
    MAIL_HTTP_TOKEN: "canary-mail-3",
  };
  return { env, database, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const migrated = ({ env }: CliDatabase) => cli(env, ["migrate"]);

describe("doctor", () => {
  it("looks at a D1 database that its options name", async () => {
    await using database = await openD1Database();
    const env = { ...database.env, ...KEYS, APP_ENV: "test" };
    const outdated = await cli(env, ["--json", "doctor"]);
    const databaseOf = ({ json }: Awaited<ReturnType<typeof cli>>) =>
      json.find(({ check }) => check === "database");
    assert.match(databaseOf(outdated).detail, /^signin-db \(D1, local\) is not up to date/);
    assert.equal((await migrated(database)).code, 0);
    const good = await cli(env, ["--json", "doctor"]);
    assert.deepEqual(databaseOf(good), {
      check: "database",
      ok: true,
      detail: "signin-db (D1, local) is up to date",
    });
    const both = await cli({ ...env, DATABASE_URL: "https://db.example.test" }, ["doctor"]);
    assert.match(both.out, /DATABASE_URL: must not be set beside the D1 binding/);
  });

  it("finds everything good: variables, providers and their callbacks, mail, database, clock", async () => {
    await using harness = await openHarness();
    assert.equal((await migrated(harness.database)).code, 0);
    const { code, out, error, json } = await cli(harness.env, ["--json", "doctor"]);
    assert.equal(code, 0, out + error);
    const byName = new Map(json.map(({ check, detail }) => [check, detail]));
    assert.equal(byName.get("MAIL_HTTP_TOKEN"), "set");
    assert.match(
      byName.get("google"),
      /callback to register: http:\/\/127\.0\.0\.1:8787\/auth\/google\/callback$/,
    );
    assert.match(byName.get("passkeys"), /; browsers refuse them on an IP address$/);
    assert.match(byName.get("github"), /callback to register: .*\/auth\/github\/callback$/);
    assert.match(byName.get("mail"), /responds; `mail test ADDRESS`/);
    assert.match(byName.get("database"), /signin\.db is up to date$/);
    assert.match(byName.get("clock"), /^\d s (behind|ahead of) other servers$/);
    assert.ok(!out.includes("canary"), out);
  });

  it("names each bad variable with its rule, and shows no value", async () => {
    const env = { APP_ENV: "production", JWT_SECRET_KEY: "canary", SIGNIN_PROT: "1" };
    const { code, out, error } = await cli(env, ["doctor"]);
    assert.equal(code, 1);
    assert.match(out, /^FAILED {2}JWT_SECRET_KEY: must be at least 32 bytes/m);
    assert.match(out, /^FAILED {2}APP_UI_BASE_URL: must be set/m);
    assert.match(out, /^FAILED {2}variables: SIGNIN_PROT is not a known variable/m);
    assert.match(error, /of \d+ checks failed/);
    assert.ok(!out.includes("canary"), out);
  });

  it("finds what is down: provider, API, mail, and says it beside what works", async () => {
    await using harness = await openHarness();
    const nowhere = "http://127.0.0.1:1";
    const env = {
      ...harness.env,
      OIDC_PROVIDER_ISSUER: nowhere,
      OAUTH_PROVIDER_API_URL: nowhere,
      MAIL_HTTP_URL: nowhere,
    };
    const { code, json } = await cli(env, ["--json", "doctor"]);
    assert.equal(code, 1);
    const bad = json.filter(({ ok }) => !ok).map(({ check }) => check);
    assert.deepEqual(bad, ["google", "github", "mail", "database"]);
  });

  it("asks a mail server for a connection, and sends nothing", async () => {
    await using database = await openEmbeddedFolder();
    await using receiver = await startSmtpReceiver();
    const env = {
      ...database.env,
      MAIL_TRANSPORT: "smtp",
      MAIL_SMTP_URL: `smtp://127.0.0.1:${receiver.port}`,
    };
    const { out } = await cli(env, ["doctor"]);
    assert.match(out, /^ok +mail: the mail server accepts the connection/m);
    assert.deepEqual(receiver.received, []);
    receiver.refuse = "greeting";
    assert.match((await cli(env, ["doctor"])).out, /^FAILED {2}mail: /m);
  });

  it("finds a clock that is wrong", async () => {
    await using harness = await openHarness();
    const time = new TestClock(machineTimeMs() + 3_600_000);
    const { code, out } = await cli(harness.env, ["doctor"], { time });
    assert.equal(code, 1);
    assert.match(out, /^FAILED {2}clock: 3\d{3} s ahead of other servers/m);
  });

  it("creates nothing before the first start", async () => {
    await using database = await openEmbeddedFolder();
    const folder = `${dirname(database.path)}/new/folder`;
    const { code, out } = await cli({ SIGNIN_DATA_DIR: folder }, ["doctor"]);
    assert.equal(code, 0, out);
    assert.match(out, /the first start creates .*new\/folder\/signin\.db/);
    assert.ok(!(await readdir(dirname(database.path))).includes("new"));
  });
});
