import { z } from "@hono/zod-openapi";
import { ok } from "../../shared/http/responses.ts";
import { ignoredBody } from "../http/ignored-body.ts";
import { get, post } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import { VERSION } from "../version.ts";

/** Engine §2, core objects. */
const Health = z
  .object({
    status: z.literal("ok").describe("Always `ok`."),
    version: z.string().describe("The version of the engine."),
  })
  .openapi("Health", { description: "The state of the engine." });

/** OpenAPI 3.1. */
const OpenApiDocument = z
  .record(z.string(), z.unknown())
  .openapi("OpenApiDocument", { description: "An OpenAPI 3.1 document." });

const AguiPlaceholder = z
  .object({ message: z.string().describe("A sentence to show to the user.") })
  .openapi("AguiPlaceholder", { description: "The response of the placeholder." });

/** `GET /health` and `POST /agui` (Engine §4, system), and the document of all routes, which `npm run openapi` wrote. */
export function systemRoutes() {
  return createRouter({ details: true, tag: "system" }, [
    get("/health", {
      operationId: "getHealth",
      summary: "Get the health of the engine",
      description: "The only operation without a bearer. It does not use the database.",
      security: [],
      responses: ok(Health),
      handler: () => ({ status: "ok" as const, version: VERSION }),
    }),
    get("/openapi.json", {
      operationId: "getDocument",
      summary: "Get this document",
      description: "An OpenAPI 3.1 document. It is the file `openapi.json` of this version.",
      responses: ok(OpenApiDocument),
      handler: async () => {
        const { default: document } = await import("../openapi.json", { with: { type: "json" } });
        return document;
      },
    }),
    post("/agui", {
      operationId: "runAgui",
      summary: "Call the placeholder of AG-UI, which always responds the same",
      description: "Clients must not use it: chat runs over turns and over the WebSocket.",
      request: ignoredBody,
      responses: ok(AguiPlaceholder),
      handler: () => ({ message: "AG-UI is not served here. Use the WebSocket at /events." }),
    }),
  ]);
}
