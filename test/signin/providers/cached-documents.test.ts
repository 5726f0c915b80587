// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { beginFlow, countStatus, openCallback, refusalOf } from "../../support/signin/flows.ts";
import { createTestSignin, type TestSignin } from "../../support/signin/signin.ts";

const asksOf = (signin: TestSignin, part: string) =>
  signin.idp.takeRequests().filter((request) => request.includes(part)).length;
/** Answers of an address take a few turns of the event loop, as they do over a network. */
function slowDown(signin: TestSignin, part: string): void {
  signin.idp.intercept = async (request) => {
    if (!request.url.includes(part)) return undefined;
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    return undefined;
  };
}
const starts = (signin: TestSignin, count: number) =>
  Promise.all(Array.from({ length: count }, () => signin.call("GET", "/auth/google/login")));

describe("the discovery document", () => {
  it("is asked for once where many sign-ins begin at once", async () => {
    await using signin = await createTestSignin();
    slowDown(signin, "well-known");
    const responses = await starts(signin, 20);
    assert.equal(countStatus(responses, 302), 20);
    assert.equal(asksOf(signin, "well-known"), 1);
  });

  it("that fails is asked for once by many at once, and again after ten seconds", async () => {
    await using signin = await createTestSignin();
    signin.idp.intercept = (request) =>
      request.url.includes("well-known") ? new Response(null, { status: 503 }) : undefined;
    assert.equal(countStatus(await starts(signin, 20), 502), 20);
    assert.equal(asksOf(signin, "well-known"), 1);
    signin.idp.intercept = undefined;
    signin.deps.clock.advance(9_000);
    const [early] = await starts(signin, 1);
    assert.equal(await refusalOf(early!), "502 provider_error");
    assert.equal(asksOf(signin, "well-known"), 0);
    signin.deps.clock.advance(1_000);
    assert.equal(countStatus(await starts(signin, 3), 302), 3);
    assert.equal(asksOf(signin, "well-known"), 1);
  });

  it("that a vanished request asked for is asked for by another", async () => {
    await using signin = await createTestSignin();
    const hanging = Promise.withResolvers<Response>();
    const asked = Promise.withResolvers<void>();
    signin.idp.intercept = () => {
      asked.resolve();
      return hanging.promise;
    };
    const vanished = signin.call("GET", "/auth/google/login");
    await asked.promise;
    signin.idp.intercept = undefined;
    signin.deps.clock.advance(12_000);
    assert.equal(countStatus(await starts(signin, 1), 302), 1);
    hanging.resolve(new Response(null, { status: 500 }));
    assert.equal((await vanished).status, 502);
    assert.equal(countStatus(await starts(signin, 1), 302), 1, "the late answer changes nothing");
  });
});

describe("the key set", () => {
  it("is asked for once where many callbacks come at once", async () => {
    await using signin = await createTestSignin();
    await assertAskedOnce(signin);
  });

  it("with a new key is asked for once, and all callbacks that wait for it sign in", async () => {
    await using signin = await createTestSignin();
    assert.equal((await openCallback(signin, await beginFlow(signin))).status, 302);
    const pair = await generateKeyPair("RS256", { extractable: true });
    signin.idp.jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: "new" }] };
    signin.idp.signIdToken = (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "new" }).sign(pair.privateKey);
    await assertAskedOnce(signin);
  });

  it("that fails is not asked for again for ten seconds", async () => {
    await using signin = await createTestSignin();
    signin.idp.intercept = (request) =>
      request.url.endsWith("/jwks") ? new Response(null, { status: 503 }) : undefined;
    for (let at = 0; at < 3; at += 1) {
      const response = await openCallback(signin, await beginFlow(signin));
      assert.equal(await refusalOf(response), "502 provider_error");
      const cookies = response.headers.getSetCookie();
      assert.equal(cookies.length, 1, "each refusal takes its own flow's cookie away");
    }
    assert.equal(asksOf(signin, "/jwks"), 1);
    signin.idp.intercept = undefined;
    signin.deps.clock.advance(10_000);
    assert.equal((await openCallback(signin, await beginFlow(signin))).status, 302);
  });
});

/** Ten callbacks at once sign in, and the key set is asked for once. */
async function assertAskedOnce(signin: TestSignin): Promise<void> {
  const flows = await Promise.all(Array.from({ length: 10 }, () => beginFlow(signin)));
  slowDown(signin, "/jwks");
  signin.idp.takeRequests();
  const responses = await Promise.all(flows.map((flow) => openCallback(signin, flow)));
  assert.equal(countStatus(responses, 302), 10);
  assert.equal(asksOf(signin, "/jwks"), 1);
}
