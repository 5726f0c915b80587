import { compactVerify, createLocalJWKSet, decodeProtectedHeader, type JWK } from "jose";
import * as oauth from "oauth4webapi";
import type { Clock } from "../../shared/clock.ts";
import { parseJson } from "../../shared/json.ts";
import type { OidcProviderConfig } from "../config/provider-config.ts";
import { unixNow } from "../db/time.ts";
import { failure } from "../errors.ts";
import { parseEmail } from "../mail/email-address.ts";
import { createClientSecret, readUserName } from "./apple.ts";
import { toAuthorizationUrl } from "./authorization-url.ts";
import { chooseClientAuth, toBasicPair } from "./client-auth.ts";
import { accessTokenMatches, findIdTokenFault } from "./id-token.ts";
import { createMetadata, type Metadata } from "./metadata.ts";
import { readTenant, signsFor } from "./microsoft.ts";
import { toAvatarUrl, toDisplayName } from "./profile.ts";
import {
  type CallbackInput,
  type LoginProvider,
  nameOf,
  type ProviderDeps,
  type VerifiedIdentity,
} from "./provider.ts";
import { toSigninError } from "./provider-errors.ts";
import { createProviderFetch, type ProviderFetch } from "./provider-fetch.ts";
import { createSigningKeys, type SigningKeys } from "./signing-keys.ts";

/** An OpenID Connect provider (Sign-in §4, provider validation 1). */
export function createOidcProvider(deps: ProviderDeps, config: OidcProviderConfig): LoginProvider {
  const { clock } = deps;
  const { clientId, scope } = config;
  const fetchProvider = createProviderFetch(deps.fetch);
  const parts: Parts = {
    config,
    clock,
    fetchProvider,
    metadata: createMetadata(clock, fetchProvider, config),
    signingKeys: createSigningKeys(clock, fetchProvider),
    redirectUri: `${deps.config.baseUrl}/auth/${config.slug}/callback`,
  };
  return {
    ...nameOf(config),
    postsCallback: config.appleKey !== undefined,
    async authorizationUrl(input) {
      const metadata = await parts.metadata.get();
      const { authorization_endpoint: endpoint = "" } = metadata;
      const { redirectUri } = parts;
      const url = await toAuthorizationUrl({ endpoint, clientId, redirectUri, scope }, input);
      url.searchParams.set("nonce", input.nonce);
      // Apple's condition for the scopes of name and address.
      if (config.appleKey) url.searchParams.set("response_mode", "form_post");
      if (input.asksAccount && takesSelectAccount(config, metadata)) {
        url.searchParams.set("prompt", "select_account");
      }
      return url.href;
    },
    exchange: (input) => exchange(parts, input),
  };
}

// They list no prompts, and support this one.
const GOOGLE = "https://accounts.google.com";
const ASKING: readonly unknown[] = ["google", "microsoft"];

/** A provider refuses a request with an unknown prompt, so only those that support it get it. */
function takesSelectAccount(
  { preset }: OidcProviderConfig,
  { issuer, prompt_values_supported: listed }: oauth.AuthorizationServer,
) {
  if (listed === undefined) return issuer === GOOGLE || ASKING.includes(preset);
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
  clientSecret: string;
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
    [oauth.allowInsecureRequests]: config.metadataIssuer.startsWith("http:"),
  };
  const clientSecret = await toClientSecret(parts);
  try {
    return await redeem({ ...parts, as, clientSecret, client, options }, input);
  } catch (error) {
    const { clientId } = config;
    const { codeVerifier, parameters } = input;
    const code = parameters.get("code") ?? "";
    const pair = toBasicPair(clientId, clientSecret);
    throw toSigninError(error, [pair, clientSecret, code, codeVerifier]);
  }
}

async function toClientSecret({ config, clock }: Parts): Promise<string> {
  const { appleKey, clientId, clientSecret, issuer } = config;
  return appleKey ? createClientSecret(appleKey, { clock, clientId, issuer }) : clientSecret;
}

