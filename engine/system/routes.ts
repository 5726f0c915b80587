import { createRoute, z } from "@hono/zod-openapi";
import { ok } from "../../shared/http/responses.ts";
import { createRouter } from "../http/router.ts";
import { VERSION } from "../version.ts";

/** Engine §2, core objects. */
const Health = z.object({ status: z.literal("ok"), version: z.string() }).openapi("Health");

/** OpenAPI 3.1. */
const OpenApiDocument = z.record(z.string(), z.unknown()).openapi("OpenApiDocument");

/** The answer of the placeholder endpoint. */
const AguiPlaceholder = z.object({ message: z.string() }).openapi("AguiPlaceholder");

const getHealth = createRoute({
  method: "get",
  path: "/health",
  security: [],
  responses: { ...ok(Health) },
});

const getDocument = createRoute({
  method: "get",
  path: "/openapi.json",
  responses: { ...ok(OpenApiDocument) },
});

const postAgui = createRoute({
  method: "post",
  path: "/agui",
  responses: { ...ok(AguiPlaceholder) },
});

/** `GET /health` and `POST /agui` (Engine §4, system), and the document of all routes, which `npm run openapi` wrote. */
export function systemRoutes() {
  return createRouter({ details: true })
    .openapi(getHealth, (c) => c.json({ status: "ok" as const, version: VERSION }, 200))
    .openapi(getDocument, async (c) => {
      const { default: document } = await import("../openapi.json", { with: { type: "json" } });
      return c.json(document, 200);
    })
    .openapi(postAgui, (c) =>
      c.json({ message: "AG-UI is not served here. Use the WebSocket at /events." }, 200),
    );
}
