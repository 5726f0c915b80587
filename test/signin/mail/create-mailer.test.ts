import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BadConfiguration } from "../../../shared/env.ts";
import { parseConfig } from "../../../signin/config/config.ts";
import { createMailer } from "../../../signin/mail/create-mailer.ts";
import { MailFailed } from "../../../signin/mail/mailer.ts";
import { TEST_ENV } from "../../support/signin/signin.ts";

const MAIL = { to: "ann@example.test", subject: "Hello", text: "Your code: 12345678\n" };

function mailerOf(env: Record<string, string>, lines: string[] = []) {
  const config = parseConfig({ ...TEST_ENV, APP_ENV: "development", ...env });
  return createMailer(config.mail, { fetch, writeLine: (line) => lines.push(line) });
}

describe("the mail transport", () => {
  it("is the log in development: one JSON line with the whole message", async () => {
    const lines: string[] = [];
    await mailerOf({}, lines).send(MAIL);
    assert.equal(lines.length, 1);
    assert.ok(!lines[0]?.includes("\n"));
    assert.deepEqual(JSON.parse(lines[0] ?? ""), { mail: MAIL });
  });

  it("fails where the runtime has no SMTP", async () => {
    const mailer = mailerOf({ MAIL_TRANSPORT: "smtp", MAIL_SMTP_URL: "smtp://mail.test" });
    await assert.rejects(mailer.send(MAIL), MailFailed);
  });

  for (const env of ["staging", "production"]) {
    it(`may not be the log in ${env}`, () => {
      const refused = { ...TEST_ENV, APP_ENV: env, MAIL_TRANSPORT: "log" };
      assert.throws(
        () => parseConfig(refused),
        (error: unknown) => {
          assert.ok(error instanceof BadConfiguration);
          assert.match(error.message, /MAIL_TRANSPORT/);
          return true;
        },
      );
    });
  }
});
