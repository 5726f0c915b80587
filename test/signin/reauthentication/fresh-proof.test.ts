// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { beginFlow, link, openCallback, signIn, signInNative } from "../../support/signin/flows.ts";
import { createPasskeySignin, device, type PasskeySignin } from "../../support/signin/passkeys.ts";
import { PASSWORD } from "../../support/signin/users.ts";

const EMAIL = "key1@example.test";
const NEW = "thief@example.test";

const advance = ({ deps }: PasskeySignin, seconds: number) => deps.clock.advance(seconds * 1000);

/** The changes that need a fresh proof, each in a form that is refused for nothing else. */
async function listChanges(signin: PasskeySignin, bearer: string, passkeyId: string) {
  return {
    "POST /auth/email/code": { email: NEW },
    "POST /auth/email/complete": { email: NEW, code: "00000000" },
    "POST /auth/password": { code: "00000000", new_password: `${PASSWORD} 2` },
    "POST /auth/passkeys/options": undefined,
    "POST /auth/passkeys": {
      credential: device().create(await signin.registrationOptions(bearer)),
    },
    [`DELETE /auth/passkeys/${passkeyId}`]: undefined,
    "POST /auth/identities/google/confirm": undefined,
    "DELETE /auth/me": undefined,
  };
}

/** An account with a passkey, whose session was proven five minutes ago. */
async function withStaleSession() {
  const signin = await createPasskeySignin();
  const { bearer, userId } = await signin.openAccount();
  const key = device();
  const { body: passkey } = await signin.register(bearer, key);
  const changes = await listChanges(signin, bearer, passkey.id);
  advance(signin, 300);
  const reauthenticate = (body: object, options: { bearer?: string; cookie?: string } = {}) =>
    signin.post("/auth/reauthenticate", body, { bearer, ...options });
  /** Status and code of a change that nothing else refuses. */
  const isFresh = async (by = bearer) => {
    const { status } = await signin.ask("POST", "/auth/passkeys/options", { bearer: by });
    return status === 200;
  };
  return Object.assign(signin, { bearer, userId, key, passkey, changes, reauthenticate, isFresh });
}

describe("a session whose last proof is five minutes old", () => {
  it("changes no address, password or passkey, and deletes nothing; the answer lists the ways of the account", async () => {
    await using signin = await withStaleSession();
    const mailed = signin.mails.length;
    for (const [route, body] of Object.entries(signin.changes)) {
      const [method = "", path = ""] = route.split(" ");
      const answer = await signin.ask(method, path, { bearer: signin.bearer, body });
      assert.deepEqual(
        [answer.status, answer.body.code],
        [403, "reauthentication_required"],
        route,
      );
      assert.deepEqual(answer.body.ways, ["password", "code", "passkey"], route);
    }
    assert.equal(signin.mails.length, mailed);
    const me = await signin.get("/auth/me", signin.bearer);
    assert.deepEqual([me.status, me.body.email], [200, EMAIL]);
    assert.equal((await signin.get("/auth/passkeys", signin.bearer)).body.passkeys.length, 1);
  });

  it("still takes the old password as its own proof, and does what is no such change", async () => {
    await using signin = await withStaleSession();
    const { bearer } = signin;
    const body = { current_password: PASSWORD, new_password: `${PASSWORD} 2` };
    assert.equal((await signin.post("/auth/password", body, { bearer })).status, 204);
    assert.equal(await signin.isFresh(), false);
    const named = await signin.ask("PATCH", "/auth/me", { bearer, body: { display_name: "Ann" } });
    assert.equal(named.status, 200);
    assert.equal((await link(signin, bearer)).status, 302);
  });

  it("lists only ways that the account has", async () => {
    await using signin = await createPasskeySignin({
      MAIL_TRANSPORT: undefined,
      MAIL_HTTP_URL: undefined,
    });
    const { accessToken: bearer } = await signIn(signin);
    advance(signin, 300);
    const { status, body } = await signin.ask("DELETE", "/auth/me", { bearer });
    assert.deepEqual([status, body.ways], [403, []]);
  });
});

describe("every sign-in", () => {
  it("begins with a fresh proof, which a refresh neither renews nor ends", async () => {
    await using signin = await createPasskeySignin();
    const { refresh_token } = await signin.signUp(EMAIL);
    const bearers = [
      (await signin.post("/auth/login", { email: EMAIL, password: PASSWORD })).body.access_token,
      (await signIn(signin)).accessToken,
      (await signInNative(signin)).access_token,
    ];
    for (const bearer of bearers) {
      assert.equal((await signin.ask("POST", "/auth/passkeys/options", { bearer })).status, 200);
    }
    advance(signin, 200);
    const refreshed = await signin.post("/auth/refresh", { refresh_token });
    const bearer = refreshed.body.access_token;
    assert.equal((await signin.ask("POST", "/auth/passkeys/options", { bearer })).status, 200);
    advance(signin, 100);
    const later = await signin.post("/auth/refresh", {
      refresh_token: refreshed.body.refresh_token,
    });
    const options = { bearer: later.body.access_token };
    assert.equal((await signin.ask("POST", "/auth/passkeys/options", options)).status, 403);
  });
});

