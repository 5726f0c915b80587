import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { createVerifier, TokenRejected, type VerifierOptions } from "roundhouse/signin/verify";
import { toKeyPair } from "../../support/signin/verifier.ts";
import { machineTimeSec } from "../../support/time.ts";
import { createKeyServer } from "./key-server.ts";

const issuer = "https://auth.example.test";
const METADATA = `${issuer}/.well-known/oauth-authorization-server`;
const KEYS = `${issuer}/.well-known/jwks.json`;
const [FIRST, SECOND, FOREIGN] = ["f", "s", "x"].map((letter) => toKeyPair(letter.repeat(32)));
assert.ok(FIRST && SECOND && FOREIGN);
const keySet = (...pairs: { jwk: object }[]) => ({ keys: pairs.map(({ jwk }) => jwk) });

function create(given: Partial<VerifierOptions> = {}, documents: Record<string, unknown> = {}) {
  const server = createKeyServer({ [KEYS]: keySet(FIRST!), ...documents });
  const verify = createVerifier({ issuer, audience: "signin", fetch: server.fetch, ...given });
  return { server, verify };
}

function tokenOf(pair: ReturnType<typeof toKeyPair>): Promise<string> {
  const iat = machineTimeSec();
  return pair.sign({ iss: issuer, aud: "signin", sub: "u", sid: "s", iat, exp: iat + 600 });
}

const isRejected = (reason: string) => (error: unknown) =>
  error instanceof TokenRejected && error.reason === reason;
const MINUTE = 60_000;

// The dates alone are the test's: everything else takes its time.
beforeEach(() => mock.timers.enable({ apis: ["Date"], now: 1_790_000_000_000 }));
afterEach(() => mock.timers.reset());

describe("where the verifier finds keys", () => {
  it("is the address of `jwks` where it is given", async () => {
    const jwks = "https://keys.example.test/set";
    const { server, verify } = create({ jwks }, { [jwks]: keySet(SECOND) });
    assert.ok(await verify(await tokenOf(SECOND)));
    assert.deepEqual(server.asked, [jwks]);
    const asUrl = create({ jwks: new URL(jwks) }, { [jwks]: keySet(SECOND) });
    assert.ok(await asUrl.verify(await tokenOf(SECOND)));
  });

  it("is the key set itself where `jwks` is one: nothing is fetched", async () => {
    const { server, verify } = create({ jwks: keySet(SECOND) });
    assert.ok(await verify(await tokenOf(SECOND)));
    await assert.rejects(verify(await tokenOf(FIRST)), isRejected("signature"));
    assert.deepEqual(server.asked, []);
  });

  it("is what the issuer's metadata say, else the usual address", async () => {
    const jwks_uri = "https://cdn.example.test/keys";
    const listed = create({}, { [METADATA]: { issuer, jwks_uri }, [jwks_uri]: keySet(SECOND) });
    assert.ok(await listed.verify(await tokenOf(SECOND)));
    assert.deepEqual(listed.server.asked, [METADATA, jwks_uri]);
    for (const documents of [{}, { [METADATA]: { issuer } }]) {
      const { server, verify } = create({}, documents);
      assert.ok(await verify(await tokenOf(FIRST)));
      assert.deepEqual(server.asked, [METADATA, KEYS]);
    }
  });

  it("is not what metadata of another issuer say", async () => {
    const metadata = { issuer: "https://evil.example", jwks_uri: "https://evil.example/keys" };
    const { server, verify } = create({}, { [METADATA]: metadata });
    await assert.rejects(verify(await tokenOf(FOREIGN)), isRejected("keys_unavailable"));
    assert.deepEqual(server.asked, [METADATA]);
  });
});

