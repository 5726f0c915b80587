import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSigninWithUsers, PASSWORD } from "../../support/signin/users.ts";

const EMAIL = "ann@example.test";

async function withCode(email = EMAIL) {
  const signin = await createSigninWithUsers();
  await signin.post("/auth/signup/code", { email });
  return { signin, code: signin.codeFor(email) };
}

describe("sign-up by a mailed code", () => {
  it("creates the account and answers tokens that work", async () => {
    const { signin, code } = await withCode();
    await using _ = signin;
    const { status, body } = await signin.post("/auth/signup/complete", {
      email: EMAIL,
      code,
      password: PASSWORD,
      display_name: "  Ann  ",
    });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).sort(), [
      "access_token",
      "expires_in",
      "refresh_expires_in",
      "refresh_token",
      "token_type",
      "user",
    ]);
    assert.deepEqual(body.user, {
      id: body.user.id,
      email: EMAIL,
      display_name: "Ann",
      avatar_url: null,
      connected_providers: [],
    });
    const sessions = await signin.get("/auth/sessions", body.access_token);
    assert.equal(sessions.status, 200);
    const refreshed = await signin.post("/auth/refresh", { refresh_token: body.refresh_token });
    assert.equal(refreshed.status, 200);
    assert.deepEqual(
      signin.audited.map(({ type }) => type).filter((type) => type !== "session.refreshed"),
      ["signup.code_sent", "signup.completed", "session.created"],
    );
  });

  it("sets no cookie", async () => {
    const { signin, code } = await withCode();
    await using _ = signin;
    const body = { email: EMAIL, code, password: PASSWORD };
    const { headers } = await signin.post("/auth/signup/complete", body);
    assert.equal(headers.get("set-cookie"), null);
    assert.equal(headers.get("cache-control"), "no-store");
  });

  for (const name of [undefined, null, "", "   "]) {
    it(`leaves the display name null for ${JSON.stringify(name)}`, async () => {
      const { signin, code } = await withCode();
      await using _ = signin;
      const body = { email: EMAIL, code, password: PASSWORD, display_name: name };
      const answer = await signin.post("/auth/signup/complete", body);
      assert.equal(answer.body.user.display_name, null);
    });
  }

  it("counts another spelling of the address as the same", async () => {
    const { signin, code } = await withCode(" Ann@Example.TEST ");
    await using _ = signin;
    assert.equal(signin.mails[0]?.to, "Ann@Example.TEST");
    const body = { email: EMAIL, code: ` ${code} `, password: PASSWORD };
    assert.equal((await signin.post("/auth/signup/complete", body)).status, 200);
    signin.deps.clock.advance(61_000);
    await signin.post("/auth/signup/code", { email: "ANN@example.test" });
    assert.match(signin.mails[1]?.subject ?? "", /already/);
  });

  it("lets a code be used once", async () => {
    const { signin, code } = await withCode();
    await using _ = signin;
    const body = { email: EMAIL, code, password: PASSWORD };
    assert.equal((await signin.post("/auth/signup/complete", body)).status, 200);
    const again = await signin.post("/auth/signup/complete", body);
    assert.equal(again.status, 400);
    assert.equal(again.body.code, "invalid_code");
  });

  it("refuses a code after ten minutes, and takes it a second before", async () => {
    for (const [waitMs, status] of [
      [599_000, 200],
      [600_000, 400],
    ] as const) {
      const { signin, code } = await withCode();
      await using _ = signin;
      signin.deps.clock.advance(waitMs);
      const body = { email: EMAIL, code, password: PASSWORD };
      assert.equal((await signin.post("/auth/signup/complete", body)).status, status);
    }
  });

  it("makes a code useless once a new one was mailed", async () => {
    const { signin, code } = await withCode();
    await using _ = signin;
    signin.deps.clock.advance(61_000);
    await signin.post("/auth/signup/code", { email: EMAIL });
    const newer = signin.codeFor(EMAIL);
    const body = { email: EMAIL, password: PASSWORD };
    if (newer !== code) {
      const old = await signin.post("/auth/signup/complete", { ...body, code });
      assert.equal(old.body.code, "invalid_code");
    }
    assert.equal(
      (await signin.post("/auth/signup/complete", { ...body, code: newer })).status,
      200,
    );
  });

  it("does not take a code of one purpose or address for another", async () => {
    const signin = await createSigninWithUsers();
    await using _ = signin;
    await signin.signUp(EMAIL);
    await signin.post("/auth/password/reset/code", { email: EMAIL });
    const code = signin.codeFor(EMAIL);
    for (const email of [EMAIL, "bob@example.test"]) {
      const body = { email, code, password: PASSWORD };
      const answer = await signin.post("/auth/signup/complete", body);
      assert.equal(answer.body.code, "invalid_code", email);
    }
  });

  it("keeps the code usable when the password breaks a rule", async () => {
    const { signin, code } = await withCode();
    await using _ = signin;
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const short = { email: EMAIL, code, password: "short" };
      const { status, body } = await signin.post("/auth/signup/complete", short);
      assert.equal(status, 400);
      assert.equal(body.code, "invalid_request");
      assert.equal(body.error, "The password must have at least 10 characters.");
      assert.equal(body.details, "password: must have at least 10 characters");
    }
    const body = { email: EMAIL, code, password: PASSWORD };
    assert.equal((await signin.post("/auth/signup/complete", body)).status, 200);
  });

  it("answers account_exists where the account was made since the code was mailed", async () => {
    const { signin, code } = await withCode();
    await using _ = signin;
    await signin.db.$client.execute(
      `INSERT INTO users (id, email, email_norm, created_at, updated_at) VALUES ('other', '${EMAIL}', '${EMAIL}', 1, 1)`,
    );
    const body = { email: EMAIL, code, password: PASSWORD };
    const answer = await signin.post("/auth/signup/complete", body);
    assert.equal(answer.status, 409);
    assert.equal(answer.body.code, "account_exists");
    const [user] = await signin.rows("SELECT id, password_hash FROM users");
    assert.equal(user?.id, "other");
    assert.equal(
      user?.password_hash,
      null,
      "a stranger adds no password to another user's account",
    );
    assert.deepEqual(await signin.rows("SELECT id FROM sessions"), []);
  });

  it("makes no account before the code came back", async () => {
    const { signin } = await withCode();
    await using _ = signin;
    assert.deepEqual(await signin.rows("SELECT id FROM users"), []);
    const wrong = { email: EMAIL, code: "00000000", password: PASSWORD };
    await signin.post("/auth/signup/complete", wrong);
    assert.deepEqual(await signin.rows("SELECT id FROM users"), []);
  });

  it("keeps neither code nor address readable where it counts and compares", async () => {
    const { signin, code } = await withCode();
    await using _ = signin;
    const stored = JSON.stringify([
      await signin.rows("SELECT id, code_hmac FROM email_codes"),
      await signin.rows("SELECT * FROM rate_limits"),
      await signin.rows("SELECT * FROM audit_events"),
    ]);
    assert.ok(!stored.includes(code));
    assert.ok(!stored.includes(EMAIL));
    assert.ok(!stored.includes("203.0.113.7"));
  });
});

