import { z } from "@hono/zod-openapi";

/** `GET /.well-known/jwks.json` (RFC 7517). Empty under HS256, whose key is a secret. */
export const KeySet = z
  .object({
    keys: z.array(
      z.object({
        kty: z.literal("OKP"),
        crv: z.literal("Ed25519"),
        x: z.string(),
        kid: z.string(),
        alg: z.literal("EdDSA"),
        use: z.literal("sig"),
      }),
    ),
  })
  .openapi("KeySet");
export type KeySet = z.infer<typeof KeySet>;

/** `GET /.well-known/oauth-authorization-server` (RFC 8414): what is true of this server. */
export const ServerMetadata = z
  .object({
    issuer: z.string(),
    jwks_uri: z.string().optional(),
    token_endpoint: z.string(),
    response_types_supported: z.array(z.string()),
    code_challenge_methods_supported: z.array(z.literal("S256")),
    service_documentation: z.string(),
  })
  .openapi("ServerMetadata");