describe("the keys of the verifier", () => {
  it("are fetched by the first token that could be one, and kept", async () => {
    const { server, verify } = create({ jwks: KEYS });
    await assert.rejects(verify("no.token.at-all"), isRejected("malformed"));
    assert.deepEqual(server.asked, []);
    const token = await tokenOf(FIRST);
    await Promise.all(Array.from({ length: 50 }, () => verify(token)));
    for (let at = 0; at < 20; at += 1) await verify(token);
    assert.equal(server.asked.length, 1);
  });

  it("are fetched again for an unknown key id, at most once a minute; the first fetch does not count", async () => {
    const { server, verify } = create({ jwks: KEYS });
    assert.ok(await verify(await tokenOf(FIRST)));
    server.documents.set(KEYS, keySet(SECOND, FIRST));
    assert.ok(await verify(await tokenOf(SECOND)), "a rotation is seen at once");
    assert.equal(server.asked.length, 2);
    for (let at = 0; at < 5; at += 1) {
      await assert.rejects(verify(await tokenOf(FOREIGN)), isRejected("signature"));
    }
    assert.equal(server.asked.length, 2);
    mock.timers.tick(MINUTE - 1);
    await assert.rejects(verify(await tokenOf(FOREIGN)), isRejected("signature"));
    assert.equal(server.asked.length, 2);
    mock.timers.tick(1);
    await assert.rejects(verify(await tokenOf(FOREIGN)), isRejected("signature"));
    await assert.rejects(verify(await tokenOf(FOREIGN)), isRejected("signature"));
    assert.equal(server.asked.length, 3);
    assert.ok(await verify(await tokenOf(FIRST)));
  });

  it("of a rotation reach every call that waits for them", async () => {
    const { server, verify } = create({ jwks: KEYS });
    await verify(await tokenOf(FIRST));
    server.documents.set(KEYS, keySet(SECOND, FIRST));
    const token = await tokenOf(SECOND);
    const found = await Promise.all(Array.from({ length: 50 }, () => verify(token)));
    assert.equal(found.length, 50);
    assert.equal(server.asked.length, 2);
  });

  it("that were withdrawn end after ten minutes", async () => {
    const { server, verify } = create({ jwks: KEYS });
    await verify(await tokenOf(FIRST));
    server.documents.set(KEYS, keySet(SECOND));
    mock.timers.tick(10 * MINUTE - 1);
    assert.ok(await verify(await tokenOf(FIRST)));
    mock.timers.tick(1);
    await assert.rejects(verify(await tokenOf(FIRST)), isRejected("signature"));
  });

  it("serve for an hour while the issuer does not answer, and it is asked once a minute", async () => {
    const { server, verify } = create({ jwks: KEYS });
    await verify(await tokenOf(FIRST));
    server.answer = () => Promise.reject(new TypeError("fetch failed"));
    mock.timers.tick(10 * MINUTE);
    assert.ok(await verify(await tokenOf(FIRST)));
    assert.ok(await verify(await tokenOf(FIRST)));
    assert.equal(server.asked.length, 2);
    await assert.rejects(verify(await tokenOf(SECOND)), isRejected("keys_unavailable"));
    mock.timers.tick(50 * MINUTE);
    await assert.rejects(verify(await tokenOf(FIRST)), isRejected("keys_unavailable"));
    server.answer = undefined;
    mock.timers.tick(10_000);
    assert.ok(await verify(await tokenOf(FIRST)), "it recovers");
  });

  it("are asked for once in ten seconds while the issuer fails, however many forged tokens arrive", async () => {
    const { server, verify } = create({ jwks: KEYS });
    server.answer = async () => new Response("{}", { status: 500 });
    const forged = await tokenOf(FOREIGN);
    await Promise.all(
      Array.from({ length: 200 }, () =>
        assert.rejects(verify(forged), isRejected("keys_unavailable")),
      ),
    );
    for (let at = 0; at < 60; at += 1) {
      await assert.rejects(verify(forged), isRejected("keys_unavailable"));
    }
    assert.equal(server.asked.length, 1);
    mock.timers.tick(10_000);
    await assert.rejects(verify(forged), isRejected("keys_unavailable"));
    assert.equal(server.asked.length, 2);
  });

  const failures: [string, () => Promise<Response>][] = [
    ["no answer", () => Promise.reject(new TypeError("fetch failed"))],
    ["a status of 500", async () => new Response("{}", { status: 500 })],
    ["a redirect", async () => Response.redirect("https://evil.example/keys")],
    ["no JSON", async () => new Response("<html>")],
    ["no key set", async () => Response.json({ keys: "none" })],
    ["null", async () => Response.json(null)],
    ["too much", async () => new Response(" ".repeat(70_000))],
  ];
  for (const [name, answer] of failures) {
    it(`are unavailable where the first fetch gives ${name}; ten seconds later the next token tries again`, async () => {
      const { server, verify } = create({ jwks: KEYS });
      const token = await tokenOf(FIRST);
      server.answer = answer;
      await assert.rejects(verify(token), (error) => {
        assert.ok(isRejected("keys_unavailable")(error));
        const { message, cause } = error as TokenRejected;
        assert.equal(`${message} ${cause}`.includes(token), false);
        return true;
      });
      server.answer = undefined;
      mock.timers.tick(10_000);
      assert.ok(await verify(token));
    });
  }

  it("that are no Ed25519 keys for signatures are left out", async () => {
    const odd = [
      null,
      7,
      {},
      { ...FIRST.jwk, use: "enc" },
      { ...FIRST.jwk, alg: "ES256" },
      { ...FIRST.jwk, kid: 7 },
      { ...FIRST.jwk, x: "AAAA" },
      { kty: "oct", k: "c2VjcmV0", kid: FIRST.kid, alg: "HS256" },
      { kty: "RSA", n: "AQAB", e: "AQAB", kid: FIRST.kid },
    ];
    const { server, verify } = create({ jwks: KEYS }, { [KEYS]: { keys: odd } });
    await assert.rejects(verify(await tokenOf(FIRST)), isRejected("signature"));
    server.documents.set(KEYS, { keys: [...odd, FIRST.jwk] });
    mock.timers.tick(MINUTE);
    assert.ok(await verify(await tokenOf(FIRST)));
  });
});
