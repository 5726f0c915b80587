import {
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from "jose";
import { sha256, toBase64Url, utf8 } from "../../../shared/bytes.ts";
import { randomToken } from "../../../shared/random.ts";
import { type FakeServer, startFakeServer } from "../fake-server.ts";
import { machineTimeSec } from "../time.ts";

/** A key of the provider, or of another party. */
export interface ProviderKey {
  kid: string;
  alg: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  jwk: JWK;
}

/** What one login of the provider does differently from an honest one. */
export interface Hostility {
  /** The query that goes back to the callback. */
  callback?(query: URLSearchParams): void;
  claims?(claims: JWTPayload): JWTPayload;
  header?: Record<string, unknown>;
  key?: ProviderKey;
  /** The last word on the ID token; undefined leaves it out. */
  idToken?(token: string, claims: JWTPayload): string | undefined | Promise<string>;
  tokenAnswer?(body: Record<string, unknown>): unknown;
  userInfo?(claims: Record<string, unknown>): unknown;
}

/** A knob that answers in place of an endpoint gives a Response, or else the JSON document. */
type Knob = (document: Record<string, unknown>) => unknown;

/** An OpenID provider that lies on demand and remembers what it was asked. */
export interface AdversarialProvider extends FakeServer {
  clientId: string;
  clientSecret: string;
  keys: ProviderKey[];
  /** Everything published at the JWKS endpoint, unless told otherwise. */
  hostility: Hostility;
  discovery: Knob | undefined;
  jwks: Knob | undefined;
  /** The one way in which the token endpoint lets its client authenticate. */
  tokenAuth: "basic" | "post";
  /** Who logs in. */
  person: Record<string, unknown>;
  /** Sets one login's behaviour; honest again after `use` disposes it. */
  use(hostility: Hostility): Disposable;
}

interface Grant {
  nonce: string;
  redirectUri: string;
  challenge: string;
}

export async function createProviderKey(alg = "RS256", kid = randomToken(6), modulusLength = 2048) {
  const pair = await generateKeyPair(alg, { extractable: true, modulusLength });
  const jwk = { ...(await exportJWK(pair.publicKey)), kid, alg, use: "sig" };
  return { kid, alg, ...pair, jwk } satisfies ProviderKey;
}

/** The classic confusion: an HS256 token whose secret is the public key's text. */
export async function signWithText(text: Uint8Array, claims: JWTPayload, header = {}) {
  return new SignJWT(claims).setProtectedHeader({ alg: "HS256", ...header }).sign(text);
}

export async function publicKeyText(key: ProviderKey): Promise<Uint8Array> {
  return utf8(await exportSPKI(key.publicKey));
}

export function unsignedToken(claims: JWTPayload): string {
  const part = (value: unknown) => toBase64Url(utf8(JSON.stringify(value)));
  return `${part({ alg: "none", typ: "JWT" })}.${part(claims)}.`;
}

/** One for all providers of this process: a new one takes longer than most sign-ins. Tests replace it, and do not change it. */
let firstKey: Promise<ProviderKey> | undefined;

export async function startAdversarialProvider(): Promise<AdversarialProvider> {
  firstKey ??= createProviderKey();
  const grants = new Map<string, Grant>();
  const state = {
    clientId: "adversarial-client",
    clientSecret: `adversarial-${randomToken()}`,
    keys: [await firstKey],
    hostility: {} as Hostility,
    discovery: undefined as Knob | undefined,
    jwks: undefined as Knob | undefined,
    tokenAuth: "basic" as "basic" | "post",
    person: {
      sub: "subject-1",
      email: "person@example.test",
      email_verified: true,
      name: "A Person",
    } as Record<string, unknown>,
  };
  const server = await startFakeServer((issuer) => async (request, seen) => {
    switch (seen.path) {
      case "/.well-known/openid-configuration":
        return answer(discoveryDocument(issuer), state.discovery);
      case "/jwks":
        return answer({ keys: state.keys.map(({ jwk }) => jwk) }, state.jwks);
      case "/authorize":
        return authorize(issuer, seen.query);
      case "/token":
        return token(issuer, request, new URLSearchParams(seen.body));
      case "/userinfo":
        return answer({ ...state.person }, state.hostility.userInfo);
      default:
        return new Response(null, { status: 404 });
    }
  });

  function authorize(issuer: string, query: URLSearchParams): Response {
    const code = randomToken();
    const redirectUri = query.get("redirect_uri") ?? "";
    grants.set(code, {
      redirectUri,
      nonce: query.get("nonce") ?? "",
      challenge: query.get("code_challenge") ?? "",
    });
    const back = new URL(redirectUri);
    back.search = new URLSearchParams({
      code,
      state: query.get("state") ?? "",
      iss: issuer,
    }).toString();
    state.hostility.callback?.(back.searchParams);
    return Response.redirect(back, 302);
  }

  async function token(issuer: string, request: Request, form: URLSearchParams): Promise<Response> {
    const grant = grants.get(form.get("code") ?? "");
    grants.delete(form.get("code") ?? "");
    const basic = /^Basic (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
    // RFC 6749 §2.3.1: both halves are form-encoded.
    const [id, secret] =
      state.tokenAuth === "basic"
        ? atob(basic).split(":").map(decodeURIComponent)
        : [form.get("client_id"), form.get("client_secret")];
    if (id !== state.clientId || secret !== state.clientSecret) {
      return refuse(401, "invalid_client");
    }
    const verifier = form.get("code_verifier") ?? "";
    const challenge = toBase64Url(await sha256(verifier));
    if (grant?.challenge !== challenge || grant.redirectUri !== form.get("redirect_uri")) {
      return refuse(400, "invalid_grant");
    }
    const accessToken = `adversarial-access-${randomToken()}`;
    const idToken = await signIdToken(issuer, grant);
    const body = {
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: 3600,
      scope: "openid email profile",
      ...(idToken === undefined ? {} : { id_token: idToken }),
    };
    return answer(body, state.hostility.tokenAnswer);
  }

  async function signIdToken(issuer: string, { nonce }: Grant): Promise<string | undefined> {
    const { hostility } = state;
    const nowSec = machineTimeSec();
    const honest = {
      iss: issuer,
      aud: state.clientId,
      iat: nowSec,
      exp: nowSec + 300,
      nonce,
      ...state.person,
    };
    const claims = hostility.claims?.(honest) ?? honest;
    const key = hostility.key ?? state.keys[0]!;
    const header = { alg: key.alg, kid: key.kid, ...hostility.header };
    const signed = await new SignJWT(claims).setProtectedHeader(header).sign(key.privateKey);
    return hostility.idToken ? hostility.idToken(signed, claims) : signed;
  }

  return Object.assign(state, {
    url: server.url,
    takeRequests: server.takeRequests,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    use(hostility: Hostility): Disposable {
      state.hostility = hostility;
      return {
        [Symbol.dispose]() {
          state.hostility = {};
        },
      };
    },
  });
}

function discoveryDocument(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    // A provider that lists what must never be accepted.
    id_token_signing_alg_values_supported: ["RS256", "ES256", "HS256", "none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  };
}

async function answer(
  document: Record<string, unknown>,
  knob: Knob | undefined,
): Promise<Response> {
  const given = knob ? await knob(document) : document;
  return given instanceof Response ? given : Response.json(given);
}

function refuse(status: number, error: string): Response {
  return Response.json({ error }, { status });
}
