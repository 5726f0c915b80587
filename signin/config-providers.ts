import { withoutTrailing } from "../shared/without-trailing.ts";
import type { Complain, Variables } from "./config.ts";
import { parseProviderUrl } from "./config-addresses.ts";
import { providerCredentials } from "./config-secrets.ts";

/** What both kinds of login providers are configured with. */
export interface ProviderConfig {
  slug: string;
  clientId: string;
  clientSecret: string;
  /** Whose subjects these are. An identity keeps it. */
  issuer: string;
  /** Whether identities of another issuer are taken over. */
  acceptsIssuerChange: boolean;
}

export interface OidcProviderConfig extends ProviderConfig {
  /** Undefined where the provider's metadata decide. */
  tokenAuth: "basic" | "post" | undefined;
}

export interface OAuthProviderConfig extends ProviderConfig {
  authorizeUrl: string;
  tokenUrl: string;
  apiUrl: string;
}

/** `OIDC_PROVIDER_*`; undefined where it is not configured. */
export function parseOidc(
  variables: Variables,
  slug: string,
  strict: boolean,
  complain: Complain,
): OidcProviderConfig | undefined {
  const given = parseProviderUrl(variables, "OIDC_PROVIDER_ISSUER", strict, complain);
  const issuer = toIssuer(given ?? "https://accounts.google.com");
  const tokenAuth = optional(variables, "OIDC_PROVIDER_TOKEN_AUTH", ["basic", "post"], complain);
  const acceptsIssuerChange = parseIssuerChange(variables, "OIDC", complain);
  const credentials = providerCredentials(variables, "OIDC", complain);
  return credentials && { slug, issuer, acceptsIssuerChange, tokenAuth, ...credentials };
}

/** One spelling for one issuer: discovery takes a host in any case, and with or without a slash behind it. */
function toIssuer(given: string): string {
  const url = URL.parse(given);
  if (!url) return given;
  return url.href === `${url.origin}/` ? url.origin : url.href;
}

/** `OAUTH_PROVIDER_*`; undefined where it is not configured. The API's origin names its people. */
export function parseOauth(
  variables: Variables,
  slug: string,
  strict: boolean,
  complain: Complain,
): OAuthProviderConfig | undefined {
  const url = (name: string, other: string) =>
    parseProviderUrl(variables, `OAUTH_PROVIDER_${name}_URL`, strict, complain) ?? other;
  const addresses = {
    authorizeUrl: url("AUTHORIZE", "https://github.com/login/oauth/authorize"),
    tokenUrl: url("TOKEN", "https://github.com/login/oauth/access_token"),
    apiUrl: withoutTrailing(url("API", "https://api.github.com"), "/"),
  };
  const issuer = URL.parse(addresses.apiUrl)?.origin ?? "";
  const acceptsIssuerChange = parseIssuerChange(variables, "OAUTH", complain);
  const credentials = providerCredentials(variables, "OAUTH", complain);
  return credentials && { slug, issuer, acceptsIssuerChange, ...addresses, ...credentials };
}

function parseIssuerChange(
  variables: Variables,
  prefix: "OIDC" | "OAUTH",
  complain: Complain,
): boolean {
  const name = `${prefix}_PROVIDER_ISSUER_CHANGED`;
  return optional(variables, name, ["accept"], complain) !== undefined;
}

function optional<const Value extends string>(
  variables: Variables,
  name: string,
  values: readonly Value[],
  complain: Complain,
): Value | undefined {
  const given = variables[name];
  const known = values.find((value) => value === given);
  if (given !== undefined && known === undefined) {
    complain(name, `must be ${values.join(" or ")}, or not set.`);
  }
  return known;
}
