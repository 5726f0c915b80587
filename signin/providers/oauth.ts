import * as oauth from "oauth4webapi";
import { isJsonObject, parseJson } from "../../shared/json.ts";
import type { OAuthProviderConfig } from "../config/config.ts";
import { failure } from "../errors.ts";
import { EMAIL_PAGES_MAX } from "../limits.ts";
import { toAuthorizationUrl } from "./authorization-url.ts";
import { toAvatarUrl, toDisplayName } from "./profile.ts";
import type { CallbackInput, LoginProvider, ProviderDeps, VerifiedIdentity } from "./provider.ts";
import { refusalWords, toSigninError } from "./provider-errors.ts";
import { createProviderFetch, type ProviderFetch, type ProviderRequest } from "./provider-fetch.ts";
import { chooseVerifiedEmail } from "./verified-email.ts";

const SCOPE = "read:user user:email";
const EMAILS_PER_PAGE = 100;

/** The OAuth 2.0 provider (Sign-in §4, provider validation 2), with GitHub's API. */
export function createOauthProvider(
  deps: ProviderDeps,
  config: OAuthProviderConfig,
): LoginProvider {
  const { kind, slug, issuer, acceptsIssuerChange, clientId, authorizeUrl: endpoint } = config;
  const redirectUri = `${deps.config.baseUrl}/auth/${slug}/callback`;
  const parts: Parts = { config, redirectUri, fetchProvider: createProviderFetch(deps.fetch) };
  return {
    kind,
    slug,
    issuer,
    acceptsIssuerChange,
    async authorizationUrl(input) {
      const url = await toAuthorizationUrl(
        { endpoint, clientId, redirectUri, scope: SCOPE },
        input,
      );
      return url.href;
    },
    exchange: (input) =>
      exchange(parts, input).catch((error: unknown) => {
        throw toSigninError(error, secretsOf(parts, input));
      }),
  };
}

interface Parts {
  config: OAuthProviderConfig;
  redirectUri: string;
  fetchProvider: ProviderFetch;
}

async function exchange(parts: Parts, input: CallbackInput): Promise<VerifiedIdentity> {
  const accessToken = await redeem(parts, input);
  const { json: profile } = await getJson(parts, "/user", accessToken);
  const { id, name, login, avatar_url: avatar } = toRecord(profile);
  // The number is permanent. A login name can be released and taken by another user.
  if (!Number.isSafeInteger(id) || Number(id) <= 0)
    throw failure("identity_rejected", "id is no number");
  const email = chooseVerifiedEmail(await listEmails(parts, accessToken));
  if (email === undefined) throw failure("email_unverified");
  return {
    subject: String(id),
    email,
    displayName: toDisplayName(name) ?? toDisplayName(login),
    avatarUrl: toAvatarUrl(avatar),
  };
}

/** Values that are sent to the provider, and that its errors must not put into the log. */
function secretsOf({ config }: Parts, { parameters, codeVerifier }: CallbackInput): string[] {
  return [config.clientSecret, parameters.get("code") ?? "", codeVerifier];
}

async function redeem(parts: Parts, input: CallbackInput): Promise<string> {
  const { config, redirectUri, fetchProvider } = parts;
  const { parameters, state, codeVerifier } = input;
  const client: oauth.Client = { client_id: config.clientId };
  // The provider publishes no metadata. oauth4webapi needs these two fields.
  const as = { issuer: new URL(config.authorizeUrl).origin, token_endpoint: config.tokenUrl };
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    oauth.ClientSecretPost(config.clientSecret),
    oauth.validateAuthResponse(as, client, withoutOwnIssuer(parameters, as.issuer), state),
    redirectUri,
    codeVerifier,
    {
      [oauth.customFetch]: readRefusals(fetchProvider, secretsOf(parts, input)),
      // parseConfig allows such an address in development and tests only.
      [oauth.allowInsecureRequests]: config.tokenUrl.startsWith("http:"),
      headers: { accept: "application/json" },
    },
  );
  const answer = await oauth.processAuthorizationCodeResponse(as, client, response);
  return answer.access_token;
}

/**
 * Without metadata, the exact `iss` of the provider (RFC 9207) is not known: one of its own origin is accepted, and the library
 * refuses any other. State and callback address already identify the provider.
 */
function withoutOwnIssuer(parameters: URLSearchParams, origin: string): URLSearchParams {
  const rest = new URLSearchParams(parameters);
  const issuers = rest.getAll("iss");
  if (issuers.length === 1 && URL.parse(issuers[0] ?? "")?.origin === origin) rest.delete("iss");
  return rest;
}

/** Reads every page: the primary address may be on any of them. The URLs are made here, not taken from the response. */
async function listEmails(parts: Parts, accessToken: string): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let page = 1; page <= EMAIL_PAGES_MAX; page += 1) {
    const path = `/user/emails?per_page=${EMAILS_PER_PAGE}&page=${page}`;
    const { json, hasNext } = await getJson(parts, path, accessToken);
    if (!Array.isArray(json)) throw failure("provider_error", "the e-mail endpoint gave no list");
    all.push(...json);
    if (!hasNext) break;
  }
  return all;
}

async function getJson({ config, fetchProvider }: Parts, path: string, accessToken: string) {
  const headers = { accept: "application/json", authorization: `Bearer ${accessToken}` };
  const response = await fetchProvider(config.apiUrl + path, { headers });
  // The user removed the scopes, or an organization refuses them.
  if (response.status === 403 || response.status === 404) throw failure("email_unverified");
  const json = parseJson(await response.text());
  if (response.status !== 200 || json === undefined) {
    throw failure("provider_error", `${path} has status ${response.status}`);
  }
  return { json, hasNext: /\brel="?next"?/.test(response.headers.get("link") ?? "") };
}

/** GitHub answers a refused code with 200 and `{error}`, and some requests in form encoding. */
function readRefusals(fetchProvider: ProviderFetch, secrets: readonly string[]) {
  return async (url: string, request?: ProviderRequest): Promise<Response> => {
    const response = await fetchProvider(url, request);
    const text = await response.text();
    const isForm = (response.headers.get("content-type") ?? "").includes("form-urlencoded");
    const answer = isForm ? Object.fromEntries(new URLSearchParams(text)) : parseJson(text);
    if (answer === undefined) throw failure("provider_error", "the token endpoint sent no JSON");
    const refusal = toRecord(answer);
    const { error } = refusal;
    if (response.status === 200 && typeof error === "string") {
      const reason = `the token endpoint refused: ${refusalWords(refusal, secrets)}`;
      throw isBadCode(error)
        ? failure("identity_rejected", reason)
        : failure("provider_error", reason);
    }
    return Response.json(answer, { status: response.status });
  };
}

function isBadCode(error: string): boolean {
  return error === "bad_verification_code" || error === "invalid_grant";
}

function toRecord(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {};
}
