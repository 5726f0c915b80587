import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `tokens/`. */
export const tokenTexts: SliceTexts = {
  tag: "sessions",
  about: "Sessions and their tokens.",
  operations: {
    "POST /auth/refresh": {
      id: "refreshSession",
      summary: "Exchange a refresh token for its successor",
      about:
        "Browsers send the cookie, others the body. By cookie, the successor is in the cookie alone.",
    },
    "POST /auth/logout": {
      id: "logoutSession",
      summary: "End this session, the others, or all",
      about: "By bearer, or by cookie from an allowed origin.",
    },
    "GET /.well-known/jwks.json": {
      id: "listPublishedKeys",
      summary: "List the public keys of access tokens",
      about:
        "The newest first. Empty under HS256. Any origin may read it, and caches keep it for ten minutes.",
    },
    "GET /.well-known/oauth-authorization-server": {
      id: "getServerMetadata",
      summary: "Get the metadata of this authorization server (RFC 8414)",
      about: "`jwks_uri` is there under EdDSA alone. Any origin may read it.",
    },
  },
};
