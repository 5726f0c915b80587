import { compactVerify, createLocalJWKSet, decodeProtectedHeader } from "jose";
import * as oauth from "oauth4webapi";
import { type AuthorizationServer, type ClientAuth, ClientSecretPost } from "oauth4webapi";
import type { Clock } from "../../shared/clock.ts";
import type { OidcProviderConfig } from "../config/config.ts";
import { unixNow } from "../db/time.ts";
import { failure } from "../errors.ts";
import { parseEmail } from "../mail/email-address.ts";
import { toAuthorizationUrl } from "./authorization-url.ts";
import { accessTokenMatches, findIdTokenFault } from "./id-token.ts";
import { createMetadata, type Metadata } from "./metadata.ts";
import { toAvatarUrl, toDisplayName } from "./profile.ts";
import type { CallbackInput, LoginProvider, ProviderDeps, VerifiedIdentity } from "./provider.ts";
import { toSigninError } from "./provider-errors.ts";
import { createProviderFetch, type ProviderFetch } from "./provider-fetch.ts";
import { createSigningKeys, type SigningKeys } from "./signing-keys.ts";

const SCOPE = "openid email profile";

/** The OpenID Connect provider (Sign-in §4, provider validation 1). */
export function createOidcProvider(deps: ProviderDeps, config: OidcProviderConfig): LoginProvider {
  const { clock } = deps;
  const { kind, slug, issuer, acceptsIssuerChange, clientId } = config;
  const fetchProvider = createProviderFetch(deps.fetch);
  const parts: Parts = {
    config,
    clock,
    fetchProvider,
    metadata: createMetadata(clock, fetchProvider, issuer),
    signingKeys: createSigningKeys(clock, fetchProvider),
    redirectUri: `${deps.config.baseUrl}/auth/${slug}/callback`,
  };
  return {
    kind,
    slug,
    issuer,
    acceptsIssuerChange,
    async authorizationUrl(input) {
      const metadata = await parts.metadata.get();
      const { authorization_endpoint: endpoint = "" } = metadata;
      const { redirectUri } = parts;
      const url = await toAuthorizationUrl(
        { endpoint, clientId, redirectUri, scope: SCOPE },
        input,
      );
      url.searchParams.set("nonce", input.nonce);
      if (input.asksAccount && takesSelectAccount(metadata)) {
        url.searchParams.set("prompt", "select_account");
      }
      return url.href;
    },
    exchange: (input) => exchange(parts, input),
  };
}

// It lists no prompts, and supports this one.
const GOOGLE = "https://accounts.google.com";

/** A provider refuses a request with an unknown prompt, so only those that support it get it. */
function takesSelectAccount({
  issuer,
  prompt_values_supported: listed,
}: oauth.AuthorizationServer) {
  if (listed === undefined) return issuer === GOOGLE;
  return Array.isArray(listed) && listed.includes("select_account");
}

interface Parts {
  config: OidcProviderConfig;
  clock: Clock;
  fetchProvider: ProviderFetch;
  metadata: Metadata;
  signingKeys: SigningKeys;
  redirectUri: string;
}

/** One exchange, with the arguments of oauth4webapi's functions. */
interface Exchange extends Parts {
  as: oauth.AuthorizationServer;
  client: oauth.Client;
  options: {
    [oauth.customFetch]: ProviderFetch;
    [oauth.allowInsecureRequests]: boolean;
  };
}

async function exchange(parts: Parts, input: CallbackInput): Promise<VerifiedIdentity> {
  const { config } = parts;
  const as = await parts.metadata.get();
  const client: oauth.Client = {
    client_id: config.clientId,
    // Without it, the provider's metadata decide the allowed algorithms, `none` included.
    id_token_signed_response_alg: "RS256",
    // findIdTokenFault checks the times.
    [oauth.clockTolerance]: Number.MAX_SAFE_INTEGER,
  };
  const options = {
    [oauth.customFetch]: parts.fetchProvider,
    // parseConfig allows such an issuer in development and tests only.
    [oauth.allowInsecureRequests]: config.issuer.startsWith("http:"),
  };
  try {
    return await redeem({ ...parts, as, client, options }, input);
  } catch (error) {
    const { clientId, clientSecret } = config;
    const { codeVerifier, parameters } = input;
    const code = parameters.get("code") ?? "";
    const pair = toBasicPair(clientId, clientSecret);
    throw toSigninError(error, [pair, clientSecret, code, codeVerifier]);
  }
}

