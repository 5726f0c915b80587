// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decodeJwt } from "jose";
import {
  beginFlow,
  keptCookies,
  link,
  obtainNativeCode,
  openCallback,
  refusalOf,
  signIn,
  signInNative,
} from "../../support/signin/flows.ts";
import { device } from "../../support/signin/passkeys.ts";
import {
  createFactorSignin,
  EMAIL,
  NEW_PASSWORD,
  outcome,
} from "../../support/signin/second-factor.ts";
import { BASE_URL } from "../../support/signin/signin.ts";
import { PASSWORD } from "../../support/signin/users.ts";

const NEEDED = [403, "reauthentication_required"];
const isOf = { type: "session.reauthenticated" };

/** An account with every way to sign in, whose second factor is on, in a session that was proven five minutes ago. */
async function withStaleSession() {
  const signin = await createFactorSignin();
  const { access_token: bearer, user } = await signin.signUp(EMAIL);
  const key = device();
  const { body: passkey } = await signin.register(bearer, key);
  await link(signin, bearer, { provider: "google" });
  const account = await signin.switchOn(bearer, EMAIL, user.id);
  signin.deps.clock.advance(300_000);
  const isFresh = async (by = bearer) =>
    (await signin.ask("POST", "/auth/passkeys/options", { bearer: by })).status === 200;
  const reauthenticate = (body: object, more: object = {}) =>
    signin.post("/auth/reauthenticate", body, { bearer, ...more });
  return Object.assign(signin, { ...account, bearer, key, passkey, isFresh, reauthenticate });
}

describe("beside a second factor", () => {
  it("no password and no mailed code changes anything by itself: the answer lists what proves the account", async () => {
    await using signin = await withStaleSession();
    const { bearer, passkey } = signin;
    for (const path of [
      "/auth/password/code",
      "/auth/me/delete/code",
      "/auth/reauthenticate/code",
    ]) {
      assert.equal((await signin.post(path, undefined, { bearer })).status, 200);
    }
    const code = signin.codeFor(EMAIL);
    const before = signin.mails.length;
    for (const [method, path, body] of [
      ["POST", "/auth/password", { current_password: PASSWORD, new_password: NEW_PASSWORD }],
      ["POST", "/auth/password", { code, new_password: NEW_PASSWORD }],
      ["DELETE", "/auth/me", { password: PASSWORD }],
      ["DELETE", "/auth/me", { code }],
      ["DELETE", "/auth/me", undefined],
      ["POST", "/auth/reauthenticate", { password: PASSWORD }],
      ["POST", "/auth/reauthenticate", { code }],
      ["POST", "/auth/email/code", { email: "thief@example.test" }],
      ["DELETE", `/auth/passkeys/${passkey.id}`, undefined],
      ["POST", "/auth/identities/google/confirm", undefined],
      ["POST", "/auth/second-factor/totp/options", undefined],
      ["POST", "/auth/second-factor/totp", { code: "000000" }],
      ["POST", "/auth/second-factor/recovery-codes", undefined],
      ["DELETE", "/auth/second-factor/totp", undefined],
    ] as const) {
      const answer = await signin.ask(method, path, { bearer, body });
      assert.deepEqual(outcome(answer), NEEDED, `${method} ${path}`);
      assert.deepEqual(answer.body.ways, ["passkey", "second_factor"], path);
    }
    assert.equal(signin.mails.length, before);
    assert.equal((await signin.logIn(signin.nextCode())).status, 200, "the password is the same");
  });

  it("the factor, a recovery code and a passkey are fresh proofs, the first two once", async () => {
    await using signin = await withStaleSession();
    const { bearer, recoveryCodes, reauthenticate } = signin;
    const body = { current_password: PASSWORD, new_password: NEW_PASSWORD };
    const change = async (from: string, to: string) =>
      signin.post("/auth/password", { current_password: from, new_password: to }, { bearer });
    for (const second_factor of [signin.code(), recoveryCodes[0]]) {
      await signin.rows("UPDATE sessions SET proven_at = 1");
      assert.equal((await reauthenticate({ second_factor })).status, 200);
      assert.equal(await signin.isFresh(), true);
      await signin.rows("UPDATE sessions SET proven_at = 1");
      const again = await reauthenticate({ second_factor });
      assert.deepEqual(outcome(again), [400, "invalid_second_factor"]);
      assert.equal(await signin.isFresh(), false);
    }
    const { options, cookie } = await signin.signInOptions();
    const credential = signin.key.get(options);
    assert.equal((await reauthenticate({ credential }, { cookie })).status, 200);
    assert.equal((await change(body.current_password, body.new_password)).status, 204);
    const recorded = signin.audited.filter(({ type }) => type === isOf.type);
    assert.deepEqual(
      recorded.map(({ outcome: result, detail }) => [result, detail?.method]),
      [
        ["success", "second_factor"],
        ["failure", "second_factor"],
        ["success", "second_factor"],
        ["failure", "second_factor"],
        ["success", "passkey"],
      ],
    );
  });

  it("a deletion takes the password of a fresh session alone", async () => {
    await using signin = await withStaleSession();
    const { bearer } = signin;
    assert.equal((await signin.reauthenticate({ second_factor: signin.code() })).status, 200);
    const remove = (password: string) =>
      signin.ask("DELETE", "/auth/me", { bearer, body: { password } });
    assert.deepEqual(outcome(await remove("a wrong password")), [400, "invalid_password"]);
    assert.equal((await remove(PASSWORD)).status, 204);
    for (const table of ["second_factors", "recovery_codes"]) {
      assert.deepEqual(await signin.rows(`SELECT 1 FROM ${table}`), [], table);
    }
  });

  it("a sign-in with a provider is no fresh proof, and one with a passkey or the factor is", async () => {
    await using signin = await withStaleSession();
    assert.equal(await signin.isFresh((await signIn(signin)).accessToken), false);
    assert.equal(await signin.isFresh((await signInNative(signin)).access_token), false);
    const byKey = await signin.signIn(signin.key, {}, { native: true });
    assert.equal(await signin.isFresh(byKey.body.access_token), true);
    const byFactor = await signin.logIn(signin.nextCode());
    assert.equal(await signin.isFresh(byFactor.body.access_token), true);
  });
});