const BAD_BODIES: [string, unknown][] = [
  ["no e-mail address", { code: "12345678", password: PASSWORD }],
  ["no address at all in it", { email: "ann", code: "12345678", password: PASSWORD }],
  [
    "a line end in the address",
    { email: "a\r\nBcc: b@x.test", code: "12345678", password: PASSWORD },
  ],
  ["two addresses", { email: "a@x.test,b@x.test", code: "12345678", password: PASSWORD }],
  ["a code of seven digits", { email: EMAIL, code: "1234567", password: PASSWORD }],
  ["a code with letters", { email: EMAIL, code: "1234567a", password: PASSWORD }],
  ["a code of other digits", { email: EMAIL, code: "١٢٣٤٥٦٧٨", password: PASSWORD }],
  ["a number for a code", { email: EMAIL, code: 12345678, password: PASSWORD }],
  ["no password", { email: EMAIL, code: "12345678" }],
  [
    "half a character in the password",
    { email: EMAIL, code: "12345678", password: "\ud800".repeat(12) },
  ],
  [
    "a name of 101 characters",
    { email: EMAIL, code: "12345678", password: PASSWORD, display_name: "x".repeat(101) },
  ],
  [
    "a line end in the name",
    { email: EMAIL, code: "12345678", password: PASSWORD, display_name: "a\nb" },
  ],
  ["a list", []],
  ["a text", '"text"'],
];

describe("a sign-up that is not valid", () => {
  for (const [name, body] of BAD_BODIES) {
    it(`is refused with ${name}`, async () => {
      await using signin = await createSigninWithUsers();
      const answer = await signin.post("/auth/signup/complete", body);
      assert.equal(answer.status, 400);
      assert.equal(answer.body.code, "invalid_request");
      assert.equal(typeof answer.body.details, "string");
    });
  }
});
