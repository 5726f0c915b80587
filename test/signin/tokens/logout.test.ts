// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { refusalOf, signIn, signInNative } from "../../support/signin/flows.ts";
import { createTestSignin, type TestSignin, UI_URL } from "../../support/signin/signin.ts";

async function isAlive(signin: TestSignin, bearer: string): Promise<boolean> {
  return (await signin.call("GET", "/auth/me", { bearer })).status === 200;
}

/** Three sessions of one person. */
async function signInThrice(signin: TestSignin) {
  return [await signInNative(signin), await signInNative(signin), await signInNative(signin)];
}

describe("POST /auth/logout", () => {
  const scopes: [body: unknown, alive: boolean[]][] = [
    [undefined, [false, true, true]],
    [{}, [false, true, true]],
    [{ scope: "local" }, [false, true, true]],
    [{ scope: "others" }, [true, false, false]],
    [{ scope: "global" }, [false, false, false]],
  ];
  for (const [body, alive] of scopes) {
    it(`with ${JSON.stringify(body) ?? "no body"} ends what it says`, async () => {
      await using signin = await createTestSignin();
      const sessions = await signInThrice(signin);
      const bearer = sessions[0]?.access_token;
      const response = await signin.call("POST", "/auth/logout", { bearer, body });
      assert.equal(response.status, 204);
      assert.equal(await response.text(), "");
      const found = await Promise.all(
        sessions.map(({ access_token }) => isAlive(signin, access_token)),
      );
      assert.deepEqual(found, alive);
    });
  }

  it("ends no session of another user", async () => {
    await using signin = await createTestSignin();
    const mine = await signInNative(signin);
    const theirs = await signInNative(signin, { subject: "2002", email: "bob@example.test" });
    await signin.call("POST", "/auth/logout", {
      bearer: mine.access_token,
      body: { scope: "global" },
    });
    assert.equal(await isAlive(signin, theirs.access_token), true);
  });

  it("by cookie, from an allowed origin, takes the cookie away", async () => {
    await using signin = await createTestSignin();
    const { cookie, accessToken } = await signIn(signin);
    const response = await signin.call("POST", "/auth/logout", { cookie, origin: UI_URL });
    assert.equal(response.status, 204);
    assert.match(response.headers.getSetCookie()[0] ?? "", /^__Secure-signin_rt=; .*Max-Age=0;/);
    assert.equal(await isAlive(signin, accessToken), false);
    const again = await signin.call("POST", "/auth/logout", { cookie, origin: UI_URL });
    assert.equal(again.status, 204);
  });

  for (const origin of [undefined, "https://evil.example.test", "null"]) {
    it(`by cookie from ${origin ?? "nowhere"} is refused`, async () => {
      await using signin = await createTestSignin();
      const { cookie, accessToken } = await signIn(signin);
      const response = await signin.call("POST", "/auth/logout", { cookie, origin });
      assert.equal(await refusalOf(response), "403 forbidden_origin");
      assert.equal(await isAlive(signin, accessToken), true);
    });
  }

  it("needs a bearer or a cookie", async () => {
    await using signin = await createTestSignin();
    assert.equal(await refusalOf(await signin.call("POST", "/auth/logout")), "401 invalid_token");
  });

  it("refuses a scope that it does not know", async () => {
    await using signin = await createTestSignin();
    const { access_token: bearer } = await signInNative(signin);
    const response = await signin.call("POST", "/auth/logout", { bearer, body: { scope: "all" } });
    assert.equal(await refusalOf(response), "400 invalid_request");
  });
});

describe("the sessions of a user", () => {
  it("are twenty at most: the oldest ends when one more begins", async () => {
    await using signin = await createTestSignin();
    const tokens: string[] = [];
    for (let at = 0; at < 21; at += 1) {
      tokens.push((await signInNative(signin)).access_token);
      signin.deps.clock.advance(3_000);
    }
    const alive = await Promise.all(tokens.map((token) => isAlive(signin, token)));
    assert.deepEqual(alive, [false, ...new Array(20).fill(true)]);
  });

  it("are all gone with a deleted user", async () => {
    await using signin = await createTestSignin();
    const { access_token } = await signInNative(signin);
    await signin.rows("DELETE FROM users");
    const me = await signin.call("GET", "/auth/me", { bearer: access_token });
    assert.equal(await refusalOf(me), "401 session_expired");
  });
});
