import { createRoute } from "@hono/zod-openapi";
import { ok } from "../../shared/http/responses.ts";
import type { SigninConfig } from "../config/config.ts";
import { PUBLIC_DOCUMENTS, PUBLIC_HEADERS } from "../http/public-documents.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { KeySet, ServerMetadata } from "./well-known-wire.ts";

const getKeySet = createRoute({
  method: "get",
  path: PUBLIC_DOCUMENTS.keySet,
  security: [],
  responses: { ...ok(KeySet, "A JSON Web Key Set") },
});

const getMetadata = createRoute({
  method: "get",
  path: PUBLIC_DOCUMENTS.metadata,
  security: [],
  responses: { ...ok(ServerMetadata) },
});

/** `GET /.well-known/jwks.json`, `GET /.well-known/oauth-authorization-server`. */
export function wellKnownRoutes() {
  return createRouter()
    .openapi(getKeySet, async (c) => {
      const signing = await scopeOf(c).keyring.signingKeys();
      const keys = signing.flatMap(({ published }) => published ?? []);
      return c.json({ keys }, 200, PUBLIC_HEADERS);
    })
    .openapi(getMetadata, (c) => c.json(toMetadata(scopeOf(c).config), 200, PUBLIC_HEADERS));
}

function toMetadata({ baseUrl, docsUrl, signingAlgorithm }: SigninConfig) {
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
