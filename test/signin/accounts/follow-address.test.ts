// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { beginFlow, link, openCallback, signIn } from "../../support/signin/flows.ts";
import { createTestSignin, type TestSignin } from "../../support/signin/signin.ts";

const MAIL = { MAIL_HTTP_URL: "https://mail.example.test/send", MAIL_FROM: "a@example.test" };
const OLD = "old@corp.example";
const NEW = "new@home.example";
const addresses = async (signin: TestSignin) =>
  (await signin.rows("SELECT email FROM users ORDER BY created_at, email")).map(
    ({ email }) => email,
  );
const mailed = (signin: TestSignin) => signin.mails.map(({ to }) => to).sort();

describe("an address that the provider reports as changed", () => {
  it("becomes the account's at the next sign-in; both addresses get a mail, and the trail an event", async () => {
    await using signin = await createTestSignin({ MAIL_TRANSPORT: "http", ...MAIL });
    const first = await signIn(signin, { email: OLD });
    const again = await signIn(signin, { email: NEW });
    assert.equal(again.user.id, first.user.id);
    assert.equal(again.user.email, NEW);
    assert.deepEqual(mailed(signin), [NEW, OLD]);
    const toOld = signin.mails.find(({ to }) => to === OLD);
    assert.equal(toOld?.text.includes(NEW), false, "the old mailbox may be another person's now");
    assert.equal(signin.audited.filter(({ type }) => type === "email.changed").length, 1);
    assert.equal(JSON.stringify(signin.audited).includes(NEW), false, "no address in the trail");
    await signIn(signin, { email: NEW });
    assert.equal(signin.mails.length, 2, "once");
    await signIn(signin, { email: "third@home.example" });
    assert.deepEqual(await addresses(signin), ["third@home.example"], "and every later change");
  });

  it("of the OAuth provider, too", async () => {
    await using signin = await createTestSignin();
    const emails = (email: string) => [{ email, primary: true, verified: true }];
    await signIn(signin, { provider: "github", emails: emails(OLD) });
    await signIn(signin, { provider: "github", emails: emails(NEW) });
    assert.deepEqual(await addresses(signin), [NEW]);
  });

  it("frees the old one for whom it is now", async () => {
    await using signin = await createTestSignin();
    const mover = await signIn(signin, { subject: "1", email: OLD });
    await signIn(signin, { subject: "1", email: NEW });
    const other = await signIn(signin, { subject: "2", email: OLD });
    assert.notEqual(other.user.id, mover.user.id);
  });

  const unchanged: [
    name: string,
    prepare: (signin: TestSignin) => Promise<unknown>,
    change: object,
  ][] = [
    ["is not verified", async () => {}, { email: NEW, emailVerified: false }],
    ["is no address", async () => {}, { email: "none" }],
    ["differs in its case only", async () => {}, { email: "OLD@corp.example" }],
    ["belongs to another account", (s) => signIn(s, { subject: "2", email: NEW }), { email: NEW }],
    [
      "is of an account with a password, whose owner proved the present one",
      (s) => s.rows("UPDATE users SET password_hash = 'plain:x' RETURNING 1"),
      { email: NEW },
    ],
    [
      "is of an account that got its address elsewhere",
      (s) =>
        s.rows(
          "UPDATE users SET email = 'own@x.example', email_norm = 'own@x.example' RETURNING 1",
        ),
      { email: NEW },
    ],
  ];
  for (const [name, prepare, change] of unchanged) {
    it(`is not followed where it ${name}; the sign-in succeeds`, async () => {
      await using signin = await createTestSignin();
      await signIn(signin, { subject: "1", email: OLD });
      await prepare(signin);
      const before = await addresses(signin);
      const answer = await openCallback(signin, await beginFlow(signin), {
        subject: "1",
        ...change,
      });
      assert.equal(answer.status, 302);
      assert.deepEqual(await addresses(signin), before);
      assert.deepEqual(signin.mails, []);
    });
  }

  it("is not followed by an identity that was linked with another address", async () => {
    await using signin = await createTestSignin();
    const { accessToken } = await signIn(signin, { email: OLD });
    const emails = (email: string) => [{ email, primary: true, verified: true }];
    assert.equal((await link(signin, accessToken, { emails: emails(NEW) })).status, 302);
    await signIn(signin, { provider: "github", emails: emails("third@home.example") });
    assert.deepEqual(await addresses(signin), [OLD]);
  });

  it("is not followed where only the rule of spellings changed", async () => {
    await using signin = await createTestSignin();
    await signIn(signin, { email: OLD });
    await signin.rows("UPDATE users SET email_norm = 'under-another-rule' RETURNING 1");
    await signIn(signin, { email: OLD });
    assert.deepEqual(signin.mails, []);
    assert.equal(signin.audited.filter(({ type }) => type === "email.changed").length, 0);
  });

  it("is one account's, where two are given it at once", async () => {
    await using signin = await createTestSignin();
    await signIn(signin, { subject: "1", email: OLD });
    await signIn(signin, { subject: "2", email: "two@corp.example" });
    const flows = await Promise.all(["1", "2"].map(() => beginFlow(signin)));
    const answers = await Promise.all(
      flows.map((flow, at) => openCallback(signin, flow, { subject: `${at + 1}`, email: NEW })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [302, 302],
    );
    assert.equal((await addresses(signin)).filter((email) => email === NEW).length, 1);
  });

  it("is followed where a mail cannot be sent: the log and the trail say so", async () => {
    const mailer = {
      async send() {
        throw new Error("down");
      },
    };
    await using signin = await createTestSignin({ MAIL_TRANSPORT: "http", ...MAIL }, { mailer });
    await signIn(signin, { email: OLD });
    await signIn(signin, { email: NEW });
    assert.deepEqual(await addresses(signin), [NEW]);
    assert.equal(signin.audited.filter(({ type }) => type === "mail.failed").length, 2);
  });
});
