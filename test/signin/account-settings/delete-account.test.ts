// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { link, signIn } from "../../support/signin/flows.ts";
import { createPasskeySignin, device, type PasskeySignin } from "../../support/signin/passkeys.ts";
import { CLIENT_ADDRESS, PASSWORD } from "../../support/signin/users.ts";
import { countRowsWith } from "./stored-words.ts";

const EMAIL = "key1@example.test";

const remove = (signin: PasskeySignin, bearer: string, body?: object) =>
  signin.ask("DELETE", "/auth/me", { bearer, body });

/** An account with a row in every table that can have one. */
async function withEverything() {
  const signin = await createPasskeySignin();
  const { bearer, userId } = await signin.openAccount();
  await link(signin, bearer);
  await signin.register(bearer, device());
  await signin.registrationOptions(bearer);
  const body = { provider_slug: "openai", api_key: "sk-0123456789abcdef" };
  await signin.post("/auth/apikey", body, { bearer });
  await signin.call("GET", "/auth/google/login?mode=link", { bearer });
  await signin.post("/auth/login/code", { email: EMAIL });
  for (const path of ["/auth/password/code", "/auth/me/delete/code"]) {
    await signin.post(path, undefined, { bearer });
  }
  await signin.post("/auth/email/code", { email: "new@example.test" }, { bearer });
  await signin.rows(
    `INSERT INTO native_codes (code_hash, user_id, code_challenge, expires_at) VALUES ('h', '${userId}', 'c', 1)`,
  );
  return Object.assign(signin, { bearer, userId });
}

describe("DELETE /auth/me", () => {
  it("leaves nothing of the account in any table but the trail, under the id alone; a mail tells it", async () => {
    await using signin = await withEverything();
    const { bearer, userId } = signin;
    const words = [userId, EMAIL, "new@example.test"];
    const before = await countRowsWith(signin, words);
    assert.deepEqual(Object.keys(before).sort(), [
      "api_keys",
      "audit_events",
      "email_codes",
      "identities",
      "native_codes",
      "passkeys",
      "sessions",
      "users",
    ]);
    const { status, body } = await remove(signin, bearer, { password: PASSWORD });
    assert.deepEqual([status, body], [204, undefined]);
    assert.deepEqual(Object.keys(await countRowsWith(signin, words)), ["audit_events"]);
    assert.deepEqual(await countRowsWith(signin, [EMAIL, "new@example.test"]), {});
    assert.ok(
      signin.audited.some(({ type, userId: id }) => type === "account.deleted" && id === userId),
    );
    const mail = signin.mails.at(-1);
    assert.deepEqual([mail?.to, mail?.subject], [EMAIL, "Your account was deleted"]);
  });

  it("leaves other accounts alone", async () => {
    await using signin = await createPasskeySignin();
    const [one, two] = [await signin.openAccount(), await signin.openAccount()];
    const words = [two.userId, "key2@example.test"];
    const before = await countRowsWith(signin, words);
    await remove(signin, one.bearer, { password: PASSWORD });
    assert.deepEqual(await countRowsWith(signin, words), before);
  });

  it("takes the password, a mailed code, or any session with a fresh proof", async () => {
    await using signin = await createPasskeySignin();
    const { bearer } = await signin.openAccount();
    signin.deps.clock.advance(300_000);
    const refused = await remove(signin, bearer);
    assert.deepEqual([refused.status, refused.body.code], [403, "reauthentication_required"]);
    assert.deepEqual(refused.body.ways, ["password", "code"]);
    for (const [body, code] of [
      [{ password: "wrong password" }, "invalid_password"],
      [{ code: "00000000" }, "invalid_code"],
      [{ password: PASSWORD, code: "00000000" }, "invalid_request"],
    ] as const) {
      const answer = await remove(signin, bearer, body);
      assert.deepEqual([answer.status, answer.body.code], [400, code]);
    }
    await signin.post("/auth/me/delete/code", undefined, { bearer });
    assert.equal((await remove(signin, bearer, { code: signin.codeFor(EMAIL) })).status, 204);

    const { bearer: fresh } = await signin.openAccount();
    assert.equal((await remove(signin, fresh)).status, 204);
    const young = await signIn(signin);
    assert.equal((await remove(signin, young.accessToken)).status, 204);
    const old = await signIn(signin);
    signin.deps.clock.advance(301_000);
    assert.equal((await remove(signin, old.accessToken)).body.code, "reauthentication_required");
    const noPassword = await remove(signin, old.accessToken, { password: PASSWORD });
    assert.equal(noPassword.body.details, "password: this account has no password");
  });

  it("takes a session that a passkey began within five minutes", async () => {
    await using signin = await createPasskeySignin();
    const { bearer } = await signin.openAccount();
    const key = device();
    await signin.register(bearer, key);
    const { body } = await signin.signIn(key, {}, { native: true });
    signin.deps.clock.advance(299_000);
    assert.equal((await remove(signin, body.access_token)).status, 204);
  });

  it("clears the cookie of the account's own session in this browser", async () => {
    await using signin = await createPasskeySignin();
    const { bearer } = await signin.openAccount();
    const { bearer: other } = await signin.openAccount();
    const key = device();
    await signin.register(bearer, key);
    const { headers } = await signin.signIn(key);
    const [cookie = ""] = (headers.getSetCookie()[0] ?? "").split(";");
    const foreign = await signin.ask("DELETE", "/auth/me", {
      bearer: other,
      cookie,
      body: { password: PASSWORD },
    });
    assert.deepEqual([foreign.status, foreign.headers.getSetCookie()], [204, []]);
    const own = await signin.ask("DELETE", "/auth/me", {
      bearer,
      cookie,
      body: { password: PASSWORD },
    });
    assert.equal(own.status, 204);
    assert.match(own.headers.getSetCookie()[0] ?? "", /Max-Age=0/);
  });
});

