import { ok } from "../../shared/http/responses.ts";
import { get } from "../../shared/http/route.ts";
import { PUBLIC_DOCUMENTS, PUBLIC_HEADERS } from "../http/public-documents.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { toKeySet, toServerMetadata } from "./public-documents.ts";
import { KeySet, ServerMetadata } from "./well-known-wire.ts";

/** `GET /.well-known/jwks.json`, `GET /.well-known/oauth-authorization-server`. */
export function wellKnownRoutes() {
  return createRouter("sessions", [
    get(PUBLIC_DOCUMENTS.keySet, {
      operationId: "listPublishedKeys",
      summary: "List the public keys of access tokens",
      description:
        "The newest first. Empty under HS256. Any origin may read it, and caches keep it for ten minutes.",
      security: [],
      responses: { ...ok(KeySet, "A JSON Web Key Set") },
      handler: async (c) => c.json(await toKeySet(scopeOf(c)), 200, PUBLIC_HEADERS),
    }),
    get(PUBLIC_DOCUMENTS.metadata, {
      operationId: "getServerMetadata",
      summary: "Get the metadata of this authorization server (RFC 8414)",
      description: "`jwks_uri` is there under EdDSA alone. Any origin may read it.",
      security: [],
      responses: { ...ok(ServerMetadata) },
      handler: (c) => c.json(toServerMetadata(scopeOf(c)), 200, PUBLIC_HEADERS),
    }),
  ]);
}
