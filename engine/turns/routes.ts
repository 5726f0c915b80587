import { z } from "@hono/zod-openapi";
import { body, errors, jsonText, ok } from "../../shared/http/responses.ts";
import { get, post } from "../../shared/http/route.ts";
import { SentContext, TurnSource } from "../chat/sent-wire.ts";
import { readList } from "../db/list.ts";
import type { EngineDeps } from "../deps.ts";
import { notFound, orNotFound } from "../errors.ts";
import { API_PREFIX } from "../http/pipeline.ts";
import { createRouter } from "../http/router.ts";
import { accepted, uuidParam } from "../http/wire.ts";
import type { ActiveTurns } from "./active-turns.ts";
import { findTurnDetails, findTurnJson, turnsOf } from "./store.ts";
import { sumUsage } from "./usage-store.ts";
import { toUsageRange, Usage, UsageQuery } from "./usage-wire.ts";
import {
  DetailedTurn,
  StartThreadTurn,
  StartTurn,
  ThreadTurnsQuery,
  Turn,
  type TurnDetails,
  TurnReasoning,
  TurnsQuery,
} from "./wire.ts";

/** Turns over HTTP, and the records of all turns; additive. */
export function turnRoutes(deps: Pick<EngineDeps, "db" | "timers">, turns: ActiveTurns) {
  const getTurnJson = async (uuid: string): Promise<string> => {
    const turn = orNotFound(await findTurnJson(deps.db, uuid), "Turn");
    return turn;
  };
  const getDetails = async (uuid: string): Promise<TurnDetails> => {
    const details = orNotFound(await findTurnDetails(deps.db, uuid), "Turn");
    return details;
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
      responses: { ...ok(z.array(DetailedTurn)), ...errors(400) },
      handler: async (c) => {
        const threadUuid = c.req.valid("param").uuid;
        const filter = { ...c.req.valid("query"), threadUuid };
        return jsonText<DetailedTurn[]>(await readList(deps, turnsOf(filter)));
      },
    }),
    get("/turns/{uuid}/context", {
      operationId: "getTurnContext",
      summary: "Get what a turn sent to its model",
      description:
        "The parts of its last request, and what had no room in any. A turn that sent no request is 404.",
      request: { params: uuidParam("the turn") },
      responses: { ...ok(SentContext), ...errors(404) },
      handler: async (c) => {
        const { context } = await getDetails(c.req.valid("param").uuid);
        if (!context) throw notFound("Context");
        return c.json(context, 200);
      },
    }),
    get("/turns/{uuid}/sources", {
      operationId: "listTurnSources",
      summary: "List the passages of files that a turn sent to its model",
      description: "Exactly those that stood in its requests, each once, in their order.",
      request: { params: uuidParam("the turn") },
      responses: { ...ok(z.array(TurnSource)), ...errors(404) },
      handler: async (c) => {
        const { sources } = await getDetails(c.req.valid("param").uuid);
        return c.json(sources ?? [], 200);
      },
    }),
    get("/turns/{uuid}/reasoning", {
      operationId: "getTurnReasoning",
      summary: "Get what the model of a turn thought",
      description:
        "The first 64 KiB of the text, as far as its provider shows it. It is in no message, and no later turn gets it.",
      request: { params: uuidParam("the turn") },
      responses: { ...ok(TurnReasoning), ...errors(404) },
      handler: async (c) => {
        const { reasoning } = await getDetails(c.req.valid("param").uuid);
        return c.json(reasoning ?? { text: "" }, 200);
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

/** What turns used; additive. */
export function usageRoutes({ db, clock }: Pick<EngineDeps, "db" | "clock">) {
  return createRouter({ details: true, tag: "turns" }, [
    get("/usage", {
      operationId: "getUsage",
      summary: "Sum the turns and tokens of days, models, workspaces or threads",
      description:
        "Turns count on the UTC day on which they began, also those of deleted threads. At most 1,000 groups: the newest days, or the largest of the others.",
      request: { query: UsageQuery },
      responses: { ...ok(Usage), ...errors(400) },
      handler: async (c) => {
        const { groupBy, ...range } = c.req.valid("query");
        return c.json(await sumUsage(db, { groupBy, ...toUsageRange(range, clock.now()) }), 200);
      },
    }),
  ]);
}
