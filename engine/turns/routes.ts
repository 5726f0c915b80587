import { createRoute, z } from "@hono/zod-openapi";
import { errors, jsonText, ok } from "../../shared/http/responses.ts";
import { readList } from "../db/list.ts";
import type { EngineDeps } from "../deps.ts";
import { notFound } from "../errors.ts";
import { createRouter } from "../http/router.ts";
import { UuidParam } from "../http/wire.ts";
import type { ActiveTurns } from "./active-turns.ts";
import { findTurnJson, turnsOf } from "./store.ts";
import { ThreadTurnsQuery, Turn, TurnsQuery } from "./wire.ts";

const getTurns = createRoute({
  method: "get",
  path: "/turns",
  request: { query: TurnsQuery },
  responses: { ...ok(z.array(Turn)), ...errors(400) },
});

const getTurn = createRoute({
  method: "get",
  path: "/turns/{uuid}",
  request: { params: UuidParam },
  responses: { ...ok(Turn), ...errors(404) },
});

const getThreadTurns = createRoute({
  method: "get",
  path: "/threads/{uuid}/turns",
  request: { params: UuidParam, query: ThreadTurnsQuery },
  responses: { ...ok(z.array(Turn)), ...errors(400) },
});

/** The records of turns; additive. */
export function turnRoutes(deps: Pick<EngineDeps, "db" | "timers">, turns: ActiveTurns) {
  return createRouter({ details: true })
    .openapi(getTurns, async (c) => {
      const filter = { ...c.req.valid("query"), waiting: turns.waiting };
      return jsonText<Turn[]>(await readList(deps, turnsOf(filter)));
    })
    .openapi(getTurn, async (c) => {
      const turn = await findTurnJson(deps.db, c.req.valid("param").uuid, turns.waiting);
      if (turn === undefined) throw notFound("Turn");
      return jsonText<Turn>(turn);
    })
    .openapi(getThreadTurns, async (c) => {
      const threadUuid = c.req.valid("param").uuid;
      const filter = { ...c.req.valid("query"), threadUuid, waiting: turns.waiting };
      return jsonText<Turn[]>(await readList(deps, turnsOf(filter)));
    });
}
