import type { OpenAPIHono } from "@hono/zod-openapi";
import type { SigninConfig } from "../config.ts";
import { VERSION } from "../version.ts";

/** Adds `GET /openapi.json`. The document is made when first asked for: it costs more than the rest of a start. */
export function addDocument(api: OpenAPIHono, { baseUrl }: Pick<SigninConfig, "baseUrl">): void {
  api.openAPIRegistry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The `access_token` of a token answer.",
  });
  let document: object | undefined;
  api.get("/openapi.json", () => {
    document ??= describe(api, baseUrl);
    return Response.json(document);
  });
}

/** The document of the server at `baseUrl`. */
export function describe(api: OpenAPIHono, baseUrl: string): object {
  return api.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Roundhouse sign-in server",
      version: VERSION,
      description:
        "Sign-in through an OpenID Connect and an OAuth 2.0 provider, native sign-in with PKCE, e-mail and password, " +
        "sessions, and connections to providers with API keys.",
    },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
  });
}
