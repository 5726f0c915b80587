import { decodeProtectedHeader } from "jose";
import * as oauth from "oauth4webapi";
import { systemClock } from "../../shared/clock.ts";
import { parseEmail } from "../accounts/email.ts";
import type { OidcProviderConfig } from "../config.ts";
import { unixNow } from "../db/time.ts";
import { identityRejected } from "../errors.ts";
import { ID_TOKEN_IAT_FUTURE_SEC } from "../limits.ts";
import { accessTokenMatches, findIdTokenFault } from "./id-token.ts";
import { createMetadata } from "./metadata.ts";
import { toAvatarUrl, toDisplayName } from "./profile.ts";
import type {
  AuthorizationInput,
  CallbackInput,
  LoginProvider,
  VerifiedIdentity,
} from "./provider.ts";
import { toSigninError } from "./provider-errors.ts";
import { createProviderFetch } from "./provider-fetch.ts";
import type { ProviderDeps } from "./registry.ts";
import { createSigningKeys } from "./signing-keys.ts";

const SCOPE = "openid email profile";

/** The OpenID Connect provider (Sign-in §4, provider validation 1). */
export function createOidcProvider(deps: ProviderDeps, config: OidcProviderConfig): LoginProvider {
  const { clock } = deps;
  const fetchProvider = createProviderFetch(deps.fetch);
  const metadata = createMetadata(clock, fetchProvider, config.issuer);
  const signingKeys = createSigningKeys(clock, fetchProvider);
  const redirectUri = `${deps.config.baseUrl}/auth/${config.slug}/callback`;
  const options = {
    [oauth.customFetch]: fetchProvider,
    // Only development and tests can have such an issuer: parseConfig sees to it.
    [oauth.allowInsecureRequests]: config.issuer.startsWith("http:"),
  };
  const createClient = (): oauth.Client => ({
    client_id: config.clientId,
    // Without it, the provider's metadata decide which algorithms are good, `none` included.
    id_token_signed_response_alg: "RS256",
    [oauth.clockSkew]: Math.round((clock.now() - systemClock.now()) / 1000),
    [oauth.clockTolerance]: ID_TOKEN_IAT_FUTURE_SEC,
  });

  async function authorizationUrl(input: AuthorizationInput): Promise<string> {
    const { authorization_endpoint: endpoint = "" } = await metadata.get();
    const url = new URL(endpoint);
    const parameters = {
      client_id: config.clientId,
      redirect_uri: redirectUri,
      response_type: "code",
      scope: SCOPE,
      state: input.state,
      nonce: input.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(input.codeVerifier),
      code_challenge_method: "S256",
      ...(input.isLink ? { prompt: "select_account" } : {}),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  async function exchange(input: CallbackInput): Promise<VerifiedIdentity> {
    const as = await metadata.get();
    try {
      return await redeem(as, createClient(), input);
    } catch (error) {
      throw toSigninError(error);
    }
  }

  async function redeem(
    as: oauth.AuthorizationServer,
    client: oauth.Client,
    { parameters, state, nonce, codeVerifier }: CallbackInput,
  ): Promise<VerifiedIdentity> {
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      oauth.ClientSecretBasic(config.clientSecret),
      oauth.validateAuthResponse(as, client, parameters, state),
      redirectUri,
      codeVerifier,
      options,
    );
    const answer = await oauth.processAuthorizationCodeResponse(as, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    const claims = oauth.getValidatedIdTokenClaims(answer);
    if (!claims) throw identityRejected("no ID token");
    const fault = findIdTokenFault(claims, { clientId: config.clientId, now: unixNow(clock) });
    if (fault) throw identityRejected(fault);
    await verifySignature(as, response, answer.id_token ?? "");
    if (!(await accessTokenMatches(claims, answer.access_token))) {
      throw identityRejected("at_hash is of another access token");
    }
    return toIdentity(claims.sub, await withEmail(as, client, claims, answer.access_token));
  }

  /** The code flow does not verify it by itself; the specification demands it. */
  async function verifySignature(as: oauth.AuthorizationServer, response: Response, token: string) {
    const keyId = decodeProtectedHeader(token).kid;
    const keys = await signingKeys.find(as.jwks_uri ?? "", keyId);
    await oauth.validateApplicationLevelSignature(as, response, {
      ...options,
      [oauth.customFetch]: async () => keys,
    });
  }

  /** A provider may tell the address to UserInfo alone. `_claim_sources` are never followed. */
  async function withEmail(
    as: oauth.AuthorizationServer,
    client: oauth.Client,
    claims: oauth.IDToken,
    accessToken: string,
  ): Promise<Claims> {
    if (claims.email !== undefined || as.userinfo_endpoint === undefined) return claims;
    const response = await oauth.userInfoRequest(as, client, accessToken, options);
    const info = await oauth.processUserInfoResponse(as, client, claims.sub, response);
    return { ...info, name: claims.name ?? info.name, picture: claims.picture ?? info.picture };
  }

  return { slug: config.slug, kind: "oidc", authorizationUrl, exchange };
}

type Claims = Readonly<Record<string, unknown>>;

function toIdentity(subject: string, claims: Claims): VerifiedIdentity {
  const verified = claims.email_verified === true ? parseEmail(claims.email) : undefined;
  return {
    subject,
    email: verified?.email,
    displayName: toDisplayName(claims.name),
    avatarUrl: toAvatarUrl(claims.picture),
  };
}