describe("a deletion that races", () => {
  it("refreshes of its sessions: none works afterwards, and none is a 500", async () => {
    await using signin = await createPasskeySignin();
    const { refresh_token, access_token: bearer } = await signin.signUp(EMAIL);
    const refresh = () => signin.post("/auth/refresh", { refresh_token });
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, refresh),
      remove(signin, bearer, { password: PASSWORD }),
      ...Array.from({ length: 5 }, refresh),
    ]);
    assert.equal(answers[5]?.status, 204);
    for (const { status } of answers) assert.ok([200, 204, 401].includes(status), String(status));
    assert.equal((await refresh()).status, 401);
    assert.deepEqual(await signin.rows("SELECT id FROM sessions"), []);
  });

  it("what else its session can add: nothing stays, and nothing is a 500", async () => {
    await using signin = await createPasskeySignin();
    const { bearer, userId } = await signin.openAccount();
    const key = { provider_slug: "openai", api_key: "sk-0123456789abcdef" };
    const created = device().create(await signin.registrationOptions(bearer));
    const answers = await Promise.all([
      signin.post("/auth/apikey", key, { bearer }),
      signin.ask("POST", "/auth/passkeys/options", { bearer }),
      remove(signin, bearer, { password: PASSWORD }),
      signin.post("/auth/apikey", key, { bearer }),
      signin.ask("POST", "/auth/passkeys", { bearer, body: { credential: created } }),
      signin.ask("POST", "/auth/passkeys/options", { bearer }),
      signin.ask("PATCH", "/auth/me", { bearer, body: { display_name: "Ann" } }),
      signin.post("/auth/login", { email: EMAIL, password: PASSWORD }),
      signin.ask("GET", "/auth/me/export", { bearer }),
      remove(signin, bearer, { password: PASSWORD }),
    ]);
    assert.equal(answers.filter(({ status }) => status === 204).length, 1);
    for (const { status, body } of answers) assert.ok(status < 500, JSON.stringify(body));
    assert.deepEqual(Object.keys(await countRowsWith(signin, [userId])), ["audit_events"]);
  });

  it("a request for a code: none is stored and none is mailed", async () => {
    // What a request begins waits here until the account is gone.
    let held: Promise<void> = Promise.resolve();
    await using signin = await createPasskeySignin({}, { pause: () => held });
    const { bearer } = await signin.openAccount();
    const mailed = signin.mails.length;
    const deleted = Promise.withResolvers<void>();
    held = deleted.promise;
    const works: Promise<unknown>[] = [];
    const from = {
      address: CLIENT_ADDRESS,
      waitUntil: (work: Promise<unknown>) => works.push(work),
    };
    for (const path of [
      "/auth/password/code",
      "/auth/me/delete/code",
      "/auth/reauthenticate/code",
    ]) {
      assert.equal((await signin.call("POST", path, { bearer, from })).status, 200, path);
    }
    assert.equal((await remove(signin, bearer, { password: PASSWORD })).status, 204);
    deleted.resolve();
    await Promise.all(works);
    const stored = await signin.rows("SELECT purpose FROM email_codes WHERE purpose <> 'signup'");
    assert.deepEqual(stored, []);
    const subjects = signin.mails.slice(mailed).map(({ subject }) => subject);
    assert.deepEqual(subjects, ["Your account was deleted"]);
  });

  it("the callback of a link: it answers that the session has ended", async () => {
    await using signin = await createPasskeySignin();
    const { bearer } = await signin.openAccount();
    const started = await signin.call("GET", "/auth/google/login?mode=link", { bearer });
    const { url } = await started.json();
    const cookie = (started.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
    assert.equal((await remove(signin, bearer, { password: PASSWORD })).status, 204);
    const callback = await signin.call("GET", await signin.idp.authorize(url), { cookie });
    assert.equal(callback.status, 401);
  });
});
