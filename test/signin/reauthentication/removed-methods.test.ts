import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  exchangeCode,
  link,
  obtainNativeCode,
  signIn,
  signInNative,
} from "../../support/signin/flows.ts";
import { createPasskeySignin, device } from "../../support/signin/passkeys.ts";

/** An account with a password, a passkey and an identity, and a session of each. */
async function withMethods() {
  const signin = await createPasskeySignin();
  const { bearer } = await signin.openAccount();
  const key = device();
  const { body: passkey } = await signin.register(bearer, key);
  await link(signin, bearer, { provider: "google" });
  const byKey = (await signin.signIn(key, {}, { native: true })).body;
  const byIdentity = await signInNative(signin);
  const status = async (token: string) => (await signin.get("/auth/me", token)).status;
  const refresh = async (refresh_token: string) =>
    (await signin.post("/auth/refresh", { refresh_token })).status;
  return Object.assign(signin, { bearer, key, passkey, byKey, byIdentity, status, refresh });
}

describe("the removal of a way to sign in", () => {
  it("ends the sessions that the passkey began, and no others", async () => {
    await using signin = await withMethods();
    const { bearer, passkey, byKey, byIdentity } = signin;
    const { status } = await signin.ask("DELETE", `/auth/passkeys/${passkey.id}`, { bearer });
    assert.equal(status, 204);
    assert.deepEqual(
      [await signin.status(byKey.access_token), await signin.refresh(byKey.refresh_token)],
      [401, 401],
    );
    assert.deepEqual(
      [await signin.status(bearer), await signin.status(byIdentity.access_token)],
      [200, 200],
    );
  });

  it("ends the sessions that the identity began, in browsers and in programs, and no others", async () => {
    await using signin = await withMethods();
    const { bearer, byKey, byIdentity } = signin;
    const { accessToken } = await signIn(signin);
    const code = await obtainNativeCode(signin);
    assert.equal((await signin.ask("DELETE", "/auth/google/disconnect", { bearer })).status, 204);
    assert.deepEqual(
      [
        await signin.status(byIdentity.access_token),
        await signin.refresh(byIdentity.refresh_token),
        await signin.status(accessToken),
      ],
      [401, 401, 401],
    );
    assert.equal((await exchangeCode(signin, code)).status, 400, "a code of the sign-in");
    assert.deepEqual(
      [await signin.status(bearer), await signin.status(byKey.access_token)],
      [200, 200],
    );
  });

  it("leaves the session of the request, and ends nothing where it is refused", async () => {
    await using signin = await withMethods();
    const { byKey, byIdentity, passkey } = signin;
    const own = { bearer: byKey.access_token };
    assert.equal((await signin.ask("DELETE", `/auth/passkeys/${passkey.id}`, own)).status, 204);
    assert.equal(await signin.status(byKey.access_token), 200);
    await signin.rows("UPDATE users SET password_hash = NULL");
    const last = await signin.ask("DELETE", "/auth/google/disconnect", own);
    assert.equal(last.status, 409);
    assert.equal(await signin.status(byIdentity.access_token), 200);
  });
});
