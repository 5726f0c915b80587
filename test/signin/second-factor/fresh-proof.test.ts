import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  beginFlow,
  link,
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
  it("does not pass by the second factor: it begins no session until it is confirmed", async () => {
    await using signin = await createFactorSignin();
    const { access_token: bearer, user } = await signin.signUp(EMAIL);
    await signin.rows("UPDATE sessions SET proven_at = 1");
    await link(signin, bearer, { provider: "google" });
    await signin.prove(bearer);
    const account = await signin.switchOn(bearer, EMAIL, user.id);
    const sessions = async () => (await signin.rows("SELECT 1 FROM sessions")).length;
    const before = await sessions();
    const refused = await openCallback(signin, await beginFlow(signin));
    assert.equal(await refusalOf(refused), "403 identity_unconfirmed");
    await assert.rejects(signInNative(signin), /invalid_grant|identity_unconfirmed|400/);
    assert.equal(await sessions(), before);

    await signin.rows("UPDATE sessions SET proven_at = 1");
    const confirm = () => signin.post("/auth/identities/google/confirm", undefined, { bearer });
    assert.deepEqual(outcome(await confirm()), NEEDED);
    const second_factor = account.nextCode();
    await signin.post("/auth/reauthenticate", { second_factor }, { bearer });
    assert.equal((await confirm()).status, 204);
    assert.equal((await signIn(signin)).user.id, user.id);
  });
});