describe("an account without a second factor", () => {
  it("is not proven by one", async () => {
    await using signin = await createFactorSignin();
    const { access_token: bearer } = await signin.signUp(EMAIL);
    const answer = await signin.post(
      "/auth/reauthenticate",
      { second_factor: "123456" },
      { bearer },
    );
    assert.deepEqual(outcome(answer), [400, "invalid_request"]);
    assert.match(answer.body.details, /^second_factor: /);
  });
});

describe("switching the second factor on", () => {
  it("takes the fresh proof of all other sessions, also where one is proven at the same time", async () => {
    for (let round = 0; round < 5; round += 1) {
      await using signin = await createFactorSignin();
      const { access_token: bearer, user } = await signin.signUp(EMAIL);
      const login = { email: EMAIL, password: PASSWORD };
      const other = (await signin.post("/auth/login", login)).body.access_token;
      const proofs = () =>
        signin.post("/auth/reauthenticate", { password: PASSWORD }, { bearer: other });
      await Promise.all([signin.switchOn(bearer, EMAIL, user.id), proofs(), proofs(), proofs()]);
      const changed = await signin.ask("POST", "/auth/passkeys/options", { bearer: other });
      assert.deepEqual(outcome(changed), NEEDED);
      assert.equal((await signin.ask("POST", "/auth/passkeys/options", { bearer })).status, 200);
    }
  });
});

describe("an identity that was linked without fresh proof", () => {
  const withUnconfirmed = async () => {
    const signin = await createFactorSignin();
    const { access_token: bearer, user } = await signin.signUp(EMAIL);
    await signin.rows("UPDATE sessions SET proven_at = 1");
    await link(signin, bearer, { provider: "google" });
    await signin.prove(bearer);
    const account = await signin.switchOn(bearer, EMAIL, user.id);
    const sessions = async () => (await signin.rows("SELECT 1 FROM sessions")).length;
    const begin = async () => {
      const response = await openCallback(signin, await beginFlow(signin));
      assert.equal(response.headers.get("location"), `${BASE_URL}/#factor`);
      return keptCookies(response).join("; ");
    };
    const enter = (cookie: string, second_factor: string, origin = BASE_URL) =>
      signin.call("POST", "/auth/second-factor/identity", {
        ...{ cookie, origin, body: { second_factor } },
      });
    return Object.assign(signin, { ...account, bearer, sessions, begin, enter });
  };

  it("is asked for the second factor, once in its browser, and gives no fresh proof", async () => {
    await using signin = await withUnconfirmed();
    const before = await signin.sessions();
    const cookie = await signin.begin();
    assert.match(cookie, /^__Host-signin_id=/);
    const { enter, nextCode, wrong } = signin;
    assert.equal(await refusalOf(await enter("", nextCode())), "400 state_expired");
    assert.equal(await refusalOf(await enter(cookie, wrong())), "401 second_factor_rejected");
    const foreign = await enter(cookie, nextCode(), "https://evil.example");
    assert.equal(await refusalOf(foreign), "403 forbidden_origin");
    assert.equal(await signin.sessions(), before);

    const code = nextCode();
    const answers = await Promise.all([enter(cookie, code), enter(cookie, code)]);
    const [entered, ...others] = answers.filter(({ status }) => status === 200);
    assert.deepEqual(others, []);
    assert.ok(entered);
    const { access_token } = await entered.json();
    assert.deepEqual(decodeJwt(access_token).amr, ["otp", "mfa"]);
    assert.ok(keptCookies(entered).some((kept) => kept.startsWith("__Secure-signin_rt=")));
    const fresh = await signin.ask("POST", "/auth/passkeys/options", { bearer: access_token });
    assert.deepEqual(outcome(fresh), NEEDED);
    assert.equal(await refusalOf(await enter(cookie, nextCode())), "400 invalid_state");
    signin.deps.clock.advance(600_000);
    assert.equal(await refusalOf(await enter(cookie, nextCode())), "400 state_expired");
    assert.equal(await signin.sessions(), before + 1);
  });

  it("begins no session of a native client until it is confirmed, and then needs no factor", async () => {
    await using signin = await withUnconfirmed();
    const { bearer } = signin;
    const before = await signin.sessions();
    assert.equal((await obtainNativeCode(signin)).code, "");
    assert.equal(await signin.sessions(), before);
    await signin.rows("UPDATE sessions SET proven_at = 1");
    const confirm = () => signin.post("/auth/identities/google/confirm", undefined, { bearer });
    assert.deepEqual(outcome(await confirm()), NEEDED);
    const second_factor = signin.nextCode();
    await signin.post("/auth/reauthenticate", { second_factor }, { bearer });
    assert.equal((await confirm()).status, 204);
    assert.equal((await signIn(signin)).user.id, signin.userId);
    assert.equal((await signInNative(signin)).user.id, signin.userId);
  });
});
