// Written by `npm run verifier:generate` from the files beside it.

// signin/verify/verify.ts
import {
  createLocalJWKSet,
  errors as errors2,
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

// signin/verify/remote-keys.ts
import {
  createRemoteJWKSet,
  customFetch,
  errors
} from "jose";

// shared/bytes.ts
var encoder = new TextEncoder();
var decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
function concatBytes(parts) {
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
  return concatBytes(chunks);
}

// shared/json.ts
function isJsonObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// shared/units.ts
var KIB = 1024;
var MIB = 1024 * KIB;

// signin/verify/remote-keys.ts
var REFETCH_MS = 6e4;
var KEYS_LIFETIME_MS = PUBLIC_DOCUMENT_LIFETIME_SEC * 1e3;
var KEYS_STALE_MS = 60 * 6e4 - KEYS_LIFETIME_MS;
var FAILURE_MS = 1e4;
var KEYS_MAX = 32;
var KEYS_BYTES_MAX = 64 * KIB;
var FETCH_TIMEOUT_MS = 5e3;
function createRemoteKeys(source) {
  const address = source.jwks ?? `${source.issuer}/.well-known/jwks.json`;
  let good;
  let failed;
  let refetchedAt = Number.NEGATIVE_INFINITY;
  async function load(init) {
    const now = Date.now();
    if (good && now - good.at >= KEYS_STALE_MS) good = void 0;
    const isFirst = good === void 0;
    const isDue = isFirst ? !failed || now - failed.at >= FAILURE_MS : now - refetchedAt >= REFETCH_MS;
    if (isDue) {
      try {
        const url = source.jwks ?? await findAddress(source, init) ?? address;
        good = { keys: readKeySet(await fetchDocument(source.fetch, url, init)), at: now };
        failed = void 0;
      } catch (error) {
        failed = { error, at: now };
      }
      if (!isFirst) refetchedAt = now;
    }
    if (good) return good.keys;
    throw failed?.error;
  }
  const find = createRemoteJWKSet(new URL(address), {
    timeoutDuration: FETCH_TIMEOUT_MS,
    cooldownDuration: 0,
    cacheMaxAge: KEYS_LIFETIME_MS,
    [customFetch]: async (_url, init) => Response.json(await load(init))
  });
  return (header) => find(header).catch((error) => {
    throw error instanceof errors.JWKSNoMatchingKey && failed ? failed.error : error;
  });
}
function readKeySet(document) {
  const list = isJsonObject(document) ? document.keys : void 0;
  if (!Array.isArray(list)) throw new TypeError("This is no JSON Web Key Set.");
  const keys = /* @__PURE__ */ new Map();
  for (const jwk of list.slice(0, KEYS_MAX)) {
    const { kty, crv, x, kid, alg = "EdDSA", use = "sig" } = jwk ?? {};
    if (kty !== "OKP" || crv !== "Ed25519" || alg !== "EdDSA" || use !== "sig") continue;
    if (typeof kid !== "string" || typeof x !== "string" || !/^[\w-]{43}$/.test(x)) continue;
    keys.set(kid, { kty, crv, x, kid });
  }
  return { keys: [...keys.values()] };
}
async function findAddress({ issuer, fetch: fetch2 }, init) {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === "/" ? "" : pathname;
  const url = `${origin}/.well-known/oauth-authorization-server${path}`;
  const found = await fetchDocument(fetch2, url, init);
  if (found === void 0) return void 0;
  if (!isJsonObject(found) || found.issuer !== issuer)
    throw new Error(`${url} is of another issuer.`);
  return typeof found.jwks_uri === "string" ? found.jwks_uri : void 0;
}
async function fetchDocument(fetcher, url, init) {
  const response = await fetcher(url, init);
  if (response.status !== 200) {
    await response.body?.cancel();
    if (response.status === 404) return void 0;
    throw new Error(`${url} has status ${response.status}.`);
  }
  const bytes = await readBytes(response, KEYS_BYTES_MAX);
  if (!bytes) throw new Error(`${url} is too large.`);
  return JSON.parse(new TextDecoder().decode(bytes));
}

// signin/verify/verify.ts
var TYPE = "at+jwt";
function createVerifier(options) {
  const { clockToleranceSec: clockTolerance = ACCESS_TOKEN_CLOCK_TOLERANCE_SEC, audience } = options;
  requireOptions(options, clockTolerance);
  const issuer = withoutTrailing(options.issuer, "/");
  const findPublished = createKeys(options, issuer);
  const expected = {
    algorithms: ["EdDSA"],
    typ: TYPE,
    issuer,
    audience,
    clockTolerance
  };
  async function findKey(header) {
    const { typ, kid } = header;
    if (typeof typ !== "string" || typeof kid !== "string") throw new TokenRejected("malformed");
    return findPublished(header).catch((cause) => {
      if (cause instanceof errors2.JWKSNoMatchingKey) throw new TokenRejected("signature");
      throw new TokenRejected("keys_unavailable", { cause });
    });
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
  if (typeof jwks === "object" && !(jwks instanceof URL)) {
    return createLocalJWKSet(readKeySet(jwks));
  }
  const fetcher = given ?? ((url, init) => fetch(url, init));
  return createRemoteKeys({ issuer, jwks: jwks?.toString(), fetch: fetcher });
}
var CLAIM_REASONS = {
  iss: "issuer",
  aud: "audience",
  nbf: "not_yet_valid",
  typ: "type"
};
function reasonOf(error) {
  if (error instanceof errors2.JOSEAlgNotAllowed) return "algorithm";
  if (error instanceof errors2.JWTExpired) return "expired";
  if (error instanceof errors2.JWSSignatureVerificationFailed) return "signature";
  if (error instanceof errors2.JWTClaimValidationFailed && error.reason === "check_failed") {
    return CLAIM_REASONS[error.claim] ?? "malformed";
  }
  return "malformed";
}
function toVerified(payload, clockTolerance) {
  const { sub, sid, iat, exp, auth_time: authTime = iat, amr = [] } = payload;
  if (!isText(sub) || !isText(sid) || iat === void 0 || exp === void 0) {
    throw new TokenRejected("malformed");
  }
  if (typeof authTime !== "number" || !Array.isArray(amr)) throw new TokenRejected("malformed");
  if (iat > Date.now() / 1e3 + clockTolerance) throw new TokenRejected("not_yet_valid");
  return {
    userId: sub,
    sessionId: sid,
    authenticatedAt: new Date(authTime * 1e3),
    methods: amr.map(String),
    issuedAt: new Date(iat * 1e3),
    expiresAt: new Date(exp * 1e3)
  };
}
function isText(value) {
  return typeof value === "string" && value !== "";
}
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
export {
  TokenRejected,
  createVerifier
};
