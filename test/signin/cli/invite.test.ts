// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TEXTS } from "../../../signin/texts/texts.ts";
import {
  type CliDatabase,
  cli,
  insertUser,
  KINDS,
  openEmbeddedFolder,
  openMigrated,
  openServerDatabase,
} from "../../support/signin/cli.ts";
import { startMailbox } from "../../support/signin/mail.ts";
import { machineTimeSec } from "../../support/time.ts";

const DAY_SEC = 86_400;
const ON = [
  ...KINDS,
  ["a libSQL server that answers after 40 ms", () => openServerDatabase({ latencyMs: 40 })],
] as const;

const listInvitations = async ({ db }: CliDatabase) =>
  (await db.$client.execute("SELECT email_norm, expires_at FROM invitations")).rows.map(
    ({ email_norm, expires_at }) => [email_norm, Number(expires_at)] as const,
  );

for (const [kind, open] of ON) {
  describe(`an invitation on ${kind}`, () => {
    it("is stored with its end, prints the page's address, and is audited without its own; again moves the end", async () => {
      await using database = await openMigrated(open);
      const env = { ...database.env, APP_BASE_URL: "https://auth.example.test" };
      const before = machineTimeSec();
      for (const [args, days] of [
        [[], 7],
        [["--days", "30"], 30],
      ] as const) {
        const { code, json, error } = await cli(env, [
          ...["--json", "invite", " Ann@Bücher.Example"],
          ...args,
        ]);
        assert.equal(code, 0, error);
        const [{ until, ...facts }] = json;
        assert.deepEqual(facts, {
          invited: "Ann@Bücher.Example",
          page: "https://auth.example.test/",
          mail: "none",
        });
        const [[norm, end] = ["", 0], ...others] = await listInvitations(database);
        assert.deepEqual([norm, others], ["ann@xn--bcher-kva.example", []]);
        assert.ok(end >= before + days * DAY_SEC && end <= machineTimeSec() + days * DAY_SEC);
        assert.equal(Date.parse(until) / 1000, end);
      }
      const { rows } = await database.db.$client.execute("SELECT * FROM audit_events");
      assert.deepEqual(
        rows.map(({ type }) => type),
        ["admin.invited", "admin.invited"],
      );
      assert.doesNotMatch(JSON.stringify(rows), /ann@/i);
    });

    it("is refused for an address that has an account, or that is none, and under SIGNUP=closed", async () => {
      await using database = await openMigrated(open);
      await insertUser(database, "user", "ann@example.test");
      for (const [address, reason, variables] of [
        ["ANN@example.test", /An account already has the address/, {}],
        ["ann", /is not an e-mail address/, {}],
        ["bob@example.test", /SIGNUP is closed/, { SIGNUP: "closed" }],
      ] as const) {
        const refused = await cli({ ...database.env, ...variables }, ["invite", address]);
        assert.equal(refused.code, 1);
        assert.match(refused.error, reason);
      }
      assert.deepEqual(await listInvitations(database), []);
    });
  });
}

describe("the mail of an invitation", () => {
  it("goes out in the chosen language, with the address of the page and no code", async () => {
    await using database = await openMigrated(openEmbeddedFolder);
    await using mailbox = await startMailbox(new Set());
    const env = {
      ...database.env,
      MAIL_TRANSPORT: "http",
      MAIL_HTTP_URL: `${mailbox.url}/send`,
      MAIL_HTTP_TOKEN: mailbox.token,
    };
    const args = ["--json", "invite", "ann@example.test", "--language", "de"];
    const { json, code, error } = await cli(env, args);
    assert.equal(code, 0, error);
    assert.equal(json[0].mail, "http");
    const mail = await mailbox.until(({ to }) => String(to) === "ann@example.test");
    assert.equal(mail.subject, TEXTS.de.mail.mails.invitation[0]);
    assert.match(mail.text, /http:\/\/localhost:8787/);
    assert.doesNotMatch(mail.text, /\d{8}/);

    // The same way for the second factor that an operator switches off.
    await insertUser(database, "user", "bob@example.test");
    await database.db.$client.execute(
      "INSERT INTO second_factors (user_id, ciphertext, key_id, enabled_at, expires_at) VALUES ('user', 'c', 'k', 1, 1)",
    );
    const reset = ["users", "reset-second-factor", "user", "--yes", "--language", "fr"];
    assert.equal((await cli(env, reset)).code, 0);
    const told = await mailbox.until(({ to }) => String(to) === "bob@example.test");
    assert.equal(told.subject, TEXTS.fr.mail.mails.second_factor_reset[0]);
  });

  it("that cannot be sent fails the command, and leaves the invitation", async () => {
    await using database = await openMigrated(openEmbeddedFolder);
    await using mailbox = await startMailbox(new Set());
    mailbox.refuses = true;
    const mail = { MAIL_TRANSPORT: "http", MAIL_HTTP_URL: `${mailbox.url}/send` };
    const failed = await cli({ ...database.env, ...mail }, ["invite", "ann@example.test"]);
    assert.equal(failed.code, 1);
    assert.match(failed.error, /mail/i);
    assert.equal((await listInvitations(database)).length, 1);
  });
});
