import { z } from "@hono/zod-openapi";
import type { Database } from "../../shared/database.ts";
import { errors, ok } from "../../shared/http/responses.ts";
import { get } from "../../shared/http/route.ts";
import { MigrationRefused, pendingMigrations } from "../../shared/migrate.ts";
import type { SigninConfig } from "../config/config.ts";
import { migrations } from "../db/migrations.generated.ts";
import { failure } from "../errors.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { VERSION } from "../version.ts";
import { createHashCost } from "./hash-cost.ts";

/** `GET /health`: the program runs. */
const Health = z
  .object({
    status: z.literal("ok").describe("Always `ok`."),
    version: z.string().describe("The version of the program."),
  })
  .openapi("Health", { description: "The state of the program." });

/** `GET /openapi.json`: OpenAPI 3.1. */
const OpenApiDocument = z
  .record(z.string(), z.unknown())
  .openapi("OpenApiDocument", { description: "An OpenAPI 3.1 document." });

/** `GET /ready`: it can serve requests. `hash_ms` is the time of one password hash; null until it was measured. */
const Ready = z
  .object({
    status: z.literal("ready").describe("Always `ready`."),
    hash_ms: z
      .number()
      .nullable()
      .describe("The time of one password hash here, in milliseconds; null until it was measured."),
  })
  .openapi("Ready", { description: "The server can serve requests." });

/** `GET /health`, `GET /ready`, `GET /openapi.json`. */
export function operationsRoutes({ baseUrl }: Pick<SigninConfig, "baseUrl">) {
  const hashCost = createHashCost();
  return createRouter("system", [
    get("/health", {
      operationId: "getHealth",
      summary: "Check that the program runs",
      description: "It does not use the database; `GET /ready` does.",
      security: [],
      responses: { ...ok(Health) },
      handler: (c) => c.json({ status: "ok" as const, version: VERSION }, 200),
    }),
    get("/openapi.json", {
      operationId: "getDocument",
      summary: "Get this document",
      description: "An OpenAPI 3.1 document. It is the file `openapi.json` of this version.",
      security: [],
      responses: { ...ok(OpenApiDocument) },
      handler: async (c) => {
        // Evaluated at the first request: a start does not pay for it.
        const { default: document } = await import("../openapi.json", { with: { type: "json" } });
        return c.json({ ...document, servers: [{ url: baseUrl }] }, 200);
      },
    }),
    get("/ready", {
      operationId: "getReadiness",
      summary: "Check that the server can serve requests",
      description: "200 where the database responds and has the current schema, else 503.",
      security: [],
      responses: { ...ok(Ready), ...errors(503) },
      handler: async (c) => {
        const scope = scopeOf(c);
        await requireCurrentSchema(scope.db);
        return c.json({ status: "ready" as const, hash_ms: await hashCost.read(scope) }, 200);
      },
    }),
  ]);
}

/** @throws SigninError `schema_outdated`, `database_unavailable` */
async function requireCurrentSchema(db: Database): Promise<void> {
  const pending = await pendingMigrations(db.$client, migrations).catch((error: unknown) => {
    if (error instanceof MigrationRefused) throw failure("schema_outdated", error);
    throw failure("database_unavailable", error);
  });
  if (pending.length > 0) {
    throw failure("schema_outdated", `Not applied: ${pending.map(({ name }) => name).join(", ")}`);
  }
}
