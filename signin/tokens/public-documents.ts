import type { Scope } from "../deps.ts";
import { PUBLIC_DOCUMENTS } from "../http/public-documents.ts";

/** `GET /.well-known/jwks.json`. */
export async function toKeySet({ keyring }: Pick<Scope, "keyring">) {
  const signing = await keyring.signingKeys();
  return { keys: signing.flatMap(({ published }) => published ?? []) };
}

/** `GET /.well-known/oauth-authorization-server`. */
export function toServerMetadata({ config }: Pick<Scope, "config">) {
  const { baseUrl, docsUrl, signingAlgorithm } = config;
  const keySet = { jwks_uri: baseUrl + PUBLIC_DOCUMENTS.keySet };
  return {
    issuer: baseUrl,
    ...(signingAlgorithm === "EdDSA" ? keySet : {}),
    token_endpoint: `${baseUrl}/auth/native/token`,
    // Required; no endpoint answers a `response_type`.
    response_types_supported: [],
    code_challenge_methods_supported: ["S256" as const],
    service_documentation: docsUrl ?? `${baseUrl}/openapi.json`,
  };
}
