import { jwtVerify } from "jose";
import { BoundedMap } from "../../shared/bounded-map.ts";
import { type Bytes, toBase64Url, utf8 } from "../../shared/bytes.ts";
import type { Clock } from "../../shared/clock.ts";
import type { SigninConfig } from "../config/config.ts";
import type { SigningAlgorithm } from "../config/variables.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import { VERIFIED_TOKENS_MAX } from "../limits.ts";
import { ACCESS_TOKEN_CLOCK_TOLERANCE_SEC, ACCESS_TOKEN_LIFETIME_SEC } from "../public-limits.ts";
import { isCompactToken } from "./compact-token.ts";
import type { Keyring } from "./keyring.ts";

/** When and how the user of a session was authenticated last. */
export interface Authentication {
  /** Unix seconds. */
  authTime: number;
  /** Values of RFC 8176 with blanks between them; null if none applies. */
  amr: string | null;
}

/** Makes and reads access tokens (JWT, ten minutes, HS256 or EdDSA as `JWT_SIGNING_ALG` says). */
export interface AccessTokens {
  issue(claims: AccessClaims & Authentication): Promise<string>;
  /** Undefined if the token is not of this server, or has expired. */
  verify(token: string): Promise<AccessClaims | undefined>;
}

interface Parts {
  config: Pick<SigninConfig, "baseUrl" | "accessTokenAudience" | "signingAlgorithm">;
  keyring: Keyring;
  clock: Clock;
  random(byteCount: number): Bytes;
}

const TYPE = "at+jwt";
const JTI_BYTES = 16;

/** Verified tokens are cached until they expire: the signature of a token is checked once. */
export function createAccessTokens({ config, keyring, clock, random }: Parts): AccessTokens {
  const verified = new BoundedMap<string, { claims: AccessClaims; expiresAtMs: number }>(
    VERIFIED_TOKENS_MAX,
  );
  const issuer = config.baseUrl;
  const audience = config.accessTokenAudience;
  const algorithm = config.signingAlgorithm;

  return {
    async issue({ userId, sessionId, authTime, amr }) {
      const [current] = await keyring.signingKeys();
      if (!current) throw new RangeError("An access token needs a signing key.");
      const now = Math.floor(clock.now() / 1000);
      const header = { alg: algorithm, typ: TYPE, kid: current.id };
      const payload = {
        iss: issuer,
        aud: audience,
        sub: userId,
        sid: sessionId,
        jti: toBase64Url(random(JTI_BYTES)),
        auth_time: authTime,
        ...(amr === null ? {} : { amr: amr.split(" ") }),
        iat: now,
        exp: now + ACCESS_TOKEN_LIFETIME_SEC,
      };
      // Built here, not by jose: it signs in another thread, and one token then takes 130 µs instead of 55.
      const text = `${encodePart(header)}.${encodePart(payload)}`;
      return `${text}.${toBase64Url(await current.sign(utf8(text)))}`;
    },

    async verify(token) {
      const known = verified.get(token);
      if (known && known.expiresAtMs > clock.now()) return known.claims;
      if (known) verified.delete(token);
      const read = await readToken(token, {
        keyring,
        issuer,
        audience,
        algorithm,
        now: new Date(clock.now()),
      });
      if (!read) return undefined;
      verified.set(token, read);
      return read.claims;
    },
  };
}

function encodePart(part: object): string {
  return toBase64Url(utf8(JSON.stringify(part)));
}

interface Expected {
  keyring: Keyring;
  issuer: string;
  audience: string;
  algorithm: SigningAlgorithm;
  now: Date;
}

async function readToken(token: string, { keyring, issuer, audience, algorithm, now }: Expected) {
  if (!isCompactToken(token)) return undefined;
  const keys = await keyring.signingKeys();
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const found = keys.find(({ id }) => id === kid);
        if (!found) throw new RangeError("unknown kid");
        return found.key;
      },
      {
        algorithms: [algorithm],
        issuer,
        audience,
        typ: TYPE,
        clockTolerance: ACCESS_TOKEN_CLOCK_TOLERANCE_SEC,
        currentDate: now,
        requiredClaims: ["exp", "iat", "sub", "sid"],
      },
    );
    const { sub, sid, exp } = payload;
    if (typeof sub !== "string" || typeof sid !== "string" || exp === undefined) return undefined;
    const expiresAtMs = (exp + ACCESS_TOKEN_CLOCK_TOLERANCE_SEC) * 1000;
    return { claims: { userId: sub, sessionId: sid }, expiresAtMs };
  } catch {
    // Not a valid token of this server. The response does not say why.
    return undefined;
  }
}
