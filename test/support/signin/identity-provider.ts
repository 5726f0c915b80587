import assert from "node:assert/strict";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { sha256, toBase64Url } from "../../../shared/bytes.ts";
import type { Clock } from "../../../shared/clock.ts";
import { randomToken } from "../../../shared/random.ts";
import { APPLE, answerAs, type Play, toAppleUser } from "./played-providers.ts";

/** Both kinds of login providers as one `fetch`, with real keys and real tokens. */
export interface IdentityProvider {
  fetch: typeof fetch;
  /** What the server asked since the last look, as `GET https://…`. */
  takeRequests(): string[];
  /** Plays the person at the provider's page: returns the callback that the browser opens next. */
  authorize(authorizationUrl: string, person?: Partial<Person>): Promise<string>;
  /** Answers instead of the fakes where it returns something. */
  intercept:
    | ((request: Request) => Response | undefined | Promise<Response | undefined>)
    | undefined;
  /** Changes the claims of the next ID tokens; undefined takes a claim away. */
  claims: Record<string, unknown>;
  /** Signs ID tokens another way. */
  signIdToken: (claims: Record<string, unknown>) => Promise<string>;
  jwks: { keys: JWK[] };
}

/** Who is at the keyboard. */
export interface Person {
  subject: string;
  name: string;
  email: string | undefined;
  emailVerified: unknown;
  /** What the OAuth provider's e-mail endpoint lists. */
  emails: unknown;
}

export const ISSUER = "https://op.example.test";
export const OAUTH = "https://hub.example.test";
export const PROVIDER_ENV = {
  OIDC_PROVIDER_CLIENT_ID: "oidc-client",
  OIDC_PROVIDER_CLIENT_SECRET: "oidc-secret-canary-1f0a",
  OIDC_PROVIDER_ISSUER: ISSUER,
  OAUTH_PROVIDER_CLIENT_ID: "oauth-client",
  OAUTH_PROVIDER_CLIENT_SECRET: "oauth-secret-canary-2b7c",
  OAUTH_PROVIDER_AUTHORIZE_URL: `${OAUTH}/login/oauth/authorize`,
  OAUTH_PROVIDER_TOKEN_URL: `${OAUTH}/login/oauth/access_token`,
  OAUTH_PROVIDER_API_URL: `${OAUTH}/api`,
};

interface Grant {
  person: Person;
  nonce: string | null;
  challenge: string;
  redirectUri: string;
}

// One pair for all tests of a process: RSA keys are slow to make.
const PAIR = await generateKeyPair("RS256", { extractable: true });
const PUBLIC_JWK: JWK = {
  ...(await exportJWK(PAIR.publicKey)),
  kid: "key-1",
  alg: "RS256",
  use: "sig",
};

