import { z } from "@hono/zod-openapi";
import { body, errors, jsonText, ok } from "../../shared/http/responses.ts";
import { SentContext, TurnSource } from "../chat/sent-wire.ts";
import { readList } from "../db/list.ts";
import type { EngineDeps } from "../deps.ts";
import { orNotFound } from "../errors.ts";
import { get, post } from "../http/route.ts";
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
  TurnReasoning,
  TurnsQuery,
} from "./wire.ts";

/** Turns over HTTP, and the records of all turns; additive. */
export function turnRoutes(deps: Pick<EngineDeps, "db" | "timers">, turns: ActiveTurns) {
  const { db } = deps;
  const getTurnJson = async (uuid: string) => orNotFound(await findTurnJson(db, uuid), "Turn");
  const getDetails = async (uuid: string) => orNotFound(await findTurnDetails(db, uuid), "Turn");
  const location = ({ uuid }: Turn) => `/turns/${uuid}`;
  return createRouter({ details: true, tag: "turns" }, [
    post("/threads/{uuid}/turns", {
      operationId: "startThreadTurn",
      summary: "Start a turn in a thread",
      description:
        "The response is sent once the user message is stored; the turn continues in the background. While another turn of the thread is active it is 409, and `details` has that turn's uuid. With `replaces` the turn runs in a fork, whatever the thread does: without `content` the question is asked again, with `content` it is edited. Attachments are kept unless the body names some; `attachments: []` drops them.",
      request: { params: uuidParam("the thread"), ...body(StartThreadTurn) },
      responses: { ...accepted(Turn), ...errors(400, 404, 409, 429, 503) },
      location,
      handler: ({ uuid, body }) => turns.start({ ...body, thread_uuid: uuid }),
    }),
    post("/workspaces/{uuid}/turns", {
      operationId: "startWorkspaceTurn",
      summary: "Start a turn in a new thread",
      description: "The title of the thread comes from the text, as with `chat.send`.",
      request: { params: uuidParam("the workspace"), ...body(StartTurn) },
      responses: { ...accepted(Turn), ...errors(400, 404, 429, 503) },
      location,
      handler: ({ uuid, body }) => turns.start({ ...body, workspace_uuid: uuid }),
    }),
    get("/turns", {
      operationId: "listTurns",
      summary: "List turns, newest first",
      description: "Turns of all threads, or of `threadUuid`.",
      request: { query: TurnsQuery },
      responses: { ...ok(z.array(Turn)), ...errors(400) },
      handler: async (query) => jsonText(await readList(deps, turnsOf(query))),
    }),
    get("/turns/{uuid}", {
      operationId: "getTurn",
      summary: "Get a turn",
      description:
        "While it runs or waits, `partialText` is null: its text so far is in its events. A turn of a deleted thread is 404.",
      request: { params: uuidParam("the turn") },
      responses: { ...ok(Turn), ...errors(404) },
      handler: async ({ uuid }) => jsonText(await getTurnJson(uuid)),
    }),
    get("/threads/{uuid}/turns", {
      operationId: "listThreadTurns",
      summary: "List the turns of a thread, newest first",
      description: "The list of an unknown thread is empty.",
      request: { params: uuidParam("the thread"), query: ThreadTurnsQuery },
      responses: { ...ok(z.array(DetailedTurn)), ...errors(400) },
      handler: async ({ uuid: threadUuid, ...filter }) =>
        jsonText(await readList(deps, turnsOf({ ...filter, threadUuid }))),
    }),
    get("/turns/{uuid}/context", {
      operationId: "getTurnContext",
      summary: "Get what a turn sent to its model",
      description:
        "The parts of its last request, and what had no room in any. A turn that sent no request is 404.",
      request: { params: uuidParam("the turn") },
      responses: { ...ok(SentContext), ...errors(404) },
      handler: async ({ uuid }) =>
        orNotFound((await getDetails(uuid)).context ?? undefined, "Context"),
    }),
    get("/turns/{uuid}/sources", {
      operationId: "listTurnSources",
      summary: "List the passages of files that a turn sent to its model",
      description: "Exactly those that stood in its requests, each once, in their order.",
      request: { params: uuidParam("the turn") },
      responses: { ...ok(z.array(TurnSource)), ...errors(404) },
      handler: async ({ uuid }) => (await getDetails(uuid)).sources ?? [],
    }),
    get("/turns/{uuid}/reasoning", {
      operationId: "getTurnReasoning",
      summary: "Get what the model of a turn thought",
      description:
        "The first 64 KiB of the text, as far as its provider shows it. It is in no message, and no later turn gets it.",
      request: { params: uuidParam("the turn") },
      responses: { ...ok(TurnReasoning), ...errors(404) },
      handler: async ({ uuid }) => (await getDetails(uuid)).reasoning ?? { text: "" },
    }),
    post("/turns/{uuid}/cancel", {
      operationId: "cancelTurn",
      summary: "Cancel a turn",
      description: "The response is sent once the turn has ended.",
      request: { params: uuidParam("the turn") },
      responses: { ...accepted(Turn), ...errors(404, 409) },
      location,
      handler: async ({ uuid }) => {
        await getTurnJson(uuid);
        return turns.cancel(uuid);
      },
    }),
  ]);
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
      handler: ({ groupBy, ...range }) =>
        sumUsage(db, { groupBy, ...toUsageRange(range, clock.now()) }),
    }),
  ]);
}
