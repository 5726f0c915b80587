import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertRejected, attempt, refusalOf, signIn } from "../../../support/signin/flows.ts";
import { ISSUER } from "../../../support/signin/identity-provider.ts";
import { createTestSignin } from "../../../support/signin/signin.ts";

describe("an address of the OpenID Connect provider", () => {
  const unverified: unknown[] = [false, undefined, null, "TRUE", 1, "false", ["true"]];
  for (const value of unverified) {
    it(`with email_verified ${JSON.stringify(value)} establishes no account`, async () => {
      await using signin = await createTestSignin();
      signin.idp.claims = { email_verified: value };
      await assertRejected(signin, "403 email_unverified");
    });
  }

  it('with the text "true", as Apple and Cognito send it, is verified', async () => {
    await using signin = await createTestSignin();
    signin.idp.claims = { email_verified: "true" };
    assert.equal((await signIn(signin)).user.email, "ada@example.test");
  });

  for (const email of [
    "",
    "not an address",
    5,
    ["a@example.test"],
    "a@example.test\nBcc: b@example.test",
  ]) {
    it(`that is ${JSON.stringify(email)} establishes no account`, async () => {
      await using signin = await createTestSignin();
      signin.idp.claims = { email };
      await assertRejected(signin, "403 email_unverified");
    });
  }

  it("comes from UserInfo, with the bearer in the header, where the ID token has none", async () => {
    await using signin = await createTestSignin();
    signin.idp.claims = { email: undefined, email_verified: undefined };
    let authorization: string | null = null;
    signin.idp.intercept = (request) => {
      if (request.url.startsWith(`${ISSUER}/userinfo`)) {
        authorization = request.headers.get("authorization");
        assert.equal(new URL(request.url).search, "");
      }
      return undefined;
    };
    const { user } = await signIn(signin);
    assert.equal(user.email, "1001@userinfo.example.test");
    assert.match(authorization ?? "", /^Bearer op-token-/);
  });

  const answers: Record<string, [answer: () => Response, refusal: string]> = {
    "of another subject": [
      () => Response.json({ sub: "666", email: "a@b.test", email_verified: true }),
      "403 identity_rejected",
    ],
    "without a subject": [
      () => Response.json({ email: "a@b.test", email_verified: true }),
      "403 identity_rejected",
    ],
    unverified: [() => Response.json({ sub: "1001", email: "a@b.test" }), "403 email_unverified"],
    "a redirect": [
      () => new Response(null, { status: 302, headers: { location: "https://evil.test" } }),
      "502 provider_error",
    ],
    "an error": [() => new Response(null, { status: 500 }), "502 provider_error"],
    "no JSON": [() => new Response("<html>"), "502 provider_error"],
  };
  for (const [name, [answer, refusal]] of Object.entries(answers)) {
    it(`from UserInfo that is ${name} starts no session`, async () => {
      await using signin = await createTestSignin();
      signin.idp.claims = { email: undefined, email_verified: undefined };
      signin.idp.intercept = (request) => (request.url.includes("userinfo") ? answer() : undefined);
      assert.equal(await refusalOf(await attempt(signin)), refusal);
      assert.deepEqual(await signin.rows("SELECT 1 FROM users"), []);
    });
  }
});
