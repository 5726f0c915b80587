import { z } from "@hono/zod-openapi";

/** `GET /.well-known/jwks.json` (RFC 7517). Empty under HS256, whose key is a secret. */
export const KeySet = z
  .object({
    keys: z
      .array(
        z.object({
          kty: z.literal("OKP").describe("The type of the key (RFC 8037)."),
          crv: z.literal("Ed25519").describe("The curve of the key."),
          x: z.string().describe("The public key, in base64url."),
          kid: z.string().describe("The id of the key, as the header of a token names it."),
          alg: z.literal("EdDSA").describe("The algorithm of the signatures."),
          use: z.literal("sig").describe("The use of the key: signatures."),
        }),
      )
      .describe("The public keys, newest first."),
  })
  .openapi("KeySet", { description: "A JSON Web Key Set (RFC 7517)." });
export type KeySet = z.infer<typeof KeySet>;

/** `GET /.well-known/oauth-authorization-server` (RFC 8414): what is true of this server. */
export const ServerMetadata = z
  .object({
    issuer: z.string().describe("The address of this server, as tokens have it in `iss`."),
    jwks_uri: z.string().optional().describe("The address of the public keys; absent under HS256."),
    token_endpoint: z.string().describe("The address of `POST /auth/native/token`."),
    response_types_supported: z
      .array(z.string())
      .describe("The response types of OAuth that are served."),
    code_challenge_methods_supported: z
      .array(z.literal("S256"))
      .describe("The PKCE methods that are served."),
    service_documentation: z
      .string()
      .describe("The address of the documentation; by default of this document."),
  })
  .openapi("ServerMetadata", {
    description: "The metadata of an authorization server (RFC 8414).",
  });
