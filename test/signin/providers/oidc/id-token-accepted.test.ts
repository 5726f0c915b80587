import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SignJWT } from "jose";
import { attempt, OTHER, OTHER_JWK } from "../../../support/signin/flows.ts";
import { createTestSignin } from "../../../support/signin/signin.ts";

describe("an ID token is accepted", () => {
  it("with an audience that is a list of one, and an azp that is this client", async () => {
    await using signin = await createTestSignin();
    signin.idp.claims = { aud: ["oidc-client"], azp: "oidc-client" };
    assert.equal((await attempt(signin)).status, 302);
  });

  it("without a key id where there is one key", async () => {
    await using signin = await createTestSignin();
    const { kid, ...bare } = OTHER_JWK;
    signin.idp.jwks = { keys: [bare] };
    signin.idp.signIdToken = (payload) =>
      new SignJWT(payload).setProtectedHeader({ alg: "RS256" }).sign(OTHER.privateKey);
    assert.equal((await attempt(signin)).status, 302);
  });

  it("without following aggregated or distributed claims", async () => {
    await using signin = await createTestSignin();
    signin.idp.claims = {
      _claim_names: { email: "a", address: "b" },
      _claim_sources: { a: { endpoint: "https://evil.example.test/claims" }, b: { JWT: "a.b.c" } },
    };
    assert.equal((await attempt(signin)).status, 302);
    assert.equal(
      signin.idp.takeRequests().some((request) => request.includes("evil")),
      false,
    );
  });
});
