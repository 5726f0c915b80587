import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { attempt, refusalOf, signIn } from "../../../support/signin/flows.ts";
import { createTestSignin } from "../../../support/signin/signin.ts";

describe("the token endpoint", () => {
  it("is asked with the secret in the Basic header, and never in the body", async () => {
    await using signin = await createTestSignin();
    let seen: { authorization: string | null; body: string } | undefined;
    signin.idp.intercept = async (request) => {
      if (request.url.endsWith("/token")) {
        seen = { authorization: request.headers.get("authorization"), body: await request.text() };
        assert.match(request.headers.get("user-agent") ?? "", /./);
        assert.equal(request.redirect, "manual");
      }
      return undefined;
    };
    await signIn(signin);
    assert.equal(atob(seen?.authorization?.slice(6) ?? ""), "oidc-client:oidc-secret-canary-1f0a");
    assert.doesNotMatch(seen?.body ?? "", /secret/);
    assert.match(seen?.body ?? "", /code_verifier=[\w-]{43}/);
  });

  const answers: Record<string, [answer: () => Response, refusal: string]> = {
    "a redirect": [
      () => new Response(null, { status: 307, headers: { location: "https://evil.test" } }),
      "502 provider_error",
    ],
    "an error of its own": [() => new Response(null, { status: 500 }), "502 provider_error"],
    "a refused client": [
      () => Response.json({ error: "invalid_client" }, { status: 401 }),
      "502 provider_error",
    ],
    "a refused code": [
      () => Response.json({ error: "invalid_grant", hint: "canary" }, { status: 400 }),
      "403 identity_rejected",
    ],
    "no JSON": [() => new Response("<html>canary"), "502 provider_error"],
    nothing: [() => new Response(""), "502 provider_error"],
    "a list": [() => Response.json([]), "403 identity_rejected"],
    "no ID token": [
      () => Response.json({ access_token: "a", token_type: "bearer" }),
      "403 identity_rejected",
    ],
    "no access token": [
      () => Response.json({ token_type: "bearer", id_token: "a.b.c" }),
      "403 identity_rejected",
    ],
    "another token type": [
      () => Response.json({ access_token: "a", token_type: "mac", id_token: "a.b.c" }),
      "403 identity_rejected",
    ],
    "too much": [() => Response.json({ filler: "x".repeat(300_000) }), "502 provider_error"],
  };
  for (const [name, [answer, refusal]] of Object.entries(answers)) {
    it(`that answers ${name} starts no session`, async () => {
      await using signin = await createTestSignin();
      signin.idp.intercept = (request) => (request.url.endsWith("/token") ? answer() : undefined);
      const response = await attempt(signin);
      const text = await response.clone().text();
      assert.equal(await refusalOf(response), refusal);
      assert.doesNotMatch(text + signin.logged.join(), /canary/);
      assert.deepEqual(await signin.rows("SELECT 1 FROM users"), []);
    });
  }

  it("that cannot be reached is 502", async () => {
    await using signin = await createTestSignin();
    signin.idp.intercept = (request) =>
      request.url.endsWith("/token") ? Promise.reject(new TypeError("canary")) : undefined;
    const response = await attempt(signin);
    assert.equal(await refusalOf(response), "502 provider_unavailable");
    assert.doesNotMatch(signin.logged.join(), /canary/);
  });
});
