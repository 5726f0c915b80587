import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Secret, TOTP, URI } from "otpauth";
import { utf8 } from "../../../shared/bytes.ts";
import { toQrCode } from "../../../signin/second-factor/qr.ts";
import { findStep, hotp, toBase32, toOtpauthUri } from "../../../signin/second-factor/totp.ts";

const SECRET = utf8("12345678901234567890");

// RFC 4226, appendix D.
const HOTP = [
  ...["755224", "287082", "359152", "969429", "338314"],
  ...["254676", "287922", "162583", "399871", "520489"],
];

// RFC 6238, appendix B, SHA-1: eight digits, of which six are the last ones.
const TOTP_VECTORS: [unixSeconds: number, code: string][] = [
  [59, "94287082"],
  [1111111109, "07081804"],
  [1111111111, "14050471"],
  [1234567890, "89005924"],
  [2000000000, "69279037"],
  [20000000000, "65353130"],
];

describe("the code of a step", () => {
  it("is that of RFC 4226 for each counter", async () => {
    for (const [counter, code] of HOTP.entries()) assert.equal(await hotp(SECRET, counter), code);
  });

  it("is that of RFC 6238 for each time, far beyond 32 bits of seconds", async () => {
    for (const [now, code] of TOTP_VECTORS) {
      const found = await findStep(SECRET, code.slice(2), { now, lastStep: 0 });
      assert.equal(found, Math.floor(now / 30), code);
    }
  });

  it("is that of another implementation, for any secret and time", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 20, maxLength: 20 }),
        fc.integer({ min: 60, max: 2 ** 40 }),
        async (bytes, now) => {
          const secret = new Uint8Array(bytes);
          const app = new TOTP({ secret: Secret.fromBase32(toBase32(secret)) });
          const code = app.generate({ timestamp: now * 1000 });
          assert.equal(await hotp(secret, Math.floor(now / 30)), code);
        },
      ),
    );
  });
});

describe("the steps that count", () => {
  const now = 1_000_000 * 30 + 7;
  const at = (step: number) => hotp(SECRET, 1_000_000 + step);
  const find = async (code: string, lastStep = 0) => findStep(SECRET, code, { now, lastStep });

  it("are the present one and its neighbours", async () => {
    for (const [step, found] of [
      [-2, undefined],
      [-1, 999_999],
      [0, 1_000_000],
      [1, 1_000_001],
      [2, undefined],
    ] as const) {
      assert.equal(await find(await at(step)), found, String(step));
    }
  });

  it("are later than the last accepted one", async () => {
    assert.equal(await find(await at(-1), 999_999), undefined);
    assert.equal(await find(await at(0), 999_999), 1_000_000);
    assert.equal(await find(await at(0), 1_000_001), undefined);
  });
});

describe("what an app reads", () => {
  it("is the server, the account and the secret, for names with any characters", () => {
    for (const [issuer, account] of [
      ["Roundhouse", "ann@example.test"],
      ["Käse & Söhne: 100 %", "ann+x y@exämple.test"],
      ["日本語", "あん@example.test"],
    ] as const) {
      const secret = toBase32(SECRET);
      const app = URI.parse(toOtpauthUri(secret, { issuer, account }));
      assert.ok(app instanceof TOTP);
      assert.equal(app.issuer, issuer.replaceAll(":", " "));
      assert.equal(app.label, account);
      assert.deepEqual(
        [app.secret.base32, app.algorithm, app.digits, app.period],
        [secret, "SHA1", 6, 30],
      );
    }
  });

  it("fits into a QR code for the longest names: an image without a script", () => {
    const names = { issuer: "名".repeat(64), account: `${"字".repeat(242)}@example.test` };
    const qr = toQrCode(toOtpauthUri(toBase32(SECRET), names));
    assert.match(
      qr,
      /^<svg xmlns="[^"]+" viewBox="0 0 (\d+) \1"><rect [^>]+\/><path [^>]+\/><\/svg>$/,
    );
  });
});
