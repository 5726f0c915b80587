import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  createSigninWithUsers,
  PASSWORD,
  type SigninWithUsers,
} from "../../support/signin/users.ts";

const EMAIL = "ann@example.test";
const ELSEWHERE = { from: { address: "198.51.100.9" } };

/** Asks for a code and returns it. */
async function ask(signin: SigninWithUsers, email = EMAIL) {
  assert.equal((await signin.post("/auth/login/code", { email })).status, 200);
  return signin.codeFor(EMAIL);
}

const complete = (signin: SigninWithUsers, code: string, email = EMAIL) =>
  signin.post("/auth/login/code/complete", { email, code });

describe("a sign-in by mailed code", () => {
  it("answers tokens of a session of kind code, and sets no cookie", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    const code = await ask(signin, ` ${EMAIL.toUpperCase()} `);
    const { status, body, headers } = await complete(signin, code);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(headers.get("set-cookie"), null);
    assert.equal(body.user.email, EMAIL);
    const refreshed = await signin.post("/auth/refresh", { refresh_token: body.refresh_token });
    assert.equal(refreshed.status, 200);
    const { sessions } = (await signin.get("/auth/sessions", body.access_token)).body;
    assert.deepEqual(sessions.map(({ kind }: { kind: string }) => kind).sort(), [
      "code",
      "password",
    ]);
    const login = signin.audited.findLast(({ type }) => type === "login.success");
    assert.deepEqual([login?.userId, login?.detail], [body.user.id, { method: "code" }]);
  });

  it("works for an account without a password", async () => {
    await using signin = await createSigninWithUsers();
    await signin.db.$client.execute(
      `INSERT INTO users (id, email, email_norm, created_at, updated_at) VALUES ('u1', '${EMAIL}', '${EMAIL}', 1, 1)`,
    );
    assert.equal((await complete(signin, await ask(signin))).body.user.id, "u1");
  });

  it("makes no account, and mails nothing to a stranger", async () => {
    await using signin = await createSigninWithUsers();
    const asked = await signin.post("/auth/login/code", { email: EMAIL });
    assert.deepEqual([asked.status, signin.mails.length], [200, 0]);
    for (const code of ["00000000", "12345678"]) {
      const { status, body } = await complete(signin, code);
      assert.deepEqual([status, body.code], [400, "invalid_code"]);
    }
    assert.deepEqual(await signin.rows("SELECT * FROM users"), []);
  });

  it("is good once, and 20 at once begin one session", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    const code = await ask(signin);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        signin.post(
          "/auth/login/code/complete",
          { email: EMAIL, code },
          { from: { address: `198.51.100.${at}` } },
        ),
      ),
    );
    assert.deepEqual(
      answers.filter(({ status }) => status === 200).length,
      1,
      JSON.stringify(answers.map(({ body }) => body.code)),
    );
    assert.equal((await signin.rows("SELECT id FROM sessions WHERE kind = 'code'")).length, 1);
  });

  it("ends after ten minutes", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    const late = await ask(signin);
    signin.deps.clock.advance(601_000);
    assert.equal((await complete(signin, late)).body.code, "invalid_code");
  });

  it("needs a code of its own purpose, and its own address", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    await signin.signUp("bob@example.test");
    await signin.post("/auth/password/reset/code", { email: EMAIL });
    const reset = signin.codeFor(EMAIL);
    assert.equal((await complete(signin, reset)).body.code, "invalid_code");
    const code = await ask(signin);
    assert.equal((await complete(signin, code, "bob@example.test")).body.code, "invalid_code");
    const body = { email: EMAIL, code, password: "another fine phrase" };
    assert.equal((await signin.post("/auth/password/reset/complete", body)).status, 400);
    assert.equal((await complete(signin, code)).status, 200);
  });

  it("ends with a reset, which ends all sessions", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    await signin.post("/auth/login/code", { email: EMAIL }, ELSEWHERE);
    const code = signin.codeFor(EMAIL);
    await signin.post("/auth/password/reset/code", { email: EMAIL });
    const body = { email: EMAIL, code: signin.codeFor(EMAIL), password: "another fine phrase" };
    assert.equal((await signin.post("/auth/password/reset/complete", body)).status, 200);
    assert.equal((await complete(signin, code)).body.code, "invalid_code");
  });

  it("leaves a reset alone that its owner asked for", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    await signin.post("/auth/password/reset/code", { email: EMAIL });
    const reset = signin.codeFor(EMAIL);
    assert.equal((await complete(signin, await ask(signin))).status, 200);
    const body = { email: EMAIL, code: reset, password: PASSWORD };
    assert.equal((await signin.post("/auth/password/reset/complete", body)).status, 200);
  });

  it("is 503 where no mail can be sent, and 400 for what is no address or code", async () => {
    await using mute = await createSigninWithUsers({ MAIL_TRANSPORT: "" });
    assert.equal(
      (await mute.post("/auth/login/code", { email: EMAIL })).body.code,
      "mail_unavailable",
    );
    await using signin = await createSigninWithUsers();
    const refused = await signin.post("/auth/login/code", { email: "ann" });
    assert.match(refused.body.details, /^email/);
    assert.match((await complete(signin, "1234")).body.details, /^code/);
  });
});
