import type { ClientAuth } from "oauth4webapi";

/**
 * `client_secret_basic` (RFC 6749 §2.3.1). As the library's own, but `-`, `.`, `_` and `*` stay as they are, which form
 * encoding leaves alone: servers that do not decode the pair understand it, too.
 */
export function clientSecretBasic(clientSecret: string): ClientAuth {
  return (_server, client, _body, headers) => {
    const pair = `${formEncode(client.client_id)}:${formEncode(clientSecret)}`;
    headers.set("authorization", `Basic ${btoa(pair)}`);
  };
}

function formEncode(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice("v=".length);
}
