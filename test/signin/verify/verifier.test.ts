// In a process of its own: its clock stands still.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it, mock } from "node:test";
import fc from "fast-check";
import { SignJWT, UnsecuredJWT } from "jose";
import { createVerifier, TokenRejected } from "roundhouse/signin/verify";
import { buildVerifier } from "../../../tools/verifier.ts";
import { ROOT } from "../../house/sources.ts";
import { toKeyPair } from "../../support/signin/verifier.ts";

// The module as other projects import it: by its name, compiled.

const PAIR = toKeyPair("s".repeat(32));
const OTHER = toKeyPair("o".repeat(32));
const issuer = "https://auth.example.test";
const options = { issuer, audience: "signin", jwks: { keys: [PAIR.jwk] } };
const now = Date.parse("2026-01-02T03:04:05.000Z") / 1000;
mock.timers.enable({ apis: ["Date"], now: now * 1000 });
const CLAIMS = {
  iss: issuer,
  aud: "signin",
  sub: "user-1",
  sid: "session-1",
  iat: now,
  exp: now + 600,
};

async function reasonOf(token: unknown, changes: object = {}): Promise<string> {
  const failed = await createVerifier({ ...options, ...changes })(token as string).then(
    () => assert.fail("it was accepted"),
    (error: unknown) => error,
  );
  assert.ok(failed instanceof TokenRejected);
  assert.equal(failed.name, "TokenRejected");
  return failed.reason;
}

