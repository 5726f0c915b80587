import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SignJWT } from "jose";
import {
  attempt,
  beginFlow,
  OTHER,
  OTHER_JWK,
  openCallback,
  refusalOf,
  signIn,
} from "../../../support/signin/flows.ts";
import { createTestSignin } from "../../../support/signin/signin.ts";

describe("the provider's keys", () => {
  it("are asked for once for many sign-ins", async () => {
    await using signin = await createTestSignin();
    for (let at = 0; at < 3; at += 1) await signIn(signin);
    const asked = signin.idp.takeRequests();
    assert.equal(asked.filter((request) => request.endsWith("/jwks")).length, 1);
    assert.equal(asked.filter((request) => request.includes("well-known")).length, 1);
  });

  it("are asked for again when a new one signs", async () => {
    await using signin = await createTestSignin();
    await signIn(signin);
    signin.idp.jwks = { keys: [OTHER_JWK] };
    signin.idp.signIdToken = (payload) =>
      new SignJWT(payload)
        .setProtectedHeader({ alg: "RS256", kid: "key-2" })
        .sign(OTHER.privateKey);
    assert.equal((await attempt(signin)).status, 302);
  });

  it("are asked for at most every five seconds by unknown keys", async () => {
    await using signin = await createTestSignin();
    await signIn(signin);
    signin.idp.takeRequests();
    const good = signin.idp.signIdToken;
    signin.idp.signIdToken = (payload) =>
      new SignJWT(payload)
        .setProtectedHeader({ alg: "RS256", kid: "key-9" })
        .sign(OTHER.privateKey);
    const jwksRequests = async () => {
      for (let at = 0; at < 3; at += 1) {
        const flow = await beginFlow(signin);
        assert.equal((await openCallback(signin, flow)).status, 403);
      }
      return signin.idp.takeRequests().filter((request) => request.endsWith("/jwks")).length;
    };
    assert.equal(await jwksRequests(), 1);
    assert.equal(await jwksRequests(), 0);
    signin.deps.clock.advance(5_000);
    assert.equal(await jwksRequests(), 1);
    signin.idp.signIdToken = good;
    await signIn(signin);
  });

  it("that cannot be fetched sign no user in", async () => {
    await using signin = await createTestSignin();
    signin.idp.intercept = (request) =>
      request.url.endsWith("/jwks") ? new Response(null, { status: 503 }) : undefined;
    assert.equal(await refusalOf(await attempt(signin)), "502 provider_error");
    signin.idp.intercept = undefined;
    signin.deps.clock.advance(10_000);
    await signIn(signin);
  });
});
