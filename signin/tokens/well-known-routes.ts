import { ok } from "../../shared/http/responses.ts";
import { get } from "../../shared/http/route.ts";
import type { Scope } from "../deps.ts";
import { KEY_SET_PATH, METADATA_PATH } from "../http/origins.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { PUBLIC_DOCUMENT_LIFETIME_SEC } from "../public-limits.ts";
import { KeySet, ServerMetadata } from "./well-known-wire.ts";

const PUBLIC_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Cache-Control": `public, max-age=${PUBLIC_DOCUMENT_LIFETIME_SEC}`,
};

/** `GET /.well-known/jwks.json`, `GET /.well-known/oauth-authorization-server`. */
export function wellKnownRoutes() {
  return createRouter("sessions", [
    get(KEY_SET_PATH, {
      operationId: "listPublishedKeys",
      summary: "List the public keys of access tokens",
      description:
        "The newest first. Empty under HS256. Any origin may read it, and caches keep it for ten minutes.",
      security: [],
      responses: { ...ok(KeySet, "A JSON Web Key Set") },
      handler: async (c) => {
        const signing = await scopeOf(c).keyring.signingKeys();
        const keys = signing.flatMap(({ published }) => published ?? []);
        return c.json({ keys }, 200, PUBLIC_HEADERS);
      },
    }),
    get(METADATA_PATH, {
      operationId: "getServerMetadata",
      summary: "Get the metadata of this authorization server (RFC 8414)",
      description: "`jwks_uri` is there under EdDSA alone. Any origin may read it.",
      security: [],
      responses: { ...ok(ServerMetadata) },
      handler: (c) => c.json(toServerMetadata(scopeOf(c)), 200, PUBLIC_HEADERS),
    }),
  ]);
}

function toServerMetadata({ config }: Pick<Scope, "config">) {
  const { baseUrl, docsUrl, signingAlgorithm } = config;
  return {
    issuer: baseUrl,
    ...(signingAlgorithm === "EdDSA" ? { jwks_uri: baseUrl + KEY_SET_PATH } : {}),
    token_endpoint: `${baseUrl}/auth/native/token`,
    // Required; no endpoint answers a `response_type`.
    response_types_supported: [],
    code_challenge_methods_supported: ["S256" as const],
    service_documentation: docsUrl ?? `${baseUrl}/openapi.json`,
  };
}
