import { z } from "@hono/zod-openapi";
import { body, errors, jsonText, ok } from "../../shared/http/responses.ts";
import { readList } from "../db/list.ts";
import type { EngineDeps } from "../deps.ts";
import { get, put } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import { CHANGED_KEY_CHARACTERS_MAX, CHANGED_KEYS_MAX } from "../limits.ts";
import { settingsLike, upsertSettings } from "./store.ts";
import { PutSettings, Setting, SettingFilters } from "./wire.ts";

/** Settings (Engine §4). */
export function settingRoutes(deps: Pick<EngineDeps, "db" | "timers" | "changes">) {
  return createRouter({ details: false, tag: "settings" }, [
    get("/settings", {
      operationId: "listSettings",
      summary: "List settings, with filters that match exactly",
      description: "A filter that is left out matches all. The order is that of the database.",
      request: { query: SettingFilters },
      responses: { ...ok(z.array(Setting)), ...errors(400) },
      handler: async (query) => jsonText(await readList(deps, settingsLike(query))),
    }),
    put("/settings", {
      operationId: "updateSettings",
      summary: "Store settings by key, tag and client",
      description:
        "Each setting replaces the one with the same key, tag and client. The response has the stored settings.",
      request: body(PutSettings),
      responses: { ...ok(z.array(Setting)), ...errors(400) },
      handler: async ({ body: items }) => {
        await upsertSettings(deps.db, items);
        deps.changes.publish({ type: "settings.updated", data: { keys: namedKeys(items) } });
        return items;
      },
    }),
  ]);
}

/** Each key once; null if they are too many or too long for an event. */
function namedKeys(items: readonly Setting[]): string[] | null {
  const keys = [...new Set(items.map(({ key }) => key))];
  const isShort = keys.every(({ length }) => length <= CHANGED_KEY_CHARACTERS_MAX);
  return isShort && keys.length <= CHANGED_KEYS_MAX ? keys : null;
}
