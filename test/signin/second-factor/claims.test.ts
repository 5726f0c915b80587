import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decodeJwt } from "jose";
import { link, signIn, signInNative } from "../../support/signin/flows.ts";
import { device } from "../../support/signin/passkeys.ts";
import { createFactorSignin, DOORS, EMAIL } from "../../support/signin/second-factor.ts";
import { PASSWORD } from "../../support/signin/users.ts";

describe("a session", () => {
  const claimsOf = (token: string) => {
    const { amr, auth_time, iat } = decodeJwt(token);
    return { amr, age: Number(iat) - Number(auth_time) };
  };

  it("says in its access tokens how and when it was authenticated, also after refreshes", async () => {
    await using signin = await createFactorSignin();
    const account = await signin.openFactorAccount(EMAIL);
    const { clock } = signin.deps;
    const byCode = await (await DOORS["a mailed code"]?.(signin, EMAIL))?.(account.nextCode());
    const cases = [
      [await account.logIn(account.nextCode()), ["pwd", "otp", "mfa"]],
      [await account.logIn(account.recoveryCodes[0]), ["pwd", "mfa"]],
      [byCode, ["otp", "mfa"]],
    ] as const;
    for (const [answer, amr] of cases) {
      assert.deepEqual(claimsOf(answer?.body.access_token).amr, amr);
      clock.advance(100_000);
      const { body } = await signin.post("/auth/refresh", {
        refresh_token: answer?.body.refresh_token,
      });
      const { age, ...claims } = claimsOf(body.access_token);
      assert.deepEqual(claims, { amr });
      assert.ok(age >= 100, String(age));
    }
  });

  it("of a passkey, a provider or a password alone never says that a second factor was there", async () => {
    await using signin = await createFactorSignin();
    const { access_token, user } = await signin.signUp(EMAIL);
    assert.deepEqual(claimsOf(access_token), { amr: ["pwd"], age: 0 });
    const key = device();
    await signin.register(access_token, key);
    await link(signin, access_token, { provider: "google" });
    await signin.switchOn(access_token, EMAIL, user.id);
    const byKey = await signin.signIn(key, {}, { native: true });
    assert.equal(byKey.status, 200, "it is not asked for the second factor");
    const tokens = [byKey.body.access_token, (await signInNative(signin)).access_token];
    tokens.push((await signIn(signin)).accessToken);
    for (const token of tokens) assert.deepEqual(claimsOf(token), { amr: undefined, age: 0 });
  });

  it("that gives a proof says so from then on", async () => {
    await using signin = await createFactorSignin();
    const { access_token: bearer, user } = await signin.signUp(EMAIL);
    const key = device();
    await signin.register(bearer, key);
    const prove = async (body: object, cookie?: string) => {
      const options = { bearer, ...(cookie === undefined ? {} : { cookie }) };
      const answer = await signin.post("/auth/reauthenticate", body, options);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return claimsOf(answer.body.access_token);
    };
    signin.deps.clock.advance(100_000);
    assert.deepEqual(await prove({ password: PASSWORD }), { amr: ["pwd"], age: 0 });
    const account = await signin.switchOn(bearer, EMAIL, user.id);
    const proofs = [
      [{ second_factor: account.nextCode() }, ["pwd", "otp", "mfa"]],
      [{ second_factor: account.recoveryCodes[0] }, ["pwd", "mfa"]],
    ] as const;
    for (const [body, amr] of proofs) assert.deepEqual(await prove(body), { amr, age: 0 });
    signin.deps.clock.advance(100_000);
    const { options, cookie } = await signin.signInOptions();
    const byKey = await prove({ credential: key.get(options) }, cookie);
    assert.deepEqual(byKey, { amr: ["pwd", "mfa"], age: 0 });
  });
});
