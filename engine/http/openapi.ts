import type { OpenAPIHono } from "@hono/zod-openapi";
import { VERSION } from "../version.ts";

/** Adds `GET <prefix>/openapi.json`. The document is made when first asked for: it costs more than the rest of a start. */
export function addDocument(api: OpenAPIHono, prefix: string): void {
  api.openAPIRegistry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    description: "The `token` of `runtime.json` in the engine's data directory.",
  });
  let document: object | undefined;
  api.get(`${prefix}/openapi.json`, () => {
    document ??= describe(api);
    return Response.json(document);
  });
}

function describe(api: OpenAPIHono): object {
  return api.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Roundhouse engine",
      version: VERSION,
      description:
        "The local engine: workspaces, threads, messages, files, settings, models, tools and retrieval. " +
        "Realtime is at `GET /stream` and `WS /events`; the frames have a JSON Schema of their own.",
    },
    servers: [{ url: "http://127.0.0.1:7717" }],
    security: [{ bearer: [] }],
  });
}
