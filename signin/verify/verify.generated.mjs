// Written by `npm run verifier:generate` from the files beside it.

// signin/verify/verify.ts
import { decodeProtectedHeader, errors, jwtVerify } from "jose";

// shared/without-trailing.ts
function withoutTrailing(text, characters) {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

// signin/config/addresses.ts
function isWebUrl(text) {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}

// shared/units.ts
var KIB = 1024;
var MIB = 1024 * KIB;

// signin/limits.ts
var MINUTE_SEC = 60;
var HOUR_SEC = 60 * MINUTE_SEC;
var DAY_SEC = 24 * HOUR_SEC;
var FLOW_LIFETIME_SEC = 10 * MINUTE_SEC;
var ACCESS_TOKEN_LIFETIME_SEC = 10 * MINUTE_SEC;
var ACCESS_TOKEN_CLOCK_TOLERANCE_SEC = 30;
var ACCESS_TOKEN_CHARACTERS_MAX = 2048;
var SESSION_IDLE_SEC = 30 * DAY_SEC;
var SESSION_ABSOLUTE_SEC = 90 * DAY_SEC;
var PUBLIC_DOCUMENT_LIFETIME_SEC = 10 * MINUTE_SEC;
var VERIFIER_REFETCH_MS = MINUTE_SEC * 1e3;
var VERIFIER_KEYS_LIFETIME_MS = PUBLIC_DOCUMENT_LIFETIME_SEC * 1e3;
var VERIFIER_KEYS_STALE_MS = HOUR_SEC * 1e3;
var VERIFIER_KEYS_MAX = 32;
var VERIFIER_BODY_BYTES_MAX = 64 * KIB;
var VERIFIER_FETCH_TIMEOUT_MS = 5e3;
var VERIFIER_FETCH_LEASE_MS = 11e3;
var VERIFIER_FETCH_POLL_MS = 25;
var EMAIL_CODE_LIFETIME_SEC = 10 * MINUTE_SEC;
var CODE_RESEND_SEC = MINUTE_SEC;
var SCRYPT_MEMORY_BYTES_MAX = 64 * KIB * KIB;
var FRESH_SESSION_SEC = 5 * MINUTE_SEC;
var PASSKEY_CHALLENGE_LIFETIME_SEC = 5 * MINUTE_SEC;
var MAIL_ANSWER_BYTES_MAX = 64 * KIB;
var MAILBOX_CHARACTERS_MAX = KIB * KIB;
var PROVIDER_BODY_BYTES_MAX = 256 * KIB;
var JWKS_LIFETIME_SEC = 5 * MINUTE_SEC;
var PROVIDER_FETCH_LEASE_SEC = 11;
var PROVIDER_FETCH_POLL_MS = 25;
var PROVIDER_FETCH_POLLS_MAX = PROVIDER_FETCH_LEASE_SEC * 1e3 / PROVIDER_FETCH_POLL_MS;
var ID_TOKEN_IAT_AGE_SEC = 10 * MINUTE_SEC;
var BODY_BYTES_MAX = 16 * KIB;
var AUDIT_RETENTION_SEC = 90 * DAY_SEC;
var CLEANUP_INTERVAL_MS = DAY_SEC * 1e3;
var WRANGLER_OUTPUT_BYTES_MAX = KIB * KIB;
var SETUP_INPUT_CHARACTERS_MAX = 64 * KIB;
var RATE_LIMITS = {
  loginPerEmailAndIp: { limit: 5, windowSec: 5 * MINUTE_SEC, durable: true },
  loginPerEmail: { limit: 50, windowSec: HOUR_SEC, durable: true },
  loginPerIp: { limit: 30, windowSec: 5 * MINUTE_SEC, durable: true },
  loginPerEmailAndNetwork: { limit: 50, windowSec: HOUR_SEC, durable: true },
  codePerEmailMinute: { limit: 1, windowSec: CODE_RESEND_SEC, durable: true },
  codePerEmailAndNetwork: { limit: 3, windowSec: DAY_SEC, durable: true },
  codePerEmailHour: { limit: 5, windowSec: HOUR_SEC, durable: true },
  codePerEmailDay: { limit: 10, windowSec: DAY_SEC, durable: true },
  codePerEmailDayEverywhere: { limit: 60, windowSec: DAY_SEC, durable: true },
  codePerIp: { limit: 20, windowSec: HOUR_SEC, durable: true },
  codePerNetwork: { limit: 100, windowSec: HOUR_SEC, durable: true },
  codeAttemptsPerEmail: { limit: 20, windowSec: DAY_SEC, durable: true },
  codeAttemptsPerEmailAndIp: { limit: 20, windowSec: DAY_SEC, durable: true },
  codeCompletePerIp: { limit: 30, windowSec: 5 * MINUTE_SEC, durable: true },
  codeCompletePerNetwork: { limit: 100, windowSec: HOUR_SEC, durable: true },
  nativeTokenPerIp: { limit: 30, windowSec: MINUTE_SEC },
  refreshPerSession: { limit: 30, windowSec: MINUTE_SEC },
  flowPerIp: { limit: 60, windowSec: MINUTE_SEC },
  flowPerDayAndIp: { limit: 3e3, windowSec: DAY_SEC },
  /** Flows of all clients: bounds what a flood from many addresses can store. */
  flowsInAll: { limit: 2e4, windowSec: FLOW_LIFETIME_SEC },
  passkeyOptionsPerIp: { limit: 60, windowSec: MINUTE_SEC },
  passkeyOptionsPerDayAndIp: { limit: 3e3, windowSec: DAY_SEC },
  /** Challenges of all clients: bounds what a flood from many addresses can store. */
  passkeyOptionsInAll: { limit: 2e4, windowSec: PASSKEY_CHALLENGE_LIFETIME_SEC },
  passkeyPerIp: { limit: 60, windowSec: MINUTE_SEC },
  /** Registrations of a user, each of two requests. */
  passkeyChangesPerUser: { limit: 120, windowSec: MINUTE_SEC },
  profilePerUser: { limit: 30, windowSec: MINUTE_SEC },
  exportPerUser: { limit: 5, windowSec: HOUR_SEC, durable: true },
  noticePerUser: { limit: 10, windowSec: HOUR_SEC },
  apiKeyPerUser: { limit: 10, windowSec: MINUTE_SEC }
};

// shared/bytes.ts
var encoder = new TextEncoder();
var decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
function joinBytes(parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
function toBase64Url(bytes) {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
function fromBase64Url(text) {
  if (!/^[A-Za-z0-9_-]*={0,2}$/.test(text)) return void 0;
  const bare = withoutTrailing(text, "=");
  if (bare.length % 4 === 1 || text !== bare && text.length % 4 !== 0) return void 0;
  const bytes = fromBase64(bare.replaceAll("-", "+").replaceAll("_", "/"));
  return toBase64Url(bytes) === bare ? bytes : void 0;
}
var CHUNK_BYTES = 8192;
function toBase64(bytes) {
  let binary = "";
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES));
  }
  return btoa(binary);
}
function fromBase64(text) {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

// signin/tokens/compact-token.ts
var PARTS = /^[\w-]+\.[\w-]+\.[\w-]*$/;
function isCompactToken(text) {
  if (text.length > ACCESS_TOKEN_CHARACTERS_MAX || !PARTS.test(text)) return false;
  return fromBase64Url(text.slice(text.lastIndexOf(".") + 1)) !== void 0;
}

// shared/http/json-body.ts
async function readBytes(message, bytesMax) {
  const declared = message.headers.get("content-length");
  if (declared !== null) {
    if (Number(declared) > bytesMax) {
      await message.body?.cancel();
      return void 0;
    }
    if (message instanceof Request) return new Uint8Array(await message.arrayBuffer());
  }
  if (!message.body) return new Uint8Array();
  const chunks = [];
  let size = 0;
  const reader = message.body.getReader();
  for (; ; ) {
    const { done, value: chunk } = await reader.read();
    if (done) break;
    size += chunk.length;
    if (size > bytesMax) {
      await reader.cancel();
      return void 0;
    }
    chunks.push(chunk);
  }
  return joinBytes(chunks);
}

// signin/verify/key-address.ts
async function fetchDocument(fetcher, url) {
  const response = await fetcher(url, {
    headers: { accept: "application/json" },
    // workerd throws on "error".
    redirect: "manual",
    signal: AbortSignal.timeout(VERIFIER_FETCH_TIMEOUT_MS)
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    if (response.status === 404) return void 0;
    throw new Error(`${url} has status ${response.status}.`);
  }
  const bytes = await readBytes(response, VERIFIER_BODY_BYTES_MAX);
  if (!bytes) throw new Error(`${url} is too large.`);
  return JSON.parse(new TextDecoder().decode(bytes));
}
async function resolveKeyAddress(fetcher, issuer) {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === "/" ? "" : pathname;
  const metadataUrl = `${origin}/.well-known/oauth-authorization-server${path}`;
  const found = await fetchDocument(fetcher, metadataUrl);
  if (found && found.issuer !== issuer) throw new Error(`${metadataUrl} is of another issuer.`);
  const { jwks_uri: address } = found ?? {};
  return typeof address === "string" ? address : `${issuer}/.well-known/jwks.json`;
}

// signin/verify/published-keys.ts
import { importJWK } from "jose";

// shared/json.ts
function isJsonObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// signin/verify/published-keys.ts
function createPublishedKeys(load) {
  let kept;
  let fetching;
  let refetch;
  async function fetchKeys(now) {
    const own = { since: now };
    fetching = own;
    try {
      const keys = await load();
      kept = { keys, fetchedAt: now };
      return keys;
    } finally {
      if (fetching === own) fetching = void 0;
    }
  }
  return {
    async find(kid) {
      for (; ; ) {
        const now = Date.now();
        if (kept && now - kept.fetchedAt >= VERIFIER_KEYS_STALE_MS) kept = void 0;
        const known = kept?.keys.get(kid);
        if (known && kept && now - kept.fetchedAt < VERIFIER_KEYS_LIFETIME_MS) return known;
        if (fetching && now - fetching.since < VERIFIER_FETCH_LEASE_MS) {
          if (known) return known;
          await new Promise((resolve) => setTimeout(resolve, VERIFIER_FETCH_POLL_MS));
          continue;
        }
        if (!kept) return (await fetchKeys(now)).get(kid);
        if (refetch && now - refetch.at < VERIFIER_REFETCH_MS) {
          if (!known && refetch.error !== void 0) throw refetch.error;
          return known;
        }
        const own = { at: now };
        refetch = own;
        try {
          return (await fetchKeys(now)).get(kid);
        } catch (error) {
          own.error = error;
          if (known) return known;
          throw error;
        }
      }
    }
  };
}
function createFixedKeys(keySet) {
  let keys;
  return {
    async find(kid) {
      keys ??= await parseKeySet(keySet);
      return keys.get(kid);
    }
  };
}
async function parseKeySet(keySet) {
  const list = isJsonObject(keySet) ? keySet.keys : void 0;
  if (!Array.isArray(list)) throw new TypeError("This is no JSON Web Key Set.");
  const found = await Promise.all(list.slice(0, VERIFIER_KEYS_MAX).map(importKey));
  return new Map(found.flatMap((entry) => entry ? [entry] : []));
}
async function importKey(jwk) {
  const { kty, crv, x, kid, alg = "EdDSA", use = "sig" } = jwk ?? {};
  if (kty !== "OKP" || crv !== "Ed25519" || alg !== "EdDSA" || use !== "sig") return void 0;
  if (typeof x !== "string" || typeof kid !== "string") return void 0;
  try {
    const key = await importJWK({ kty, crv, x }, "EdDSA");
    return key instanceof Uint8Array ? void 0 : [kid, key];
  } catch {
    return void 0;
  }
}

// signin/verify/token-rejected.ts
var SENTENCES = {
  malformed: "it is no access token of a sign-in server",
  algorithm: "it is not signed with EdDSA",
  signature: "no published key made its signature",
  expired: "it has expired",
  not_yet_valid: "it is not valid yet",
  issuer: "another server issued it",
  audience: "it is for another audience",
  type: "it is not of the type at+jwt",
  keys_unavailable: "the keys of the issuer cannot be fetched"
};
var TokenRejected = class extends Error {
  name = "TokenRejected";
  reason;
  constructor(reason, options) {
    super(`The token was rejected: ${SENTENCES[reason]}.`, options);
    this.reason = reason;
  }
};

// signin/verify/verify.ts
var TYPE = "at+jwt";
function createVerifier(options) {
  const { clockToleranceSec: clockTolerance = ACCESS_TOKEN_CLOCK_TOLERANCE_SEC, audience } = options;
  requireOptions(options, clockTolerance);
  const issuer = withoutTrailing(options.issuer, "/");
  const keys = createKeys(options, issuer);
  return async (token) => {
    const kid = readKid(token);
    const key = await keys.find(kid).catch((cause) => {
      throw new TokenRejected("keys_unavailable", { cause });
    });
    if (!key) throw new TokenRejected("signature");
    const expected = { algorithms: ["EdDSA"], typ: TYPE, issuer, audience, clockTolerance };
    let payload;
    try {
      payload = (await jwtVerify(token, key, expected)).payload;
    } catch (error) {
      throw new TokenRejected(reasonOf(error));
    }
    return toVerified(payload, clockTolerance);
  };
}
function requireOptions({ issuer, audience, jwks }, clockTolerance) {
  if (!isWebUrl(issuer)) throw new TypeError("issuer must be an http or https URL.");
  if (typeof audience !== "string" || audience === "") {
    throw new TypeError("audience must be a text that is not empty.");
  }
  const isAddress = typeof jwks === "string" || jwks instanceof URL;
  if (isAddress && !isWebUrl(String(jwks))) {
    throw new TypeError("jwks must be an http or https URL, or a key set.");
  }
  if (!(Number.isFinite(clockTolerance) && clockTolerance >= 0)) {
    throw new TypeError("clockToleranceSec must be a number that is not negative.");
  }
}
function createKeys({ jwks, fetch: given }, issuer) {
  if (typeof jwks === "object" && !(jwks instanceof URL)) return createFixedKeys(jwks);
  const fetcher = given ?? ((url, init) => fetch(url, init));
  return createPublishedKeys(async () => {
    const address = jwks?.toString() ?? await resolveKeyAddress(fetcher, issuer);
    return parseKeySet(await fetchDocument(fetcher, address));
  });
}
function readKid(token) {
  if (typeof token !== "string" || !isCompactToken(token)) throw new TokenRejected("malformed");
  const { alg, typ, kid } = readHeader(token);
  if (typeof alg !== "string") throw new TokenRejected("malformed");
  if (alg !== "EdDSA") throw new TokenRejected("algorithm");
  if (typeof typ !== "string" || typeof kid !== "string") throw new TokenRejected("malformed");
  return kid;
}
function readHeader(token) {
  try {
    return decodeProtectedHeader(token);
  } catch {
    throw new TokenRejected("malformed");
  }
}
var CLAIM_REASONS = {
  iss: "issuer",
  aud: "audience",
  nbf: "not_yet_valid",
  typ: "type"
};
function reasonOf(error) {
  if (error instanceof errors.JWTExpired) return "expired";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "signature";
  if (error instanceof errors.JWTClaimValidationFailed && error.reason === "check_failed") {
    return CLAIM_REASONS[error.claim] ?? "malformed";
  }
  return "malformed";
}
function toVerified({ sub, sid, iat, exp }, clockTolerance) {
  if (!isText(sub) || !isText(sid) || iat === void 0 || exp === void 0) {
    throw new TokenRejected("malformed");
  }
  if (iat > Date.now() / 1e3 + clockTolerance) throw new TokenRejected("not_yet_valid");
  return {
    userId: sub,
    sessionId: sid,
    issuedAt: new Date(iat * 1e3),
    expiresAt: new Date(exp * 1e3)
  };
}
function isText(value) {
  return typeof value === "string" && value !== "";
}
export {
  TokenRejected,
  createVerifier
};