describe("the verifier", () => {
  it("says who a token is of, and when it began and ends", async () => {
    assert.deepEqual(await createVerifier(options)(await PAIR.sign(CLAIMS)), {
      userId: "user-1",
      sessionId: "session-1",
      authenticatedAt: new Date(now * 1000),
      methods: [],
      issuedAt: new Date(now * 1000),
      expiresAt: new Date((now + 600) * 1000),
    });
  });

  it("says when and how its session was proven", async () => {
    const amr = ["pwd", "otp", "mfa"];
    const token = await PAIR.sign({ ...CLAIMS, auth_time: now - 100, amr });
    const { authenticatedAt, methods } = await createVerifier(options)(token);
    assert.deepEqual([authenticatedAt, methods], [new Date((now - 100) * 1000), amr]);
    const bad = { ...CLAIMS, amr: "mfa" };
    assert.equal(await reasonOf(await PAIR.sign(bad)), "malformed");
  });

  it("takes the issuer with a slash at its end, and one of several audiences", async () => {
    const token = await PAIR.sign({ ...CLAIMS, aud: ["signin", "other"] });
    assert.ok(await createVerifier({ ...options, issuer: `${issuer}/` })(token));
  });

  it("lets clocks be 30 seconds apart, or as far as it is set", async () => {
    const past = await PAIR.sign({ ...CLAIMS, exp: now - 29 });
    assert.ok(await createVerifier(options)(past));
    assert.equal(await reasonOf(past, { clockToleranceSec: 0 }), "expired");
    const future = await PAIR.sign({ ...CLAIMS, iat: now + 31, nbf: now + 31 });
    assert.equal(await reasonOf(future), "not_yet_valid");
    assert.ok(await createVerifier({ ...options, clockToleranceSec: 31 })(future));
  });

  const hs256 = (header: { typ?: string; kid?: undefined } = {}) =>
    new SignJWT(CLAIMS)
      .setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid: PAIR.kid, ...header })
      .sign(Buffer.from(PAIR.jwk.x, "base64url"));
  const without = (name: string) => PAIR.sign({ ...CLAIMS, [name]: undefined });
  const rejected: [reason: string, what: string, forge: () => unknown][] = [
    ["malformed", "an empty text", () => ""],
    ["malformed", "undefined", () => undefined],
    ["malformed", "an object", () => ({ toString: () => "a.b.c" })],
    ["malformed", "two parts", () => "a.b"],
    ["malformed", "dots alone", () => ".."],
    ["malformed", "a header that is no JSON", () => "AAAA.AAAA.AAAA"],
    ["malformed", "a header that is null", () => `${btoa("null")}.AAAA.AAAA`],
    ["malformed", "a very long text", () => `${"a".repeat(2048)}.b.c`],
    ["malformed", "a refresh token", () => "rt1.AXpE10Rwl-vwIoAWOzVHhKYA"],
    ["malformed", "white space around it", async () => ` ${await PAIR.sign(CLAIMS)}`],
    ["malformed", "no algorithm", () => PAIR.sign(CLAIMS).then((t) => withHeader(t, "alg"))],
    ["malformed", "no type", () => PAIR.sign(CLAIMS, { typ: undefined })],
    ["malformed", "no key id", () => PAIR.sign(CLAIMS, { kid: undefined })],
    ["malformed", "a critical header", () => withCritical()],
    ["malformed", "no user", () => without("sub")],
    ["malformed", "no session", () => without("sid")],
    ["malformed", "no issuer", () => without("iss")],
    ["malformed", "no audience", () => without("aud")],
    ["malformed", "no start", () => without("iat")],
    ["malformed", "no end", () => without("exp")],
    ["malformed", "a session that is no text", () => PAIR.sign({ ...CLAIMS, sid: 7 })],
    ["malformed", "an empty user", () => PAIR.sign({ ...CLAIMS, sub: "" })],
    ["malformed", "a start that is no number", () => PAIR.sign({ ...CLAIMS, iat: "now" })],
    ["algorithm", "HS256 with the public key", () => hs256()],
    ["algorithm", "HS256 of another type", () => hs256({ typ: "JWT" })],
    ["algorithm", "HS256 without a key id", () => hs256({ kid: undefined })],
    ["algorithm", "alg none", () => new UnsecuredJWT(CLAIMS).encode()],
    ["signature", "an unknown key id", () => OTHER.sign(CLAIMS)],
    ["signature", "the key id of another key", () => OTHER.sign(CLAIMS, { kid: PAIR.kid })],
    ["signature", "its own key in the header", () => OTHER.sign(CLAIMS, { jwk: OTHER.jwk })],
    ["signature", "no signature", () => PAIR.sign(CLAIMS).then((t) => t.replace(/[^.]*$/, ""))],
    ["signature", "__proto__ as the key id", () => PAIR.sign(CLAIMS, { kid: "__proto__" })],
    ["expired", "an end in the past", () => PAIR.sign({ ...CLAIMS, exp: now - 31 })],
    ["not_yet_valid", "nbf in the future", () => PAIR.sign({ ...CLAIMS, nbf: now + 31 })],
    ["not_yet_valid", "iat in the future", () => PAIR.sign({ ...CLAIMS, iat: now + 31 })],
    ["issuer", "another issuer", () => PAIR.sign({ ...CLAIMS, iss: "https://evil.example" })],
    ["audience", "another audience", () => PAIR.sign({ ...CLAIMS, aud: "engine" })],
    ["type", "another type", () => PAIR.sign(CLAIMS, { typ: "JWT" })],
  ];
  for (const [reason, what, forge] of rejected) {
    it(`rejects ${what}: ${reason}`, async () => {
      assert.equal(await reasonOf(await forge()), reason);
    });
  }

  it("rejects a token with any character changed, and its errors never hold the token", async () => {
    const token = await PAIR.sign(CLAIMS);
    const verify = createVerifier(options);
    const characters = fc.constantFrom(..."ABCDabcd0123-_.= \n\u0000é");
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), characters, async (at, character) => {
        const mangled = token.slice(0, at) + character + token.slice(at + 1);
        fc.pre(mangled !== token);
        const failed = await verify(mangled).then(
          () => assert.fail("it was accepted"),
          (error: unknown) => error,
        );
        assert.ok(failed instanceof TokenRejected);
        assert.equal(failed.cause, undefined);
        const text = `${failed.message} ${failed.stack} ${JSON.stringify(failed)}`;
        for (const part of [...mangled.split("."), "user-1", "session-1"]) {
          if (part.length > 4) assert.equal(text.includes(part), false);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("refuses options that are not valid", () => {
    for (const wrong of [
      { issuer: "auth.example.test" },
      { issuer: "ftp://auth.example.test" },
      { audience: "" },
      { jwks: "keys" },
      { clockToleranceSec: -1 },
      { clockToleranceSec: Number.NaN },
    ]) {
      assert.throws(() => createVerifier({ ...options, ...wrong }), TypeError);
    }
  });
});

describe("the module in the tree", () => {
  it("is what `npm run verifier:generate` writes, and imports jose alone", async () => {
    const text = await readFile(join(ROOT, "signin/verify/verify.generated.mjs"), "utf8");
    assert.equal(text, await buildVerifier());
    const imported = [...text.matchAll(/^import [^"]* from "([^"]+)"/gm)].map(([, name]) => name);
    assert.deepEqual([...new Set(imported)], ["jose"]);
    assert.doesNotMatch(text, /\b(process|require|Buffer|__dirname)\b/);
    // Else each new number of the program would change it.
    assert.doesNotMatch(text, /signin\/limits\.ts/);
  });
});

function withHeader(token: string, left: string): string {
  const [head = "", ...rest] = token.split(".");
  const { [left]: _, ...header } = JSON.parse(Buffer.from(head, "base64url").toString());
  return [Buffer.from(JSON.stringify(header)).toString("base64url"), ...rest].join(".");
}

function withCritical(): string {
  const header = { alg: "EdDSA", typ: "at+jwt", kid: PAIR.kid, crit: ["x"], x: 1 };
  const [head, body] = [header, CLAIMS].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  return `${head}.${body}.${"A".repeat(86)}`;
}
