import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { beginFlow, link, openCallback, refusalOf, signIn } from "../../../support/signin/flows.ts";
import { createTestSignin, UI_URL } from "../../../support/signin/signin.ts";

describe("linking", () => {
  it("adds the identity and goes back to the interface", async () => {
    await using signin = await createTestSignin();
    const { accessToken } = await signIn(signin);
    const response = await link(signin, accessToken, { provider: "github", subject: "77" });
    assert.equal(response.headers.get("location"), `${UI_URL}?connected=github`);
    assert.equal(
      response.headers.getSetCookie().some((cookie) => cookie.includes("_rt=rt1.")),
      false,
    );
    const github = await signIn(signin, { provider: "github", subject: "77" });
    const google = await signIn(signin);
    assert.equal(github.user.id, google.user.id);
  });

  it("of the same identity again changes nothing", async () => {
    await using signin = await createTestSignin();
    const { accessToken } = await signIn(signin);
    for (let at = 0; at < 2; at += 1) {
      assert.equal((await link(signin, accessToken)).status, 302);
    }
    assert.equal((await signin.rows("SELECT 1 FROM identities")).length, 2);
  });

  it("takes an identity without a verified address: the account has one", async () => {
    await using signin = await createTestSignin();
    const { accessToken } = await signIn(signin, { provider: "github" });
    const person = { provider: "google", subject: "9", emailVerified: false };
    assert.equal((await link(signin, accessToken, person)).status, 302);
  });

  it("is refused where another account has the identity", async () => {
    await using signin = await createTestSignin();
    await signIn(signin, {
      provider: "github",
      subject: "77",
      emails: [{ email: "bob@example.test", verified: true }],
    });
    const { accessToken } = await signIn(signin);
    const response = await link(signin, accessToken, { provider: "github", subject: "77" });
    assert.equal(await refusalOf(response), "409 identity_in_use");
  });

  it("is refused where the account has another identity of the provider", async () => {
    await using signin = await createTestSignin();
    const { accessToken } = await signIn(signin);
    await link(signin, accessToken, { provider: "github", subject: "77" });
    const response = await link(signin, accessToken, { provider: "github", subject: "78" });
    assert.equal(await refusalOf(response), "409 identity_in_use");
  });

  const vanishings: [name: string, sql: string][] = [
    ["the session was revoked", "UPDATE sessions SET revoked_at = 1"],
    ["the session has expired", "UPDATE sessions SET expires_at = 1"],
    ["the session row is gone", "DELETE FROM sessions"],
    ["the user was deleted", "DELETE FROM users"],
  ];
  for (const [name, sql] of vanishings) {
    it(`answers 401 where ${name} meanwhile, and asks the provider nothing`, async () => {
      await using signin = await createTestSignin();
      const { accessToken } = await signIn(signin);
      const flow = await beginFlow(signin, "github", { bearer: accessToken });
      const callback = await signin.idp.authorize(flow.url);
      await signin.rows(sql);
      signin.idp.takeRequests();
      const response = await signin.call("GET", callback, { cookie: flow.cookie });
      assert.equal(await refusalOf(response), "401 session_expired");
      assert.deepEqual(signin.idp.takeRequests(), []);
    });
  }

  it("adds nothing where the session ends while the provider answers", async () => {
    await using signin = await createTestSignin();
    const { accessToken } = await signIn(signin);
    const flow = await beginFlow(signin, "github", { bearer: accessToken });
    signin.idp.intercept = async (request) => {
      if (request.url.endsWith("/api/user"))
        await signin.rows("UPDATE sessions SET revoked_at = 1");
      return undefined;
    };
    assert.equal(await refusalOf(await openCallback(signin, flow)), "401 session_expired");
    assert.equal((await signin.rows("SELECT 1 FROM identities")).length, 1);
  });

  it("cannot be finished in the browser of a victim", async () => {
    await using signin = await createTestSignin();
    const attacker = await signIn(signin, { subject: "666", email: "mallory@example.test" });
    const flow = await beginFlow(signin, "github", { bearer: attacker.accessToken });
    const callback = await signin.idp.authorize(flow.url, { subject: "77" });
    const response = await signin.call("GET", callback);
    assert.equal(await refusalOf(response), "400 invalid_state");
    assert.equal((await signin.rows("SELECT 1 FROM identities")).length, 1);
  });
});
