import { createRoute } from "@hono/zod-openapi";
import { ok } from "../../shared/http/responses.ts";
import { PUBLIC_DOCUMENTS, PUBLIC_HEADERS } from "../http/public-documents.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { toKeySet, toServerMetadata } from "./public-documents.ts";
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
    .openapi(getKeySet, async (c) => c.json(await toKeySet(scopeOf(c)), 200, PUBLIC_HEADERS))
    .openapi(getMetadata, (c) => c.json(toServerMetadata(scopeOf(c)), 200, PUBLIC_HEADERS));
}
