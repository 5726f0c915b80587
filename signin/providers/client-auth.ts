import { type AuthorizationServer, type ClientAuth, ClientSecretPost } from "oauth4webapi";
import type { OidcProviderConfig } from "../config/config.ts";

/**
 * How this client authenticates at the token endpoint: as configured, else `client_secret_basic`, which is the default of
 * OpenID Connect Discovery 3, unless the metadata list other methods only.
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
 * `client_secret_basic` (RFC 6749 §2.3.1). As the library's own, but `-`, `.`, `_` and `*` stay as they are, which form
 * encoding leaves alone: servers that do not decode the pair understand it, too.
 */
export function clientSecretBasic(clientSecret: string): ClientAuth {
  return (_server, client, _body, headers) => {
    headers.set("authorization", `Basic ${toBasicPair(client.client_id, clientSecret)}`);
  };
}

/** What follows `Basic` in the header. */
export function toBasicPair(clientId: string, clientSecret: string): string {
  return btoa(`${formEncode(clientId)}:${formEncode(clientSecret)}`);
}

function formEncode(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice("v=".length);
}
