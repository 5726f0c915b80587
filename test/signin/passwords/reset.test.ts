import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSigninWithUsers, PASSWORD } from "../../support/signin/users.ts";

const EMAIL = "ann@example.test";
const NEW_PASSWORD = "another fine phrase";

describe("a password reset", () => {
  it("sets the password, ends every session and answers tokens of a new one", async () => {
    await using signin = await createSigninWithUsers();
    const before = await signin.signUp(EMAIL);
    await signin.post("/auth/password/reset/code", { email: EMAIL });
    const code = signin.codeFor(EMAIL);
    const answer = await signin.post("/auth/password/reset/complete", {
      email: EMAIL,
      code,
      password: NEW_PASSWORD,
    });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("set-cookie"), null);
    assert.equal(answer.body.user.id, before.user.id);

    const old = await signin.get("/auth/sessions", before.access_token);
    assert.equal(old.status, 401);
    const refresh = await signin.post("/auth/refresh", { refresh_token: before.refresh_token });
    assert.equal(refresh.body.code, "session_expired");
    const { sessions } = (await signin.get("/auth/sessions", answer.body.access_token)).body;
    assert.equal(sessions.length, 1);
    const wrong = await signin.post("/auth/login", { email: EMAIL, password: PASSWORD });
    assert.equal(wrong.status, 401);
    const right = await signin.post("/auth/login", { email: EMAIL, password: NEW_PASSWORD });
    assert.equal(right.status, 200);
    assert.ok(signin.audited.some(({ type }) => type === "password.reset"));
  });

  it("can be asked for right after the sign-up: each purpose counts for itself", async () => {
    await using signin = await createSigninWithUsers();
    await signin.post("/auth/signup/code", { email: EMAIL });
    const code = signin.codeFor(EMAIL);
    await signin.post("/auth/signup/complete", { email: EMAIL, code, password: PASSWORD });
    await signin.post("/auth/password/reset/code", { email: EMAIL });
    assert.equal(signin.mails.length, 2);
  });

  it("gives an account without a password its first one", async () => {
    await using signin = await createSigninWithUsers();
    await signin.db.$client.execute(
      `INSERT INTO users (id, email, email_norm, created_at, updated_at) VALUES ('u1', 'Ann@Example.test', '${EMAIL}', 1, 1)`,
    );
    await signin.post("/auth/password/reset/code", { email: EMAIL });
    assert.equal(signin.mails[0]?.to, "Ann@Example.test", "to the address that the account has");
    const code = signin.codeFor(EMAIL);
    const body = { email: EMAIL, code, password: NEW_PASSWORD };
    assert.equal((await signin.post("/auth/password/reset/complete", body)).status, 200);
    const login = { email: EMAIL, password: NEW_PASSWORD };
    assert.equal((await signin.post("/auth/login", login)).status, 200);
  });

  it("spends native codes of before, so that no session comes out of them", async () => {
    await using signin = await createSigninWithUsers();
    const { user } = await signin.signUp(EMAIL);
    await signin.db.$client.execute(
      `INSERT INTO native_codes (code_hash, user_id, code_challenge, expires_at) VALUES ('h', '${user.id}', 'c', 9999999999)`,
    );
    await signin.post("/auth/password/reset/code", { email: EMAIL });
    const body = { email: EMAIL, code: signin.codeFor(EMAIL), password: NEW_PASSWORD };
    assert.equal((await signin.post("/auth/password/reset/complete", body)).status, 200);
    const [code] = await signin.rows("SELECT consumed_at FROM native_codes");
    assert.notEqual(code?.consumed_at, null);
  });

  it("leaves other people's sessions alone", async () => {
    await using signin = await createSigninWithUsers();
    const bob = await signin.signUp("bob@example.test");
    await signin.signUp(EMAIL);
    await signin.post("/auth/password/reset/code", { email: EMAIL });
    const body = { email: EMAIL, code: signin.codeFor(EMAIL), password: NEW_PASSWORD };
    await signin.post("/auth/password/reset/complete", body);
    assert.equal((await signin.get("/auth/sessions", bob.access_token)).status, 200);
  });

  it("sends no mail to an address without an account", async () => {
    await using signin = await createSigninWithUsers();
    const answer = await signin.post("/auth/password/reset/code", {
      email: "unknown@example.test",
    });
    assert.equal(answer.status, 200);
    assert.deepEqual(signin.mails, []);
    // A row is there, as for an account. No code fits it.
    const rows = await signin.rows("SELECT code_hmac, consumed_at FROM email_codes");
    assert.deepEqual(rows, [{ code_hmac: "", consumed_at: null }]);
  });

  it("is refused where the account is gone since the code was mailed", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    await signin.post("/auth/password/reset/code", { email: EMAIL });
    const code = signin.codeFor(EMAIL);
    await signin.db.$client.execute("DELETE FROM users");
    const body = { email: EMAIL, code, password: NEW_PASSWORD };
    const answer = await signin.post("/auth/password/reset/complete", body);
    assert.equal(answer.status, 400);
    assert.equal(answer.body.code, "invalid_code");
  });

  it("asks for a good password before it looks at the code", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    await signin.post("/auth/password/reset/code", { email: EMAIL });
    const code = signin.codeFor(EMAIL);
    const weak = { email: EMAIL, code, password: "password123" };
    assert.equal((await signin.post("/auth/password/reset/complete", weak)).status, 400);
    const good = { email: EMAIL, code, password: NEW_PASSWORD };
    assert.equal((await signin.post("/auth/password/reset/complete", good)).status, 200);
  });

  it("survives a change of the signing key: the old one still reads the code", async () => {
    const oldKey = "0f1e2d3c4b5a69788796a5b4c3d2e1f0ffeeddccbbaa99887766554433221100";
    const newKey = "11223344556677889900aabbccddeeff00112233445566778899aabbccddeeff";
    await using signin = await createSigninWithUsers({ JWT_SECRET_KEY: oldKey });
    await signin.signUp(EMAIL);
    await signin.post("/auth/password/reset/code", { email: EMAIL });
    const code = signin.codeFor(EMAIL);
    const { openDb } = signin.deps;
    await using rotated = await createSigninWithUsers(
      { JWT_SECRET_KEY: `${newKey},${oldKey}` },
      { openDb },
    );
    rotated.deps.clock.advance(61_000);
    const body = { email: EMAIL, code, password: NEW_PASSWORD };
    assert.equal((await rotated.post("/auth/password/reset/complete", body)).status, 200);
  });
});
