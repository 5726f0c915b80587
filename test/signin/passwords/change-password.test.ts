// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  createSigninWithUsers,
  PASSWORD,
  type SigninWithUsers,
} from "../../support/signin/users.ts";

const EMAIL = "ann@example.test";
const NEW = "another fine phrase";

const change = (signin: SigninWithUsers, bearer: string, body: object) =>
  signin.post("/auth/password", { new_password: NEW, ...body }, { bearer });
const logIn = (signin: SigninWithUsers, password: string) =>
  signin.post("/auth/login", { email: EMAIL, password });

async function withAccount() {
  const signin = await createSigninWithUsers();
  const { access_token: bearer, refresh_token } = await signin.signUp(EMAIL);
  return Object.assign(signin, { bearer, refresh_token });
}

describe("a changed password", () => {
  it("with the old one: this session stays, all others end, a mail tells it", async () => {
    await using signin = await withAccount();
    const other = (await logIn(signin, PASSWORD)).body;
    const answer = await change(signin, signin.bearer, { current_password: PASSWORD });
    assert.deepEqual([answer.status, answer.body], [204, undefined]);
    assert.equal((await signin.get("/auth/me", signin.bearer)).status, 200);
    assert.equal((await signin.get("/auth/me", other.access_token)).body.code, "session_expired");
    const refreshed = await signin.post("/auth/refresh", { refresh_token: other.refresh_token });
    assert.equal(refreshed.status, 401);
    assert.deepEqual(
      [(await logIn(signin, PASSWORD)).status, (await logIn(signin, NEW)).status],
      [401, 200],
    );
    const mail = signin.mails.findLast(({ subject }) => subject === "Your password was changed");
    assert.equal(mail?.to, EMAIL);
    assert.match(mail?.text ?? "", /Someone who entered the old password/);
    const { detail } = signin.audited.find(({ type }) => type === "password.changed") ?? {};
    assert.deepEqual(detail, { method: "password" });
  });

  it("with a mailed code, which is good once and of this account alone", async () => {
    await using signin = await withAccount();
    const { access_token: bob } = await signin.signUp("bob@example.test");
    const { bearer } = signin;
    const asked = await signin.post("/auth/password/code", undefined, { bearer });
    assert.equal(asked.status, 200);
    assert.match(asked.body.notice, /code/);
    const code = signin.codeFor(EMAIL);
    assert.equal((await change(signin, bob, { code })).body.code, "invalid_code");
    assert.equal((await change(signin, bearer, { code })).status, 204);
    const again = await change(signin, bearer, { code, new_password: "a third fine phrase" });
    assert.equal(again.body.code, "invalid_code");
    assert.equal((await logIn(signin, NEW)).status, 200);
  });

  it("is the first one of an account that had none, with a code alone", async () => {
    await using signin = await withAccount();
    const { bearer } = signin;
    await signin.rows("UPDATE users SET password_hash = NULL");
    const refused = await change(signin, bearer, { current_password: PASSWORD });
    assert.equal(refused.body.details, "current_password: this account has no password");
    await signin.post("/auth/password/code", undefined, { bearer });
    assert.equal((await change(signin, bearer, { code: signin.codeFor(EMAIL) })).status, 204);
    assert.equal(signin.mails.at(-1)?.subject, "Your account has a password now");
  });

  it("ends pending codes of the account, so that none of before can still be used", async () => {
    await using signin = await withAccount();
    const { bearer } = signin;
    await signin.post("/auth/login/code", { email: EMAIL });
    const code = signin.codeFor(EMAIL);
    assert.equal((await change(signin, bearer, { current_password: PASSWORD })).status, 204);
    const late = await signin.post("/auth/login/code/complete", { email: EMAIL, code });
    assert.equal(late.body.code, "invalid_code");
  });

  it("is one of 20 that were sent at once with one code", async () => {
    await using signin = await withAccount();
    const { bearer } = signin;
    await signin.post("/auth/password/code", undefined, { bearer });
    const code = signin.codeFor(EMAIL);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        signin.post(
          "/auth/password",
          { code, new_password: `phrase number ${at}` },
          { bearer, from: { address: `198.51.100.${at}` } },
        ),
      ),
    );
    const won = answers.findIndex(({ status }) => status === 204);
    assert.equal(answers.filter(({ status }) => status === 204).length, 1);
    assert.equal((await logIn(signin, `phrase number ${won}`)).status, 200);
  });

  it("is one of two that were sent at once with the old one", async () => {
    await using signin = await withAccount();
    const [one, two] = await Promise.all(
      ["one fine phrase", "two fine phrases"].map((new_password) =>
        change(signin, signin.bearer, { current_password: PASSWORD, new_password }),
      ),
    );
    assert.deepEqual([one?.status, two?.status].sort(), [204, 400]);
  });
});

describe("a password is not changed", () => {
  it("with a wrong one: guesses have a limit of their own, which those at the sign-in do not use up", async () => {
    await using signin = await withAccount();
    for (let at = 0; at < 6; at += 1) await logIn(signin, `wrong guess ${at}`);
    assert.equal((await logIn(signin, PASSWORD)).status, 429);
    for (let at = 0; at < 10; at += 1) {
      const wrong = await change(signin, signin.bearer, { current_password: `wrong guess ${at}` });
      assert.deepEqual([wrong.status, wrong.body.code], [400, "invalid_password"]);
      assert.equal(wrong.headers.get("www-authenticate"), null);
    }
    const limited = await change(signin, signin.bearer, { current_password: PASSWORD });
    assert.equal(limited.status, 429);
    signin.deps.clock.advance(3_600_000);
    assert.equal((await logIn(signin, PASSWORD)).status, 200);
    const failed = signin.audited.filter(({ type }) => type === "password.changed");
    assert.equal(failed.length, 10);
    assert.ok(failed.every(({ outcome }) => outcome === "failure"));
  });

  it("by a request that proves nothing, or both, or has a bad new one", async () => {
    await using signin = await withAccount();
    const both = { current_password: PASSWORD, code: "12345678" };
    for (const [body, field] of [
      [{}, /^current_password: /],
      [both, /^current_password: /],
      [{ current_password: PASSWORD, new_password: "short" }, /^new_password: must/],
      [{ code: "1234" }, /^code/],
    ] as const) {
      const { status, body: refused } = await change(signin, signin.bearer, body);
      assert.deepEqual([status, refused.code], [400, "invalid_request"]);
      assert.match(refused.details, field);
    }
    assert.equal((await signin.post("/auth/password", {})).status, 401);
    assert.equal((await logIn(signin, PASSWORD)).status, 200);
  });
});
