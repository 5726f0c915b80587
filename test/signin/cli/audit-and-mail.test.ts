// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { AUDIT_PAGE_ROWS } from "../../../signin/limits.ts";
import {
  type CliDatabase,
  cli,
  openEmbeddedFolder,
  openServerDatabase,
} from "../../support/signin/cli.ts";
import { startMailbox, startSmtpReceiver } from "../../support/signin/mail.ts";
import { KEYS } from "../../support/signin/runtimes.ts";

async function insertEvents({ db }: CliDatabase, count: number): Promise<void> {
  await db.$client.execute({
    sql: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
          INSERT INTO audit_events (at, type, outcome, user_id, ip_prefix, request_id, detail_json)
          SELECT 1767323045 + i, iif(i % 2, 'login.success', 'login.failure'), iif(i % 2, 'success', 'failure'),
                 iif(i % 2, 'user', NULL), '203.0.113.0/24', 'request-' || i, '{"method":"password"}' FROM n`,
    args: [count],
  });
}

for (const [kind, open] of [
  ["the embedded file", openEmbeddedFolder],
  ["a libSQL server", openServerDatabase],
] as const) {
  describe(`the audit commands on ${kind}`, () => {
    it("export everything as JSON Lines, and go on after an id", async () => {
      await using database = await open();
      assert.equal((await cli(database.env, ["migrate"])).code, 0);
      await insertEvents(database, AUDIT_PAGE_ROWS + 3);
      const { code, out, error } = await cli(database.env, ["audit", "export"]);
      assert.equal(code, 0, error);
      const events = out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        events.map(({ id }) => id),
        Array.from({ length: AUDIT_PAGE_ROWS + 3 }, (_, at) => at + 1),
      );
      assert.deepEqual(events[0], {
        id: 1,
        at: "2026-01-02T03:04:06.000Z",
        type: "login.success",
        outcome: "success",
        session_id: null,
        network: "203.0.113.0/24",
        user_agent: null,
        detail: { method: "password" },
        user_id: "user",
        request_id: "request-1",
      });
      const last = String(AUDIT_PAGE_ROWS + 1);
      const rest = await cli(database.env, ["--json", "audit", "export", "--after", last]);
      assert.deepEqual(
        rest.json.map(({ id }) => id),
        [AUDIT_PAGE_ROWS + 2, AUDIT_PAGE_ROWS + 3],
      );
      const none = await cli(database.env, ["audit", "export", "--after", "999999"]);
      assert.deepEqual([none.code, none.out], [0, ""]);
    });

    it("list the newest first, of one type or all, and refuse bad numbers", async () => {
      await using database = await open();
      assert.equal((await cli(database.env, ["migrate"])).code, 0);
      assert.match((await cli(database.env, ["audit", "list"])).out, /No events/);
      await insertEvents(database, 6);
      const list = (...args: string[]) => cli(database.env, ["--json", "audit", "list", ...args]);
      const { json } = await list("--type", "login.failure", "--limit", "2");
      assert.deepEqual(
        json[0].map(({ id, user }: { id: number; user: string }) => [id, user]),
        [
          [6, null],
          [4, null],
        ],
      );
      for (const args of [
        ["--limit", "0"],
        ["--limit", "x"],
        ["--limit", "100000"],
        ["--user", "unknown"],
      ]) {
        assert.equal((await list(...args)).code, 1, args.join(" "));
      }
      assert.equal((await cli(database.env, ["audit", "export", "--after", "-1"])).code, 1);
    });
  });
}

describe("mail test", () => {
  it("sends by the configured transport, and says what the mail service said", async () => {
    await using database = await openEmbeddedFolder();
    await using mailbox = await startMailbox(new Set());
    const env = {
      ...database.env,
      ...KEYS,
      MAIL_TRANSPORT: "http",
      MAIL_HTTP_URL: mailbox.url,
      MAIL_HTTP_TOKEN: mailbox.token,
    };
    const sent = await cli(env, ["--json", "mail", "test", "ann@example.test"]);
    assert.equal(sent.code, 0, sent.error);
    assert.deepEqual(sent.json, [{ sent: "ann@example.test", transport: "http" }]);
    assert.equal(mailbox.mails[0]?.to, "ann@example.test");
    mailbox.refuses = true;
    const refused = await cli(env, ["mail", "test", "ann@example.test"]);
    assert.equal(refused.code, 1);
    assert.match(refused.error, /The mail service responded with status 503/);
  });

  it("goes to a mail server of this machine in production, and gives its words where it refuses", async () => {
    await using database = await openEmbeddedFolder();
    await using receiver = await startSmtpReceiver();
    const env = {
      ...database.env,
      ...KEYS,
      APP_ENV: "production",
      APP_BASE_URL: "https://auth.example.test",
      APP_UI_BASE_URL: "https://app.example.test",
      MAIL_TRANSPORT: "smtp",
      MAIL_FROM: "signin@example.test",
      MAIL_SMTP_URL: `smtp://127.0.0.1:${receiver.port}`,
    };
    const sent = await cli(env, ["mail", "test", "ann@example.test"]);
    assert.equal(sent.code, 0, sent.error);
    assert.deepEqual(receiver.received[0]?.to, ["ann@example.test"]);
    receiver.refuse = "RCPT";
    const refused = await cli(env, ["mail", "test", "ann@example.test"]);
    assert.match(refused.error, /^The mail server did not accept the message\. Reason: .*550/);
  });

  it("says what is missing: a transport, an address", async () => {
    await using database = await openEmbeddedFolder();
    const bad = await cli({ ...database.env, ...KEYS }, ["mail", "test", "unknown"]);
    assert.match(bad.error, /must be an e-mail address/);
    const none = await cli(
      {
        ...KEYS,
        APP_ENV: "production",
        APP_BASE_URL: "https://auth.example.test",
        APP_UI_BASE_URL: "https://app.example.test",
      },
      ["mail", "test", "ann@example.test"],
    );
    assert.match(none.error, /MAIL_TRANSPORT is not set/);
  });

  it("needs no secret and no data directory, and leaves none", async () => {
    await using mailbox = await startMailbox(new Set());
    await using database = await openEmbeddedFolder();
    const home = join(dirname(database.path), "home");
    const env = {
      HOME: home,
      XDG_DATA_HOME: home,
      MAIL_TRANSPORT: "http",
      MAIL_HTTP_URL: mailbox.url,
      MAIL_HTTP_TOKEN: mailbox.token,
    };
    const sent = await cli(env, ["mail", "test", "ann@example.test"]);
    assert.equal(sent.code, 0, sent.error);
    assert.equal(mailbox.mails.length, 1);
    assert.equal(existsSync(home), false);
  });
});
