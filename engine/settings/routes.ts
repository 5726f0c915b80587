import { createRoute, z } from "@hono/zod-openapi";
import { body, errors, jsonText, ok } from "../../shared/http/responses.ts";
import { readList } from "../db/list.ts";
import type { EngineDeps } from "../deps.ts";
import { createRouter } from "../http/router.ts";
import { settingsLike, upsertSettings } from "./store.ts";
import { PutSettings, Setting, SettingFilters } from "./wire.ts";

const getSettings = createRoute({
  method: "get",
  path: "/settings",
  request: { query: SettingFilters },
  responses: { ...ok(z.array(Setting)), ...errors(400) },
});

const putSettings = createRoute({
  method: "put",
  path: "/settings",
  request: { ...body(PutSettings) },
  responses: { ...ok(z.array(Setting)), ...errors(400) },
});

/** Settings (Engine §4). */
export function settingRoutes(deps: Pick<EngineDeps, "db" | "timers">) {
  return createRouter({ details: false, nulAllowed: true })
    .openapi(getSettings, async (c) =>
      jsonText<Setting[]>(await readList(deps, settingsLike(c.req.valid("query")))),
    )
    .openapi(putSettings, async (c) => {
      const items = c.req.valid("json");
      await upsertSettings(deps.db, items);
      return c.json(items, 200);
    });
}