export function createIdentityProvider(clock: Clock): IdentityProvider {
  const requests: string[] = [];
  const grants = new Map<string, Grant>();
  const users = new Map<string, Person>();
  // Apple tells a name once.
  const known = new Set<string>();

  const provider: IdentityProvider = {
    intercept: undefined,
    claims: {},
    jwks: { keys: [PUBLIC_JWK] },
    signIdToken: (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "key-1" }).sign(PAIR.privateKey),
    takeRequests: () => requests.splice(0),
    async fetch(input, init) {
      const request = new Request(input, init);
      init?.signal?.throwIfAborted();
      requests.push(`${request.method} ${request.url}`);
      const answer = await provider.intercept?.(request.clone());
      return answer ?? route(request);
    },
    async authorize(authorizationUrl, changes = {}) {
      const url = new URL(authorizationUrl);
      const query = url.searchParams;
      const person = { ...defaultPerson(), ...changes };
      const code = randomToken(16);
      const redirectUri = query.get("redirect_uri") ?? "";
      assert.equal(query.get("code_challenge_method"), "S256");
      grants.set(code, {
        person,
        nonce: query.get("nonce"),
        challenge: query.get("code_challenge") ?? "",
        redirectUri,
      });
      const callback = new URL(redirectUri);
      callback.searchParams.set("code", code);
      callback.searchParams.set("state", query.get("state") ?? "");
      if (url.hostname === "acme.example.test") callback.searchParams.set("iss", url.origin);
      if (url.origin === APPLE && !known.has(person.subject)) {
        known.add(person.subject);
        callback.searchParams.set("user", toAppleUser(person));
      }
      return callback.href;
    },
  };

  async function route(request: Request): Promise<Response> {
    const url = new URL(request.url);
    switch (`${url.origin}${url.pathname}`) {
      case `${ISSUER}/.well-known/openid-configuration`:
        return Response.json({
          issuer: ISSUER,
          authorization_endpoint: `${ISSUER}/authorize`,
          token_endpoint: `${ISSUER}/token`,
          userinfo_endpoint: `${ISSUER}/userinfo`,
          jwks_uri: `${ISSUER}/jwks`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["RS256", "none"],
        });
      case `${ISSUER}/jwks`:
        return Response.json(provider.jwks);
      case `${ISSUER}/token`:
        return oidcToken(request);
      case `${ISSUER}/userinfo`:
        return userInfo(request);
      case `${OAUTH}/login/oauth/access_token`:
        return oauthToken(request);
      case `${OAUTH}/api/user`: {
        const person = users.get(bearerOf(request));
        if (!person) return Response.json({ message: "Bad credentials" }, { status: 401 });
        return Response.json({
          id: Number(person.subject),
          login: `login-${person.subject}`,
          name: person.name,
          email: "public-profile@example.test",
          avatar_url: `https://avatars.example.test/${person.subject}`,
        });
      }
      case `${OAUTH}/api/user/emails`:
        return Response.json(users.get(bearerOf(request))?.emails ?? []);
      default:
        return (await answerAs(request, play)) ?? new Response("unknown", { status: 404 });
    }
  }

  const play: Play = {
    clock,
    get jwks() {
      return provider.jwks;
    },
    get changes() {
      return provider.claims;
    },
    sign: (claims) => provider.signIdToken(claims),
    redeem: redeemForm,
    issueToken(person) {
      const token = `token-${randomToken(8)}`;
      users.set(token, person);
      return token;
    },
    findPerson: (request) => users.get(bearerOf(request)),
  };

  async function redeem(request: Request): Promise<Grant | undefined> {
    return redeemForm(new URLSearchParams(await request.text()));
  }

  async function redeemForm(form: URLSearchParams): Promise<Grant | undefined> {
    const grant = grants.get(form.get("code") ?? "");
    grants.delete(form.get("code") ?? "");
    const challenge = toBase64Url(await sha256(form.get("code_verifier") ?? ""));
    const isRight =
      grant?.challenge === challenge && grant.redirectUri === form.get("redirect_uri");
    return isRight ? grant : undefined;
  }

  async function oidcToken(request: Request): Promise<Response> {
    const grant = await redeem(request);
    if (!grant) return Response.json({ error: "invalid_grant" }, { status: 400 });
    const accessToken = `op-token-${randomToken(8)}`;
    users.set(accessToken, grant.person);
    const now = Math.floor(clock.now() / 1000);
    const { person } = grant;
    const claims = {
      iss: ISSUER,
      aud: "oidc-client",
      sub: person.subject,
      iat: now,
      exp: now + 300,
      nonce: grant.nonce,
      name: person.name,
      ...(person.email === undefined
        ? {}
        : { email: person.email, email_verified: person.emailVerified }),
      ...provider.claims,
    };
    const signed = await provider.signIdToken(JSON.parse(JSON.stringify(claims)));
    return Response.json({ access_token: accessToken, token_type: "bEaReR", id_token: signed });
  }

  function userInfo(request: Request): Response {
    const person = users.get(bearerOf(request));
    if (!person) return new Response(null, { status: 401 });
    return Response.json({
      sub: person.subject,
      email: `${person.subject}@userinfo.example.test`,
      email_verified: true,
    });
  }

  async function oauthToken(request: Request): Promise<Response> {
    const grant = await redeem(request);
    // As GitHub does: a refusal is a 200.
    if (!grant) return Response.json({ error: "bad_verification_code" });
    const accessToken = `gho_${randomToken(24)}`;
    users.set(accessToken, grant.person);
    return Response.json({
      access_token: accessToken,
      token_type: "bearer",
      scope: "read:user,user:email",
    });
  }

  return provider;
}

function bearerOf(request: Request): string {
  return (request.headers.get("authorization") ?? "").replace(/^Bearer /i, "");
}

function defaultPerson(): Person {
  return {
    subject: "1001",
    name: "Ada Person",
    email: "ada@example.test",
    emailVerified: true,
    emails: [{ email: "ada@example.test", primary: true, verified: true }],
  };
}
