import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { systemClock } from "../../../shared/clock.ts";
import type { Database } from "../../../shared/database.ts";
import { type LogFields, type Logger, redactFields } from "../../../shared/log.ts";
import { MailFailed } from "../../../signin/mail/mailer.ts";
import { createDatabaseLimiter } from "../../../signin/rate-limits/database-limiter.ts";
import { createSigninWithUsers, type SigninWithUsers } from "../../support/signin/users.ts";

const EMAIL = "canary-person@example.test";
const PASSWORD = "canary password one";
const NEW_PASSWORD = "canary password two";

/** A logger that keeps its lines as a runtime would write them. */
function createRecorder() {
  const lines: string[] = [];
  const write = (fields: LogFields, message: string) => {
    lines.push(JSON.stringify([message, redactFields(fields)]));
  };
  const log: Logger = { debug: write, info: write, warn: write, error: write };
  return { log, lines };
}

const openRateLimiter = (db: Database) => createDatabaseLimiter(db, systemClock);

/** A whole life with a password: each request, right and wrong. */
async function liveThrough(signin: SigninWithUsers): Promise<string[]> {
  const secrets = [PASSWORD, NEW_PASSWORD];
  const keep = (tokens: { access_token?: string; refresh_token?: string }) => {
    secrets.push(tokens.access_token ?? "none", tokens.refresh_token ?? "none");
  };
  await signin.post("/auth/signup/code", { email: EMAIL });
  const code = signin.codeFor(EMAIL);
  const wrong = code === "00000000" ? "00000001" : "00000000";
  await signin.post("/auth/signup/complete", { email: EMAIL, code: wrong, password: PASSWORD });
  const made = await signin.post("/auth/signup/complete", {
    email: EMAIL,
    code,
    password: PASSWORD,
  });
  keep(made.body);
  await signin.post("/auth/login", { email: EMAIL, password: NEW_PASSWORD });
  keep((await signin.post("/auth/login", { email: EMAIL, password: PASSWORD })).body);
  await signin.post("/auth/password/reset/code", { email: EMAIL });
  const resetCode = signin.codeFor(EMAIL);
  const reset = { email: EMAIL, code: resetCode, password: NEW_PASSWORD };
  keep((await signin.post("/auth/password/reset/complete", reset)).body);
  await signin.post("/auth/password/reset/complete", reset);
  return [...secrets, code, resetCode];
}

describe("secrets of people", () => {
  it("are in no log, no trail and no counter", async () => {
    const { log, lines } = createRecorder();
    await using signin = await createSigninWithUsers({}, { log, openRateLimiter });
    const secrets = await liveThrough(signin);
    const kept = JSON.stringify([
      lines,
      await signin.rows("SELECT * FROM audit_events"),
      await signin.rows("SELECT * FROM rate_limits"),
      await signin.rows("SELECT * FROM sessions"),
      await signin.rows("SELECT id, code_hmac FROM email_codes"),
    ]);
    for (const secret of secrets) assert.ok(!kept.includes(secret), secret);
    assert.ok(!kept.includes(EMAIL));
  });

  it("are in no subject of a mail", async () => {
    await using signin = await createSigninWithUsers();
    const secrets = await liveThrough(signin);
    const subjects = signin.mails.map(({ subject }) => subject).join("\n");
    assert.ok(signin.mails.length >= 2);
    for (const secret of secrets) assert.ok(!subjects.includes(secret));
    assert.doesNotMatch(subjects, /\d/);
  });

  for (const table of ["users", "sessions", "email_codes", "rate_limits"]) {
    it(`are in no log and no answer when the table ${table} fails`, async () => {
      const { log, lines } = createRecorder();
      await using signin = await createSigninWithUsers({}, { log, openRateLimiter });
      await signin.post("/auth/signup/code", { email: EMAIL });
      const code = signin.codeFor(EMAIL);
      await signin.db.$client.execute(`ALTER TABLE ${table} RENAME TO away`);
      const answers = [
        await signin.post("/auth/signup/complete", { email: EMAIL, code, password: PASSWORD }),
        await signin.post("/auth/login", { email: EMAIL, password: PASSWORD }),
        await signin.post("/auth/password/reset/code", { email: EMAIL }),
      ];
      assert.ok(answers.some(({ status }) => status === 500) || table === "email_codes");
      const told = JSON.stringify([lines, answers.map(({ body }) => body)]);
      assert.ok(lines.length > 0);
      for (const secret of [code, PASSWORD, EMAIL, "plain:"]) {
        assert.ok(!told.includes(secret), secret);
      }
    });
  }

  it("are not in what the log says of a mail that failed", async () => {
    const { log, lines } = createRecorder();
    const sent: string[] = [];
    const mailer = {
      send: async ({ text }: { text: string }) => {
        sent.push(text);
        throw new MailFailed("refused", { cause: new Error("550 no such box") });
      },
    };
    await using signin = await createSigninWithUsers({}, { log, mailer });
    await signin.post("/auth/signup/code", { email: EMAIL });
    const code = /\d{8}/.exec(sent[0] ?? "")?.[0] ?? assert.fail();
    assert.ok(lines.join().includes("550 no such box"));
    assert.ok(!lines.join().includes(code));
    assert.ok(!lines.join().includes(EMAIL));
  });
});
