import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  authenticatorApp,
  createFactorSignin,
  EMAIL,
  outcome,
  REJECTED,
  wrongCode,
} from "../../support/signin/second-factor.ts";

describe("switching the second factor on", () => {
  it("takes a code of the new secret, and answers ten recovery codes, once", async () => {
    await using signin = await createFactorSignin();
    const { access_token: bearer } = await signin.signUp(EMAIL);
    const state = async () => (await signin.get("/auth/second-factor", bearer)).body;
    assert.deepEqual(await state(), { enabled: false, recovery_codes_left: 0 });
    const { body } = await signin.post("/auth/second-factor/totp/options", undefined, { bearer });
    assert.deepEqual(Object.keys(body), ["secret", "uri", "qr"]);
    const code = authenticatorApp(body.secret).codeAt(signin.deps.clock.now());
    const on = (given: string) =>
      signin.post("/auth/second-factor/totp", { code: given }, { bearer });
    assert.deepEqual(outcome(await on(wrongCode(code))), [400, "invalid_second_factor"]);
    assert.deepEqual(await state(), { enabled: false, recovery_codes_left: 0 });
    assert.equal((await on("12345")).status, 400);
    const { status, body: made } = await on(` ${code.slice(0, 3)} ${code.slice(3)} `);
    assert.equal(status, 200);
    assert.equal(new Set(made.recovery_codes).size, 10);
    for (const each of made.recovery_codes)
      assert.match(each, /^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-Z]{4}$/);
    assert.deepEqual(await state(), { enabled: true, recovery_codes_left: 10 });
    assert.deepEqual(outcome(await on(code)), [400, "invalid_second_factor"]);
    const again = await signin.post("/auth/second-factor/totp/options", undefined, { bearer });
    assert.deepEqual(outcome(again), [409, "second_factor_exists"]);
  });

  it("stores neither the secret nor a recovery code as it is, and logs none", async () => {
    await using signin = await createFactorSignin();
    const { access_token: bearer } = await signin.signUp(EMAIL);
    const { body } = await signin.post("/auth/second-factor/totp/options", undefined, { bearer });
    const code = authenticatorApp(body.secret).codeAt(signin.deps.clock.now());
    const { body: made } = await signin.post("/auth/second-factor/totp", { code }, { bearer });
    const stored = await signin.rows("SELECT * FROM second_factors");
    const codes = await signin.rows("SELECT * FROM recovery_codes");
    const seen = JSON.stringify([stored, codes, signin.logged, signin.mails, signin.audited]);
    for (const secret of [body.secret, ...made.recovery_codes]) {
      assert.equal(seen.includes(secret), false);
      assert.equal(seen.includes(secret.replaceAll("-", "")), false);
    }
    assert.match(String(stored[0]?.ciphertext), /^v1\./);
  });

  it("is possible for ten minutes, with the newest secret alone", async () => {
    await using signin = await createFactorSignin();
    const { access_token, refresh_token } = await signin.signUp(EMAIL);
    let bearer = access_token;
    const { clock } = signin.deps;
    const options = async () => {
      const { body } = await signin.post("/auth/second-factor/totp/options", undefined, { bearer });
      return authenticatorApp(body.secret);
    };
    const on = async (app: { codeAt(at: number): string }) => {
      await signin.prove(bearer);
      const code = app.codeAt(clock.now());
      return signin.post("/auth/second-factor/totp", { code }, { bearer });
    };
    const [first, second] = [await options(), await options()];
    assert.equal((await on(first)).status, 400);
    clock.advance(600_000);
    bearer = (await signin.post("/auth/refresh", { refresh_token })).body.access_token;
    assert.equal((await on(second)).status, 400);
    assert.equal((await on(await options())).status, 200);
  });

  it("uses the code up that switched it on", async () => {
    await using signin = await createFactorSignin();
    const account = await signin.openFactorAccount();
    assert.deepEqual(outcome(await account.logIn(account.code())), REJECTED);
    assert.deepEqual(outcome(await account.logIn(account.code(-1))), REJECTED);
    assert.equal((await account.logIn(account.nextCode())).status, 200);
  });

  it("is mailed to the owner, as switching off, a used recovery code and new ones are", async () => {
    await using signin = await createFactorSignin();
    const { recoveryCodes, bearer, logIn, email } = await signin.openFactorAccount();
    assert.equal((await logIn(recoveryCodes[0])).status, 200);
    await signin.post("/auth/second-factor/recovery-codes", undefined, { bearer });
    await signin.ask("DELETE", "/auth/second-factor/totp", { bearer });
    const subjects = signin.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
    assert.deepEqual(subjects.slice(1), [
      "The second factor of your account is on",
      "A recovery code of your account was used",
      "Your account has new recovery codes",
      "The second factor of your account is off",
    ]);
    const types = signin.audited.map(({ type }) => type).filter((type) => /factor/.test(type));
    assert.deepEqual(types, [
      "second_factor.enabled",
      "second_factor.recovery_code_used",
      "second_factor.recovery_codes_created",
      "second_factor.disabled",
    ]);
  });
});

describe("new recovery codes", () => {
  it("take the place of all others", async () => {
    await using signin = await createFactorSignin();
    const account = await signin.openFactorAccount();
    const { bearer } = account;
    const { body } = await signin.post("/auth/second-factor/recovery-codes", undefined, { bearer });
    assert.equal(body.recovery_codes.length, 10);
    assert.deepEqual(outcome(await account.logIn(account.recoveryCodes[0])), REJECTED);
    assert.equal((await account.logIn(body.recovery_codes[0])).status, 200);
    const { body: state } = await signin.get("/auth/second-factor", bearer);
    assert.deepEqual(state, { enabled: true, recovery_codes_left: 9 });
  });

  it("and a removal need a factor that is on", async () => {
    await using signin = await createFactorSignin();
    const { access_token: bearer } = await signin.signUp(EMAIL);
    await signin.post("/auth/second-factor/totp/options", undefined, { bearer });
    const renewed = await signin.post("/auth/second-factor/recovery-codes", undefined, { bearer });
    const removed = await signin.ask("DELETE", "/auth/second-factor/totp", { bearer });
    assert.deepEqual([renewed, removed].map(outcome), [
      [404, "not_found"],
      [404, "not_found"],
    ]);
  });
});

describe("switching the second factor off", () => {
  it("removes the secret and the recovery codes: a password is enough again", async () => {
    await using signin = await createFactorSignin();
    const { bearer, logIn } = await signin.openFactorAccount();
    const { status } = await signin.ask("DELETE", "/auth/second-factor/totp", { bearer });
    assert.equal(status, 204);
    const rows = await signin.rows(
      "SELECT user_id FROM second_factors UNION ALL SELECT user_id FROM recovery_codes",
    );
    assert.deepEqual(rows, []);
    assert.equal((await logIn()).status, 200);
  });
});
