// Written by `npm run verifier:generate` from the files beside it.

// signin/verify/verify.ts
import {
  errors,
  jwtVerify
} from "jose";

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

// signin/public-limits.ts
var MINUTE_SEC = 60;
var ACCESS_TOKEN_LIFETIME_SEC = 10 * MINUTE_SEC;
var ACCESS_TOKEN_CLOCK_TOLERANCE_SEC = 30;
var ACCESS_TOKEN_CHARACTERS_MAX = 2048;
var PUBLIC_DOCUMENT_LIFETIME_SEC = 10 * MINUTE_SEC;

// signin/tokens/compact-token.ts
var PARTS = /^[\w-]+\.[\w-]+\.(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/;
function isCompactToken(text) {
  return text.length <= ACCESS_TOKEN_CHARACTERS_MAX && PARTS.test(text);
}

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

// shared/units.ts
var KIB = 1024;
var MIB = 1024 * KIB;

// signin/verify/limits.ts
var REFETCH_MS = 6e4;
var KEYS_LIFETIME_MS = PUBLIC_DOCUMENT_LIFETIME_SEC * 1e3;
var KEYS_STALE_MS = 60 * 6e4;
var KEYS_MAX = 32;
var KEYS_BYTES_MAX = 64 * KIB;
var FETCH_TIMEOUT_MS = 5e3;
var FETCH_LEASE_MS = 11e3;
var FETCH_POLL_MS = 25;

// signin/verify/key-address.ts
async function fetchDocument(fetcher, url) {
  const response = await fetcher(url, {
    headers: { accept: "application/json" },
    // workerd throws on "error".
    redirect: "manual",
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS)
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    if (response.status === 404) return void 0;
    throw new Error(`${url} has status ${response.status}.`);
  }
  const bytes = await readBytes(response, KEYS_BYTES_MAX);
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
        if (kept && now - kept.fetchedAt >= KEYS_STALE_MS) kept = void 0;
        const known = kept?.keys.get(kid);
        if (known && kept && now - kept.fetchedAt < KEYS_LIFETIME_MS) return known;
        if (fetching && now - fetching.since < FETCH_LEASE_MS) {
          if (known) return known;
          await new Promise((resolve) => setTimeout(resolve, FETCH_POLL_MS));
          continue;
        }
        if (!kept) return (await fetchKeys(now)).get(kid);
        if (refetch && now - refetch.at < REFETCH_MS) {
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
  const found = await Promise.all(list.slice(0, KEYS_MAX).map(importKey));
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
  const expected = {
    algorithms: ["EdDSA"],
    typ: TYPE,
    issuer,
    audience,
    clockTolerance
  };
  async function findKey({ typ, kid }) {
    if (typeof typ !== "string" || typeof kid !== "string") throw new TokenRejected("malformed");
    const key = await keys.find(kid).catch((cause) => {
      throw new TokenRejected("keys_unavailable", { cause });
    });
    if (!key) throw new TokenRejected("signature");
    return key;
  }
  return async (token) => {
    if (typeof token !== "string" || !isCompactToken(token)) throw new TokenRejected("malformed");
    try {
      const { payload } = await jwtVerify(token, findKey, expected);
      return toVerified(payload, clockTolerance);
    } catch (error) {
      if (error instanceof TokenRejected) throw error;
      throw new TokenRejected(reasonOf(error));
    }
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
var CLAIM_REASONS = {
  iss: "issuer",
  aud: "audience",
  nbf: "not_yet_valid",
  typ: "type"
};
function reasonOf(error) {
  if (error instanceof errors.JOSEAlgNotAllowed) return "algorithm";
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
