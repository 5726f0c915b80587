import { type AuthorizationServer, type ClientAuth, ClientSecretPost } from "oauth4webapi";
import type { LoginProviderConfig } from "../config/provider-config.ts";

/**
 * The client authentication of the token endpoint: as configured, else `client_secret_basic`, which is the default of
 * OpenID Connect Discovery 3, unless the metadata list other methods only.
 */
export function chooseClientAuth(
  { clientSecret, tokenAuth }: Pick<LoginProviderConfig, "clientSecret" | "tokenAuth">,
  { token_endpoint_auth_methods_supported: listed }: Partial<AuthorizationServer>,
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
export function toBasicPair(clientId: string, clientSecret: string): string {
  return btoa(`${formEncode(clientId)}:${formEncode(clientSecret)}`);
}

function formEncode(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice("v=".length);
}
