import {
  createLocalJWKSet,
  errors,
  type JWTHeaderParameters,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
} from "jose";
import { withoutTrailing } from "../../shared/without-trailing.ts";
import { isWebUrl } from "../config/addresses.ts";
import { ACCESS_TOKEN_CLOCK_TOLERANCE_SEC } from "../public-limits.ts";
import { isCompactToken } from "../tokens/compact-token.ts";
import type { Fetch } from "./fetch.ts";
import { createRemoteKeys, type FindKey, readKeySet } from "./remote-keys.ts";

// `roundhouse/signin/verify`, for services that get access tokens of a sign-in server with JWT_SIGNING_ALG=EdDSA. It uses
// nothing but the web platform and jose: Node, Workers, Deno and browsers.

/** What a verifier accepts. */
export interface VerifierOptions {
  /** The server's `APP_BASE_URL`. */
  issuer: string;
  /** The server's `ACCESS_TOKEN_AUDIENCE`. */
  audience: string;
  /** The address of the keys, or the key set itself. By default the issuer's metadata name the address. */
  jwks?: string | URL | { keys: readonly object[] } | undefined;
  /** For the keys. */
  fetch?: Fetch | undefined;
  /** How far two clocks may be apart; 30 by default. */
  clockToleranceSec?: number | undefined;
}

/** What a good token says. The session may have ended since: a token lives for ten minutes. */
export interface VerifiedToken {
  userId: string;
  sessionId: string;
  /** When the session was proven last. */
  authenticatedAt: Date;
  /** How, by values of RFC 8176: `mfa` if the second factor was proven. */
  methods: string[];
  issuedAt: Date;
  expiresAt: Date;
}

/** @throws TokenRejected */
export type Verifier = (token: string) => Promise<VerifiedToken>;

const TYPE = "at+jwt";

/**
 * A function that verifies access tokens. It fetches the issuer's keys with the first token and keeps them.
 * @throws TypeError if an option is not valid
 */
export function createVerifier(options: VerifierOptions): Verifier {
  const { clockToleranceSec: clockTolerance = ACCESS_TOKEN_CLOCK_TOLERANCE_SEC, audience } =
    options;
  requireOptions(options, clockTolerance);
  const issuer = withoutTrailing(options.issuer, "/");
  const findPublished = createKeys(options, issuer);
  const expected: JWTVerifyOptions = {
    algorithms: ["EdDSA"],
    typ: TYPE,
    issuer,
    audience,
    clockTolerance,
  };

  // jose calls it once the header is read and its algorithm is EdDSA: no key is fetched for anything else.
  async function findKey(header: JWTHeaderParameters): Promise<CryptoKey> {
    const { typ, kid } = header;
    if (typeof typ !== "string" || typeof kid !== "string") throw new TokenRejected("malformed");
    return findPublished(header).catch((cause: unknown) => {
      if (cause instanceof errors.JWKSNoMatchingKey) throw new TokenRejected("signature");
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
      // Never as its cause: jose's errors hold the claims.
      throw new TokenRejected(reasonOf(error));
    }
  };
}

function requireOptions({ issuer, audience, jwks }: VerifierOptions, clockTolerance: number): void {
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

function createKeys({ jwks, fetch: given }: VerifierOptions, issuer: string): FindKey {
  if (typeof jwks === "object" && !(jwks instanceof URL)) {
    return createLocalJWKSet(readKeySet(jwks));
  }
  const fetcher: Fetch = given ?? ((url, init) => fetch(url, init));
  return createRemoteKeys({ issuer, jwks: jwks?.toString(), fetch: fetcher });
}

const CLAIM_REASONS: Readonly<Record<string, RejectionReason>> = {
  iss: "issuer",
  aud: "audience",
  nbf: "not_yet_valid",
  typ: "type",
};

function reasonOf(error: unknown): RejectionReason {
  if (error instanceof errors.JOSEAlgNotAllowed) return "algorithm";
  if (error instanceof errors.JWTExpired) return "expired";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "signature";
  if (error instanceof errors.JWTClaimValidationFailed && error.reason === "check_failed") {
    return CLAIM_REASONS[error.claim] ?? "malformed";
  }
  return "malformed";
}

function toVerified(payload: JWTPayload, clockTolerance: number): VerifiedToken {
  const { sub, sid, iat, exp, auth_time: authTime = iat, amr = [] } = payload;
  if (!isText(sub) || !isText(sid) || iat === undefined || exp === undefined) {
    throw new TokenRejected("malformed");
  }
  if (typeof authTime !== "number" || !Array.isArray(amr)) throw new TokenRejected("malformed");
  if (iat > Date.now() / 1000 + clockTolerance) throw new TokenRejected("not_yet_valid");
  return {
    userId: sub,
    sessionId: sid,
    authenticatedAt: new Date(authTime * 1000),
    methods: amr.map(String),
    issuedAt: new Date(iat * 1000),
    expiresAt: new Date(exp * 1000),
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Why a token is rejected. */
export type RejectionReason = keyof typeof SENTENCES;

const SENTENCES = {
  malformed: "it is no access token of a sign-in server",
  algorithm: "it is not signed with EdDSA",
  signature: "no published key made its signature",
  expired: "it has expired",
  not_yet_valid: "it is not valid yet",
  issuer: "another server issued it",
  audience: "it is for another audience",
  type: "it is not of the type at+jwt",
  keys_unavailable: "the keys of the issuer cannot be fetched",
} as const;

/** A token that is not accepted. Neither `message` nor `cause` holds any of the token. */
export class TokenRejected extends Error {
  override name = "TokenRejected";
  readonly reason: RejectionReason;

  constructor(reason: RejectionReason, options?: ErrorOptions) {
    super(`The token was rejected: ${SENTENCES[reason]}.`, options);
    this.reason = reason;
  }
}
