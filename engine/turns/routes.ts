import { createRoute, z } from "@hono/zod-openapi";
import { accepted, body, errors, jsonText, ok } from "../../shared/http/responses.ts";
import { readList } from "../db/list.ts";
import type { EngineDeps } from "../deps.ts";
import { notFound } from "../errors.ts";
import { API_PREFIX } from "../http/front.ts";
import { createRouter } from "../http/router.ts";
import { UuidParam } from "../http/wire.ts";
import type { ActiveTurns } from "./active-turns.ts";
import { findTurnJson, turnsOf } from "./store.ts";
import { StartTurn, ThreadTurnsQuery, Turn, TurnsQuery } from "./wire.ts";

const postThreadTurn = createRoute({
  method: "post",
  path: "/threads/{uuid}/turns",
  request: { params: UuidParam, ...body(StartTurn) },
  responses: { ...accepted(Turn), ...errors(400, 404, 409, 429, 503) },
});

const postWorkspaceTurn = createRoute({
  method: "post",
  path: "/workspaces/{uuid}/turns",
  request: { params: UuidParam, ...body(StartTurn) },
  responses: { ...accepted(Turn), ...errors(400, 404, 429, 503) },
});

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

const cancelTurn = createRoute({
  method: "post",
  path: "/turns/{uuid}/cancel",
  request: { params: UuidParam },
  responses: { ...accepted(Turn), ...errors(404, 409) },
});

/** Turns over HTTP, and the records of all turns; additive. */
export function turnRoutes(deps: Pick<EngineDeps, "db" | "timers">, turns: ActiveTurns) {
  const getTurnJson = async (uuid: string): Promise<string> => {
    const turn = await findTurnJson(deps.db, turns, uuid);
    if (turn === undefined) throw notFound("Turn");
    return turn;
  };
  return createRouter({ details: true })
    .openapi(postThreadTurn, async (c) => {
      const input = { ...c.req.valid("json"), thread_uuid: c.req.valid("param").uuid };
      return c.json(...toAccepted(await turns.start(input)));
    })
    .openapi(postWorkspaceTurn, async (c) => {
      const input = { ...c.req.valid("json"), workspace_uuid: c.req.valid("param").uuid };
      return c.json(...toAccepted(await turns.start(input)));
    })
    .openapi(getTurns, async (c) => {
      return jsonText<Turn[]>(await readList(deps, turnsOf(turns, c.req.valid("query"))));
    })
    .openapi(getTurn, async (c) => jsonText<Turn>(await getTurnJson(c.req.valid("param").uuid)))
    .openapi(getThreadTurns, async (c) => {
      const threadUuid = c.req.valid("param").uuid;
      const filter = { ...c.req.valid("query"), threadUuid };
      return jsonText<Turn[]>(await readList(deps, turnsOf(turns, filter)));
    })
    .openapi(cancelTurn, async (c) => {
      const { uuid } = c.req.valid("param");
      await getTurnJson(uuid);
      return c.json(...toAccepted(await turns.cancel(uuid)));
    });
}

function toAccepted(turn: Turn) {
  return [turn, 202, { Location: `${API_PREFIX}/turns/${turn.uuid}` }] as const;
}
