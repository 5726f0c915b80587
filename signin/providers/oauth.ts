import * as oauth from "oauth4webapi";
import type { OAuthProviderConfig } from "../config.ts";
import { emailUnverified, identityRejected, providerFailed } from "../errors.ts";
import { EMAIL_PAGES_MAX } from "../limits.ts";
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
import { chooseVerifiedEmail } from "./verified-email.ts";

const SCOPE = "read:user user:email";
const EMAILS_PER_PAGE = 100;

/** The OAuth 2.0 provider (Sign-in §4, provider validation 2), with the habits of GitHub. */
export function createOauthProvider(
  deps: ProviderDeps,
  config: OAuthProviderConfig,
): LoginProvider {
  const fetchProvider = createProviderFetch(deps.fetch);
  const redirectUri = `${deps.config.baseUrl}/auth/${config.slug}/callback`;
  const client: oauth.Client = { client_id: config.clientId };
  // It publishes no metadata; this is all that oauth4webapi needs of them.
  const describe = (): oauth.AuthorizationServer => ({
    issuer: new URL(config.authorizeUrl).origin,
    token_endpoint: config.tokenUrl,
  });
  const options = {
    [oauth.customFetch]: readRefusals(fetchProvider),
    // Only development and tests can have such an address: parseConfig sees to it.
    [oauth.allowInsecureRequests]: config.tokenUrl.startsWith("http:"),
    headers: { accept: "application/json" },
  };

  async function authorizationUrl(input: AuthorizationInput): Promise<string> {
    const url = new URL(config.authorizeUrl);
    const parameters = {
      client_id: config.clientId,
      redirect_uri: redirectUri,
      response_type: "code",
      scope: SCOPE,
      state: input.state,
      code_challenge: await oauth.calculatePKCECodeChallenge(input.codeVerifier),
      code_challenge_method: "S256",
      ...(input.isLink ? { prompt: "select_account" } : {}),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  async function exchange(input: CallbackInput): Promise<VerifiedIdentity> {
    const accessToken = await redeem(input).catch((error: unknown) => {
      throw toSigninError(error);
    });
    const profile = await getJson(`${config.apiUrl}/user`, accessToken);
    const { id, name, login, avatar_url: avatar } = toRecord(await profile.json());
    // The number is the person's for ever; names can be given up and taken by somebody else.
    if (!Number.isSafeInteger(id) || Number(id) <= 0) throw identityRejected("id is no number");
    const email = chooseVerifiedEmail(await listEmails(accessToken));
    if (email === undefined) throw emailUnverified();
    return {
      subject: String(id),
      email,
      displayName: toDisplayName(name) ?? toDisplayName(login),
      avatarUrl: toAvatarUrl(avatar),
    };
  }

  async function redeem({ parameters, state, codeVerifier }: CallbackInput): Promise<string> {
    const as = describe();
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      oauth.ClientSecretPost(config.clientSecret),
      oauth.validateAuthResponse(as, client, parameters, state),
      redirectUri,
      codeVerifier,
      options,
    );
    const answer = await oauth.processAuthorizationCodeResponse(as, client, response);
    return answer.access_token;
  }

  /** Every page: the primary address may stand on any of them. The addresses of pages are ours, not the answer's. */
  async function listEmails(accessToken: string): Promise<unknown[]> {
    const all: unknown[] = [];
    for (let page = 1; page <= EMAIL_PAGES_MAX; page += 1) {
      const url = `${config.apiUrl}/user/emails?per_page=${EMAILS_PER_PAGE}&page=${page}`;
      const response = await getJson(url, accessToken);
      const list: unknown = await response.json();
      if (!Array.isArray(list)) throw providerFailed("the e-mail endpoint gave no list");
      all.push(...list);
      if (!/\brel="?next"?/.test(response.headers.get("link") ?? "")) break;
    }
    return all;
  }

  async function getJson(url: string, accessToken: string): Promise<Response> {
    const headers = { accept: "application/json", authorization: `Bearer ${accessToken}` };
    const response = await fetchProvider(url, { headers });
    if (response.status === 200 && (await isJson(response))) return response;
    // Scopes that the person took away, or an organization refuses.
    if (response.status === 403 || response.status === 404) throw emailUnverified();
    throw providerFailed(`${new URL(url).pathname} has status ${response.status}`);
  }

  return { slug: config.slug, kind: "oauth", authorizationUrl, exchange };
}

/** GitHub answers a refused code with 200 and `{error}`; and, where asked wrongly, in form encoding. */
function readRefusals(fetchProvider: ReturnType<typeof createProviderFetch>) {
  return async (url: string, request: Parameters<typeof fetchProvider>[1]) => {
    const response = await fetchProvider(url, request);
    const text = await response.text();
    const isForm = (response.headers.get("content-type") ?? "").includes("form-urlencoded");
    const answer: unknown = isForm
      ? Object.fromEntries(new URLSearchParams(text))
      : JSON.parse(text || "null");
    const { error } = toRecord(answer);
    if (response.status === 200 && typeof error === "string") {
      throw isBadCode(error) ? identityRejected("the code was refused") : providerFailed(error);
    }
    return Response.json(answer, { status: response.status });
  };
}

function isBadCode(error: string): boolean {
  return error === "bad_verification_code" || error === "invalid_grant";
}

async function isJson(response: Response): Promise<boolean> {
  const text = await response.clone().text();
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
