import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setDisabled } from "../../../signin/cli/admin-store.ts";
import {
  beginFlow,
  exchangeCode,
  link,
  obtainNativeCode,
  openCallback,
} from "../../support/signin/flows.ts";
import { createPasskeySignin, device } from "../../support/signin/passkeys.ts";
import { PASSWORD } from "../../support/signin/users.ts";

const EMAIL = "key1@example.test";

describe("an account that the operator disabled", () => {
  it("is used no longer and begins no session in any way, until it is enabled", async () => {
    await using signin = await createPasskeySignin();
    const { access_token: bearer, refresh_token, user } = await signin.signUp(EMAIL);
    const key = device();
    await signin.register(bearer, key);
    await link(signin, bearer, { provider: "google" });
    const code = await obtainNativeCode(signin);
    const set = (isDisabled: boolean) =>
      setDisabled(signin.db, { userId: user.id, isDisabled, now: signin.deps.clock.now() / 1000 });
    await set(true);

    assert.equal((await signin.get("/auth/me", bearer)).status, 401);
    assert.equal((await signin.post("/auth/refresh", { refresh_token })).status, 401);
    assert.equal((await exchangeCode(signin, code)).status, 400);
    const mailed = async (path: string) => {
      signin.deps.clock.advance(61_000);
      await signin.post(`${path}/code`, { email: EMAIL });
      return { email: EMAIL, code: signin.codeFor(EMAIL) };
    };
    const password = `${PASSWORD} 2`;
    for (const answer of [
      await signin.post("/auth/login", { email: EMAIL, password: PASSWORD }),
      await signin.post("/auth/login/code/complete", await mailed("/auth/login")),
      await signin.post("/auth/password/reset/complete", {
        ...(await mailed("/auth/password/reset")),
        password,
      }),
      await signin.signIn(key),
    ]) {
      assert.deepEqual([answer.status, answer.body.code], [403, "account_disabled"]);
    }
    const wrong = await signin.post("/auth/login", { email: EMAIL, password: "a wrong one" });
    assert.equal(wrong.body.code, "invalid_credentials");
    const callback = await openCallback(signin, await beginFlow(signin));
    assert.deepEqual([callback.status, callback.headers.get("location")], [403, null]);

    await set(false);
    const again = await signin.post("/auth/login", { email: EMAIL, password: PASSWORD });
    assert.equal(again.status, 200);
  });
});