async function redeem(
  open: Exchange,
  { parameters, state, nonce, codeVerifier }: CallbackInput,
): Promise<VerifiedIdentity> {
  const { as: published, client, config, options } = open;
  const response = await oauth.authorizationCodeGrantRequest(
    published,
    client,
    chooseClientAuth({ ...config, clientSecret: open.clientSecret }, published),
    oauth.validateAuthResponse(published, client, parameters, state),
    open.redirectUri,
    codeVerifier,
    options,
  );
  const tenant = config.preset === "microsoft" && (await readOwnTenant(open, response));
  const as = tenant ? { ...published, issuer: tenant.issuer } : published;
  const answer = await oauth.processAuthorizationCodeResponse(as, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  const claims = oauth.getValidatedIdTokenClaims(answer);
  if (!claims) throw failure("identity_rejected", "no ID token");
  const fault = findIdTokenFault(claims, { clientId: config.clientId, now: unixNow(open.clock) });
  if (fault) throw failure("identity_rejected", fault);
  await verifySignature(open, answer.id_token ?? "", (key) => !tenant || signsFor(key, tenant));
  if (!(await accessTokenMatches(claims, answer.access_token))) {
    throw failure("identity_rejected", "at_hash is of another access token");
  }
  const profile = await withUserInfo(open, claims, answer.access_token);
  const identity = toIdentity(config, claims.sub, profile);
  if (tenant) return { ...identity, subject: `${tenant.tenant.toLowerCase()}.${claims.sub}` };
  if (!config.appleKey) return identity;
  return { ...identity, displayName: readUserName(parameters.get("user")) };
}

/** The response stays readable. */
async function readOwnTenant({ config, as }: Exchange, response: Response) {
  // What is no JSON object gets its refusal from oauth4webapi.
  const answer = Object(parseJson(await response.clone().text()));
  return readTenant(config, as, answer.id_token);
}

/** oauth4webapi does not verify the signature in the code flow; the contract requires it. */
async function verifySignature(
  { as, signingKeys }: Exchange,
  token: string,
  maySign: (key: JWK) => boolean,
): Promise<void> {
  const found = await signingKeys.find(as.jwks_uri ?? "", decodeProtectedHeader(token).kid);
  const keys = found.filter(maySign);
  await compactVerify(token, createLocalJWKSet({ keys }), { algorithms: ["RS256"] });
}

type Claims = Readonly<Record<string, unknown>>;

/**
 * The address may be at UserInfo only, and GitLab's name is. Address and `email_verified` are of one answer. `_claim_sources` are
 * never followed. Microsoft's address counts for nothing, so it is not asked for.
 */
async function withUserInfo(
  { as, client, options, config: { preset } }: Exchange,
  claims: oauth.IDToken,
  accessToken: string,
): Promise<Claims> {
  const hasAll = claims.email !== undefined ? preset !== "gitlab" : preset === "microsoft";
  if (hasAll || as.userinfo_endpoint === undefined) return claims;
  const response = await oauth.userInfoRequest(as, client, accessToken, options);
  const info = await oauth.processUserInfoResponse(as, client, claims.sub, response);
  const { email, email_verified } = claims.email === undefined ? info : claims;
  const { name = info.name, picture = info.picture } = claims;
  return { email, email_verified, name, picture };
}

function toIdentity(
  { addresses }: OidcProviderConfig,
  subject: string,
  claims: Claims,
): VerifiedIdentity {
  // Apple and Cognito send the text. Any other value means unverified.
  const isVerified = claims.email_verified === true || claims.email_verified === "true";
  return {
    subject,
    email: isVerified && addresses !== "unproven" ? parseEmail(claims.email) : undefined,
    claimedEmail: parseEmail(claims.email ?? claims.preferred_username)?.email,
    displayName: toDisplayName(claims.name),
    avatarUrl: toAvatarUrl(claims.picture),
  };
}
