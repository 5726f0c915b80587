import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MailFailed } from "../../../signin/mail/mailer.ts";
import { link } from "../../support/signin/flows.ts";
import {
  createSigninWithUsers,
  PASSWORD,
  type SigninWithUsers,
  send,
} from "../../support/signin/users.ts";

const EMAIL = "ann@example.test";

/** The mails of `work`, once all of its background work is done. */
async function mailsOf(signin: SigninWithUsers, work: () => Promise<unknown>) {
  signin.mails.length = 0;
  await work();
  // The notice may still be under way where the call has no `waitUntil`.
  await signin.get("/auth/me", "");
  return signin.mails.map(({ to, subject, text }) => ({ to, subject, text }));
}

async function reset(signin: SigninWithUsers, email = EMAIL) {
  await signin.post("/auth/password/reset/code", { email });
  const body = { email, code: signin.codeFor(email), password: "another fine phrase" };
  const answer = await signin.post("/auth/password/reset/complete", body);
  assert.equal(answer.status, 200);
  return answer.body;
}

describe("the owner of an account gets a mail", () => {
  it("when a provider is connected, and when it is disconnected", async () => {
    await using signin = await createSigninWithUsers();
    const { access_token: bearer } = await signin.signUp(EMAIL);
    const [linked, ...others] = await mailsOf(signin, () => link(signin, bearer));
    assert.equal(others.length, 0);
    assert.equal(linked?.to, EMAIL);
    assert.equal(linked?.subject, "A way to sign in was added to your account");
    assert.match(linked?.text ?? "", /^github was connected\./);
    assert.match(linked?.text ?? "", /Ways to sign in now:\n- password\n- github, since 2026-/);
    const [removed] = await mailsOf(signin, () =>
      send(signin, "DELETE", "/auth/github/disconnect", { bearer }),
    );
    assert.match(removed?.text ?? "", /^github was disconnected\./);
    assert.match(removed?.text ?? "", /Ways to sign in now:\n- password\n\n/);
  });

  it("when an API key is connected, and when it is removed; never with the key", async () => {
    await using signin = await createSigninWithUsers();
    const { access_token: bearer } = await signin.signUp(EMAIL);
    const body = { provider_slug: "openai", api_key: "sk-canary-0123456789abcdef-WXYZ" };
    const [connected] = await mailsOf(signin, () => signin.post("/auth/apikey", body, { bearer }));
    assert.match(connected?.text ?? "", /API key for openai was connected/);
    assert.match(connected?.text ?? "", /API keys:\n- openai, since 2026-/);
    assert.doesNotMatch(connected?.text ?? "", /canary|WXYZ/);
    const [removed] = await mailsOf(signin, () =>
      send(signin, "DELETE", "/auth/openai/disconnect", { bearer }),
    );
    assert.match(removed?.text ?? "", /The API key for openai was removed/);
  });

  it("after a reset, with what was linked since: the thief's identity is in the list", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    signin.deps.clock.advance(86_400_000);
    const thief = await signin.post("/auth/login", { email: EMAIL, password: PASSWORD });
    assert.equal((await link(signin, thief.body.access_token)).status, 302);
    signin.deps.clock.advance(86_400_000);
    const mails = await mailsOf(signin, () => reset(signin));
    const told = mails.find(({ subject }) => subject === "Your password was changed");
    assert.equal(told?.to, EMAIL);
    assert.match(told?.text ?? "", /- password\n- github, since 2026-01-03/);
    assert.match(told?.text ?? "", /A new password does not remove providers/);
    const code = mails.find(({ text }) => /Your code/.test(text));
    assert.match(code?.text ?? "", /does not remove connected providers/);
  });

  it("when an account gets its first password", async () => {
    await using signin = await createSigninWithUsers();
    await signin.db.$client.execute(
      `INSERT INTO users (id, email, email_norm, created_at, updated_at) VALUES ('u1', '${EMAIL}', '${EMAIL}', 1, 1)`,
    );
    const mails = await mailsOf(signin, () => reset(signin));
    assert.equal(mails.at(-1)?.subject, "Your account has a password now");
  });

  it("of each kind, however many there were of another", async () => {
    await using signin = await createSigninWithUsers();
    const { access_token: bearer } = await signin.signUp(EMAIL);
    const body = { provider_slug: "openai", api_key: "sk-canary-0123456789abcdef-WXYZ" };
    for (let minute = 0; minute < 2; minute += 1) {
      for (let at = 0; at < 8; at += 1) await signin.post("/auth/apikey", body, { bearer });
      signin.deps.clock.advance(61_000);
    }
    const keys = signin.mails.filter(({ subject }) => subject.startsWith("An API key"));
    assert.equal(keys.length, 16, "none is withheld");
    const [linked] = await mailsOf(signin, () => link(signin, bearer));
    assert.match(linked?.text ?? "", /^github was connected\./);
  });

  it("or the trail says that it did not", async () => {
    let isDown = false;
    const mails: string[] = [];
    const mailer = {
      async send({ text }: { text: string }) {
        if (isDown) throw new MailFailed("The mail service answered 500.");
        mails.push(text);
      },
    };
    await using signin = await createSigninWithUsers({}, { mailer });
    await signin.post("/auth/signup/code", { email: EMAIL });
    const code = /\d{8}/.exec(mails[0] ?? "")?.[0];
    const account = { email: EMAIL, code, password: PASSWORD };
    const { body } = await signin.post("/auth/signup/complete", account);
    isDown = true;
    const key = { provider_slug: "openai", api_key: "sk-canary-0123456789abcdef-WXYZ" };
    const answer = await signin.post("/auth/apikey", key, { bearer: body.access_token });
    assert.equal(answer.status, 200);
    const failed = signin.audited.find(({ type }) => type === "mail.failed");
    assert.deepEqual(failed?.detail, { mail: "notice.api_key_connected" });
  });
});
