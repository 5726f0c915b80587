import { z } from "@hono/zod-openapi";
import { accepted, body, errors, jsonText, ok } from "../../shared/http/responses.ts";
import { get, post } from "../../shared/http/route.ts";
import { readList } from "../db/list.ts";
import type { EngineDeps } from "../deps.ts";
import { notFound } from "../errors.ts";
import { API_PREFIX } from "../http/pipeline.ts";
import { createRouter } from "../http/router.ts";
import { uuidParam } from "../http/wire.ts";
import type { ActiveTurns } from "./active-turns.ts";
import { findTurnJson, turnsOf } from "./store.ts";
import { StartThreadTurn, StartTurn, ThreadTurnsQuery, Turn, TurnsQuery } from "./wire.ts";

/** Turns over HTTP, and the records of all turns; additive. */
export function turnRoutes(deps: Pick<EngineDeps, "db" | "timers">, turns: ActiveTurns) {
  const getTurnJson = async (uuid: string): Promise<string> => {
    const turn = await findTurnJson(deps.db, uuid);
    if (turn === undefined) throw notFound("Turn");
    return turn;
  };
  return createRouter({ details: true, tag: "turns" }, [
    post("/threads/{uuid}/turns", {
      operationId: "startThreadTurn",
      summary: "Start a turn in a thread",
      description:
        "The response is sent once the user message is stored; the turn continues in the background. While another turn of the thread is active it is 409, and `details` has that turn's uuid. With `replaces` the turn runs in a fork, whatever the thread does: without `content` the question is asked again, with `content` it is edited. Attachments are kept unless the body names some; `attachments: []` drops them.",
      request: { params: uuidParam("the thread"), ...body(StartThreadTurn) },
      responses: { ...accepted(Turn), ...errors(400, 404, 409, 429, 503) },
      handler: async (c) => {
        const input = { ...c.req.valid("json"), thread_uuid: c.req.valid("param").uuid };
        return c.json(...toAccepted(await turns.start(input)));
      },
    }),
    post("/workspaces/{uuid}/turns", {
      operationId: "startWorkspaceTurn",
      summary: "Start a turn in a new thread",
      description: "The title of the thread comes from the text, as with `chat.send`.",
      request: { params: uuidParam("the workspace"), ...body(StartTurn) },
      responses: { ...accepted(Turn), ...errors(400, 404, 429, 503) },
      handler: async (c) => {
        const input = { ...c.req.valid("json"), workspace_uuid: c.req.valid("param").uuid };
        return c.json(...toAccepted(await turns.start(input)));
      },
    }),
    get("/turns", {
      operationId: "listTurns",
      summary: "List turns, newest first",
      description: "Turns of all threads, or of `threadUuid`.",
      request: { query: TurnsQuery },
      responses: { ...ok(z.array(Turn)), ...errors(400) },
      handler: async (c) => {
        return jsonText<Turn[]>(await readList(deps, turnsOf(c.req.valid("query"))));
      },
    }),
    get("/turns/{uuid}", {
      operationId: "getTurn",
      summary: "Get a turn",
      description:
        "While it runs or waits, `partialText` is null: its text so far is in its events. A turn of a deleted thread is 404.",
      request: { params: uuidParam("the turn") },
      responses: { ...ok(Turn), ...errors(404) },
      handler: async (c) => jsonText<Turn>(await getTurnJson(c.req.valid("param").uuid)),
    }),
    get("/threads/{uuid}/turns", {
      operationId: "listThreadTurns",
      summary: "List the turns of a thread, newest first",
      description: "The list of an unknown thread is empty.",
      request: { params: uuidParam("the thread"), query: ThreadTurnsQuery },
      responses: { ...ok(z.array(Turn)), ...errors(400) },
      handler: async (c) => {
        const threadUuid = c.req.valid("param").uuid;
        const filter = { ...c.req.valid("query"), threadUuid };
        return jsonText<Turn[]>(await readList(deps, turnsOf(filter)));
      },
    }),
    post("/turns/{uuid}/cancel", {
      operationId: "cancelTurn",
      summary: "Cancel a turn",
      description: "The response is sent once the turn has ended.",
      request: { params: uuidParam("the turn") },
      responses: { ...accepted(Turn), ...errors(404, 409) },
      handler: async (c) => {
        const { uuid } = c.req.valid("param");
        await getTurnJson(uuid);
        return c.json(...toAccepted(await turns.cancel(uuid)));
      },
    }),
  ]);
}

function toAccepted(turn: Turn) {
  return [turn, 202, { Location: `${API_PREFIX}/turns/${turn.uuid}` }] as const;
}