describe("POST /auth/reauthenticate", () => {
  it("proves this session alone, for five minutes, and answers a new access token", async () => {
    await using signin = await withStaleSession();
    const other = await signin.post("/auth/login", { email: EMAIL, password: PASSWORD });
    await signin.rows("UPDATE sessions SET proven_at = 1 WHERE kind = 'password'");
    const { status, body } = await signin.reauthenticate({ password: PASSWORD });
    assert.deepEqual([status, body.token_type, body.user.email], [200, "Bearer", EMAIL]);
    assert.notEqual(body.access_token, signin.bearer);
    assert.equal((await signin.get("/auth/me", body.access_token)).status, 200);
    assert.deepEqual(
      [await signin.isFresh(), await signin.isFresh(other.body.access_token)],
      [true, false],
    );
    advance(signin, 299);
    assert.equal(await signin.isFresh(body.access_token), true);
    advance(signin, 1);
    assert.equal(await signin.isFresh(body.access_token), false);
    assert.equal(signin.audited.filter(({ type }) => type === "session.reauthenticated").length, 1);
  });

  it("takes a code that is mailed to the present address, once", async () => {
    await using signin = await withStaleSession();
    const { bearer } = signin;
    const sent = await signin.post("/auth/reauthenticate/code", undefined, { bearer });
    assert.equal(sent.status, 200);
    assert.equal(signin.mails.at(-1)?.to, EMAIL);
    const code = signin.codeFor(EMAIL);
    for (const [path, body] of [
      ["/auth/password", { code, new_password: `${PASSWORD} 2` }],
      ["/auth/me", { code }],
    ] as const) {
      const method = path === "/auth/me" ? "DELETE" : "POST";
      const refused = await signin.ask(method, path, { bearer, body });
      assert.notEqual(refused.status, 204, "a code of this purpose is no other");
    }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => signin.reauthenticate({ code })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400]);
    assert.equal(await signin.isFresh(), true);
    assert.equal((await signin.reauthenticate({ code })).body.code, "invalid_code");
  });

  it("takes a passkey of the account, once, and one of another account never", async () => {
    await using signin = await withStaleSession();
    const { options, cookie } = await signin.signInOptions();
    const credential = signin.key.get(options);
    assert.equal((await signin.reauthenticate({ credential })).status, 400, "no cookie");
    const again = await signin.signInOptions();
    const given = { credential: signin.key.get(again.options) };
    assert.equal((await signin.reauthenticate(given, { cookie: again.cookie })).status, 200);
    const replay = await signin.reauthenticate(given, { cookie: again.cookie });
    assert.deepEqual([replay.status, replay.body.code], [400, "invalid_passkey"]);
    assert.equal(await signin.isFresh(), true);

    const { bearer: foreign } = await signin.openAccount();
    advance(signin, 300);
    const third = await signin.signInOptions();
    const stolen = { credential: signin.key.get(third.options) };
    const refused = await signin.reauthenticate(stolen, { bearer: foreign, cookie: third.cookie });
    assert.deepEqual([refused.status, refused.body.code], [400, "invalid_passkey"]);
    assert.equal(await signin.isFresh(foreign), false);
    assert.ok(cookie);
  });

  it("refuses a wrong proof, several and none, and says which", async () => {
    await using signin = await withStaleSession();
    for (const [body, code] of [
      [{}, "invalid_request"],
      [{ password: PASSWORD, code: "00000000" }, "invalid_request"],
      [{ password: "wrong password" }, "invalid_password"],
      [{ code: "00000000" }, "invalid_code"],
      [{ code: "1" }, "invalid_request"],
    ] as const) {
      const answer = await signin.reauthenticate(body);
      assert.deepEqual([answer.status, answer.body.code], [400, code], JSON.stringify(body));
    }
    assert.equal(await signin.isFresh(), false);
    assert.equal((await signin.post("/auth/reauthenticate", {})).status, 401);
    assert.equal((await signin.post("/auth/reauthenticate/code", undefined)).status, 401);
  });
});

describe("an identity that a session without fresh proof linked", () => {
  const withLinked = async () => {
    const signin = await withStaleSession();
    assert.equal((await link(signin, signin.bearer, { provider: "google" })).status, 302);
    return signin;
  };
  const confirm = (signin: Awaited<ReturnType<typeof withLinked>>, provider = "google") =>
    signin.post(`/auth/identities/${provider}/confirm`, undefined, { bearer: signin.bearer });

  it("signs in, and gives no fresh proof until a fresh session confirms it", async () => {
    await using signin = await withLinked();
    const { accessToken } = await signIn(signin);
    assert.equal((await signin.get("/auth/me", accessToken)).status, 200);
    assert.equal(await signin.isFresh(accessToken), false);
    const native = await signInNative(signin);
    assert.equal(await signin.isFresh(native.access_token), false);
    const stale = await confirm(signin);
    assert.deepEqual([stale.status, stale.body.code], [403, "reauthentication_required"]);
    const own = await signin.post("/auth/identities/google/confirm", undefined, {
      bearer: accessToken,
    });
    assert.equal(own.status, 403);

    await signin.prove(signin.bearer);
    const listed = await signin.get("/auth/identities", signin.bearer);
    assert.deepEqual(
      listed.body.identities.map((each: object) => ({ ...each, linked_at: "" })),
      [{ provider: "google", linked_at: "", confirmed: false }],
    );
    assert.deepEqual([(await confirm(signin)).status, (await confirm(signin)).status], [204, 204]);
    assert.equal(await signin.isFresh((await signIn(signin)).accessToken), true);
    assert.equal((await confirm(signin, "github")).status, 404);
  });

  it("is confirmed where the session has a fresh proof at the callback", async () => {
    await using signin = await withStaleSession();
    await signin.prove(signin.bearer);
    const flow = await beginFlow(signin, "google", { bearer: signin.bearer });
    assert.equal((await openCallback(signin, flow)).status, 302);
    assert.equal(await signin.isFresh((await signIn(signin)).accessToken), true);
  });
});
