import type { OpenAPIHono } from "@hono/zod-openapi";
import type { SigninConfig } from "../config/config.ts";
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

function describe(api: OpenAPIHono, baseUrl: string): object {
  const document = api.getOpenAPI31Document({
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
  // What both programs share knows the first two fields only.
  const schemas = { ...document.components?.schemas, Error: ERROR_SCHEMA };
  return { ...document, components: { ...document.components, schemas } };
}

const ERROR_SCHEMA = {
  type: "object",
  properties: {
    error: { type: "string", description: "A sentence for a person." },
    code: { type: "string", description: "A stable name for programs, such as `invalid_code`." },
    details: {
      type: "string",
      description: "The field and the rule, where a request is not valid.",
    },
    request_id: { type: "string", description: "Also in `X-Request-Id`, and in the log." },
  },
  required: ["error", "code", "request_id"],
};
