import { createRoute, z } from "@hono/zod-openapi";
import { body, errors, jsonText, ok } from "../../shared/http/responses.ts";
import { readList } from "../db/list.ts";
import type { EngineDeps } from "../deps.ts";
import { createRouter } from "../http/router.ts";
import { CHANGED_KEY_CHARACTERS_MAX, CHANGED_KEYS_MAX } from "../limits.ts";
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
export function settingRoutes(deps: Pick<EngineDeps, "db" | "timers" | "changes">) {
  return createRouter({ details: false })
    .openapi(getSettings, async (c) =>
      jsonText<Setting[]>(await readList(deps, settingsLike(c.req.valid("query")))),
    )
    .openapi(putSettings, async (c) => {
      const items = c.req.valid("json");
      await upsertSettings(deps.db, items);
      deps.changes.publish({ type: "settings.updated", data: { keys: namedKeys(items) } });
      return c.json(items, 200);
    });
}

/** Each key once; null where they are too many or too long for an event. */
function namedKeys(items: readonly Setting[]): string[] | null {
  const keys = [...new Set(items.map(({ key }) => key))];
  const isShort = keys.every(({ length }) => length <= CHANGED_KEY_CHARACTERS_MAX);
  return isShort && keys.length <= CHANGED_KEYS_MAX ? keys : null;
}