async function redeem(
  open: Exchange,
  { parameters, state, nonce, codeVerifier }: CallbackInput,
): Promise<VerifiedIdentity> {
  const { as, client, config, options } = open;
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    chooseClientAuth(config, as),
    oauth.validateAuthResponse(as, client, parameters, state),
    open.redirectUri,
    codeVerifier,
    options,
  );
  const answer = await oauth.processAuthorizationCodeResponse(as, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  const claims = oauth.getValidatedIdTokenClaims(answer);
  if (!claims) throw failure("identity_rejected", "no ID token");
  const fault = findIdTokenFault(claims, { clientId: config.clientId, now: unixNow(open.clock) });
  if (fault) throw failure("identity_rejected", fault);
  await verifySignature(open, answer.id_token ?? "");
  if (!(await accessTokenMatches(claims, answer.access_token))) {
    throw failure("identity_rejected", "at_hash is of another access token");
  }
  return toIdentity(claims.sub, await withEmail(open, claims, answer.access_token));
}

/** oauth4webapi does not verify the signature in the code flow; the contract requires it. */
async function verifySignature({ as, signingKeys }: Exchange, token: string): Promise<void> {
  const keys = await signingKeys.find(as.jwks_uri ?? "", decodeProtectedHeader(token).kid);
  await compactVerify(token, createLocalJWKSet({ keys }), { algorithms: ["RS256"] });
}

type Claims = Readonly<Record<string, unknown>>;

/** The address may be at UserInfo only. `_claim_sources` are never followed. */
async function withEmail(
  { as, client, options }: Exchange,
  claims: oauth.IDToken,
  accessToken: string,
): Promise<Claims> {
  if (claims.email !== undefined || as.userinfo_endpoint === undefined) return claims;
  const response = await oauth.userInfoRequest(as, client, accessToken, options);
  const info = await oauth.processUserInfoResponse(as, client, claims.sub, response);
  return { ...info, name: claims.name ?? info.name, picture: claims.picture ?? info.picture };
}

function toIdentity(subject: string, claims: Claims): VerifiedIdentity {
  // Apple and Cognito send the text. Any other value means unverified.
  const isVerified = claims.email_verified === true || claims.email_verified === "true";
  return {
    subject,
    email: isVerified ? parseEmail(claims.email) : undefined,
    displayName: toDisplayName(claims.name),
    avatarUrl: toAvatarUrl(claims.picture),
  };
}

/**
 * The client authentication of the token endpoint: as configured, else `client_secret_basic`, which is the default of
 * OpenID Connect Discovery 3, unless the metadata list other methods only.
 * @internal for tests
 */
export function chooseClientAuth(
  { clientSecret, tokenAuth }: Pick<OidcProviderConfig, "clientSecret" | "tokenAuth">,
  { token_endpoint_auth_methods_supported: listed }: AuthorizationServer,
): ClientAuth {
  const isPost = Array.isArray(listed) && !listed.includes("client_secret_basic");
  const method = tokenAuth ?? (isPost ? "post" : "basic");
  return method === "post" ? ClientSecretPost(clientSecret) : clientSecretBasic(clientSecret);
}

/**
 * `client_secret_basic` (RFC 6749 §2.3.1). The library's own also encodes `-`, `.`, `_` and `*`, which form encoding does
 * not: servers that do not decode the pair refuse that.
 */
function clientSecretBasic(clientSecret: string): ClientAuth {
  return (_server, client, _body, headers) => {
    headers.set("authorization", `Basic ${toBasicPair(client.client_id, clientSecret)}`);
  };
}

/** The credentials of the `Basic` header. */
function toBasicPair(clientId: string, clientSecret: string): string {
  return btoa(`${formEncode(clientId)}:${formEncode(clientSecret)}`);
}

function formEncode(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice("v=".length);
}
