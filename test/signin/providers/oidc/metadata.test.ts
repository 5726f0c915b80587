import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertRejected, beginFlow, refusalOf, signIn } from "../../../support/signin/flows.ts";
import { ISSUER } from "../../../support/signin/identity-provider.ts";
import { createTestSignin } from "../../../support/signin/signin.ts";

describe("the provider's metadata", () => {
  const metadata = (changes: object) => () =>
    Response.json({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/authorize`,
      token_endpoint: `${ISSUER}/token`,
      jwks_uri: `${ISSUER}/jwks`,
      ...changes,
    });
  const cases: Record<string, () => Response> = {
    "of another issuer": metadata({ issuer: "https://evil.example.test" }),
    "without an issuer": metadata({ issuer: undefined }),
    "without a token endpoint": metadata({ token_endpoint: undefined }),
    "without keys": metadata({ jwks_uri: undefined }),
    "with a plain token endpoint": metadata({ token_endpoint: "http://op.example.test/token" }),
    "with a script for a page": metadata({ authorization_endpoint: "javascript:alert(1)" }),
    "that are no JSON": () => new Response("<html>"),
    "that are too large": () => Response.json({ issuer: ISSUER, filler: "x".repeat(300_000) }),
    "behind a redirect": () =>
      new Response(null, { status: 307, headers: { location: "https://evil.test" } }),
    "that are an error": () => new Response(null, { status: 404 }),
  };
  for (const [name, answer] of Object.entries(cases)) {
    it(`${name} begin no sign-in, and are kept for ten seconds only`, async () => {
      await using signin = await createTestSignin();
      signin.idp.intercept = (request) =>
        request.url.includes("well-known") ? answer() : undefined;
      assert.equal(
        await refusalOf(await signin.call("GET", "/auth/google/login")),
        "502 provider_error",
      );
      signin.idp.intercept = undefined;
      signin.deps.clock.advance(10_000);
      assert.equal((await signin.call("GET", "/auth/google/login")).status, 302);
    });
  }

  it("that promise an issuer in the callback make it needed (RFC 9207)", async () => {
    await using signin = await createTestSignin();
    signin.idp.intercept = (request) =>
      request.url.includes("well-known")
        ? metadata({ authorization_response_iss_parameter_supported: true })()
        : undefined;
    await assertRejected(signin);
    const flow = await beginFlow(signin);
    const callback = `${await signin.idp.authorize(flow.url)}&iss=${encodeURIComponent(ISSUER)}`;
    assert.equal((await signin.call("GET", callback, { cookie: flow.cookie })).status, 302);
  });

  it("are read again after an hour", async () => {
    await using signin = await createTestSignin();
    await signIn(signin);
    signin.idp.takeRequests();
    signin.deps.clock.advance(3_600_000);
    await signIn(signin);
    assert.ok(signin.idp.takeRequests().some((request) => request.includes("well-known")));
  });
});
