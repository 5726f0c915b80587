import { createRoute, z } from "@hono/zod-openapi";
import { ok } from "../../shared/http/responses.ts";
import { createRouter } from "../http/router.ts";
import { VERSION } from "../version.ts";

/** Engine §2, core objects. */
const Health = z.object({ status: z.literal("ok"), version: z.string() }).openapi("Health");

/** The answer of the placeholder endpoint. */
const AguiPlaceholder = z.object({ message: z.string() }).openapi("AguiPlaceholder");

const getHealth = createRoute({
  method: "get",
  path: "/health",
  summary: "Whether the engine answers; the only public operation",
  security: [],
  responses: { ...ok(Health) },
});

const postAgui = createRoute({
  method: "post",
  path: "/agui",
  summary: "A placeholder; do not integrate. The body is ignored",
  responses: { ...ok(AguiPlaceholder) },
});

/** `GET /health` and `POST /agui` (Engine §4, system). */
export function systemRoutes() {
  return createRouter({ details: true })
    .openapi(getHealth, (c) => c.json({ status: "ok" as const, version: VERSION }, 200))
    .openapi(postAgui, (c) =>
      c.json({ message: "AG-UI is not served here. Use the WebSocket at /events." }, 200),
    );
}
