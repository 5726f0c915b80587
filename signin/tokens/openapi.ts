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
        "Browsers send the cookie, other clients the body. A refresh by cookie returns the successor in the cookie only.",
    },
    "POST /auth/logout": {
      id: "logoutSession",
      summary: "End this session, the others, or all",
      about: "Authorized by the bearer, or by the cookie from an allowed origin.",
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
  schemas: {
    KeySet: {
      about: "A JSON Web Key Set (RFC 7517).",
      fields: {
        keys: "The public keys, newest first.",
        "keys.kty": "The type of the key (RFC 8037).",
        "keys.crv": "The curve of the key.",
        "keys.x": "The public key, in base64url.",
        "keys.kid": "The id of the key, as the header of a token names it.",
        "keys.alg": "The algorithm of the signatures.",
        "keys.use": "The use of the key: signatures.",
      },
    },
    ServerMetadata: {
      about: "The metadata of an authorization server (RFC 8414).",
      fields: {
        issuer: "The address of this server, as tokens have it in `iss`.",
        jwks_uri: "The address of the public keys; absent under HS256.",
        token_endpoint: "The address of `POST /auth/native/token`.",
        response_types_supported: "The response types of OAuth that are served.",
        code_challenge_methods_supported: "The PKCE methods that are served.",
        service_documentation: "The address of the documentation; by default of this document.",
      },
    },
    AccountUser: {
      about: "A user.",
      fields: {
        id: "The id of the user.",
        email: "The verified e-mail address.",
        display_name: "The name to show; null where there is none.",
        avatar_url: "The address of a picture; null where there is none.",
        connected_providers: "The slugs of the connected providers.",
      },
    },
    TokenAnswer: {
      about: "The tokens of a session, and its user.",
      fields: {
        access_token: "The bearer token of requests: a JWT.",
        token_type: "Always `Bearer`.",
        expires_in: "For how many seconds the access token is valid.",
        refresh_token: "The token for `POST /auth/refresh`; each is used once.",
        refresh_expires_in: "For how many seconds the refresh token is valid.",
        user: "The user.",
      },
    },
    AccessAnswer: {
      about: "The access token of a refresh by cookie, and the user.",
      like: "TokenAnswer",
    },
    Refresh: {
      about: "A refresh token, where it is not in the cookie.",
      fields: {
        refresh_token: "The refresh token; left out by browsers.",
      },
    },
    Logout: {
      about: "Which sessions to end.",
      fields: {
        scope: "`local` this session, `others` all others, `global` all; by default `local`.",
      },
    },
  },
};
