import * as oauth from "oauth4webapi";
import { isJsonObject, parseJson } from "../../shared/json.ts";
import type { OAuthProviderConfig } from "../config/provider-config.ts";
import { failure } from "../errors.ts";
import { toAuthorizationUrl } from "./authorization-url.ts";
import { chooseClientAuth, toBasicPair } from "./client-auth.ts";
import { readProfile } from "./oauth-profiles.ts";
import {
  type CallbackInput,
  type LoginProvider,
  nameOf,
  type ProviderDeps,
  type VerifiedIdentity,
} from "./provider.ts";
import { refusalWords, toSigninError } from "./provider-errors.ts";
import { createProviderFetch, type ProviderFetch, type ProviderRequest } from "./provider-fetch.ts";

/** An OAuth 2.0 provider (Sign-in §4, provider validation 2). */
export function createOauthProvider(
  deps: ProviderDeps,
  config: OAuthProviderConfig,
): LoginProvider {
  const { clientId, scope, authorizeUrl: endpoint } = config;
  const redirectUri = `${deps.config.baseUrl}/auth/${config.slug}/callback`;
  const parts: Parts = { config, redirectUri, fetchProvider: createProviderFetch(deps.fetch) };
  return {
    ...nameOf(config),
    postsCallback: false,
    async authorizationUrl(input) {
      const url = await toAuthorizationUrl({ endpoint, clientId, redirectUri, scope }, input);
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
  return readProfile({ ...parts, accessToken: await redeem(parts, input) });
}

/** Values that are sent to the provider, and that its errors must not put into the log. */
function secretsOf({ config }: Parts, { parameters, codeVerifier }: CallbackInput): string[] {
  const { clientId, clientSecret } = config;
  return [
    toBasicPair(clientId, clientSecret),
    clientSecret,
    parameters.get("code") ?? "",
    codeVerifier,
  ];
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
    chooseClientAuth({ ...config, tokenAuth: config.tokenAuth ?? "post" }, as),
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
