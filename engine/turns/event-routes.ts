import { createRoute, z } from "@hono/zod-openapi";
import { body, errors, ok } from "../../shared/http/responses.ts";
import { toDecision } from "../chat/decision.ts";
import type { EngineDeps } from "../deps.ts";
import { notFound, tooMany } from "../errors.ts";
import {
  eventStreamContent,
  eventStreamResponse,
  resumeIdOf,
  resumeRequest,
} from "../http/event-stream.ts";
import { createRouter } from "../http/router.ts";
import { UuidParam } from "../http/wire.ts";
import { findMessageContent } from "../messages/store.ts";
import type { ActiveTurns } from "./active-turns.ts";
import { findTurnJson, type LiveTurns } from "./store.ts";
import { endedTurnEvents } from "./turn-events.ts";
import { Approval, DecideApproval, type Turn } from "./wire.ts";

const getTurnEvents = createRoute({
  method: "get",
  path: "/turns/{uuid}/events",
  request: { params: UuidParam, ...resumeRequest },
  responses: { ...eventStreamContent, ...errors(404, 429) },
});

const getApprovals = createRoute({
  method: "get",
  path: "/approvals",
  responses: { ...ok(z.array(Approval)) },
});

const getApproval = createRoute({
  method: "get",
  path: "/approvals/{uuid}",
  request: { params: UuidParam },
  responses: { ...ok(Approval), ...errors(404) },
});

const postApproval = createRoute({
  method: "post",
  path: "/approvals/{uuid}",
  request: { params: UuidParam, ...body(DecideApproval) },
  responses: { ...ok(Approval), ...errors(400, 404, 409) },
});

/** What clients that follow turns read and answer; additive. */
export function turnEventRoutes({ db }: Pick<EngineDeps, "db">, turns: ActiveTurns) {
  return createRouter({ details: true })
    .openapi(getTurnEvents, async (c) => {
      const { uuid } = c.req.valid("param");
      const events = turns.findEvents(uuid);
      if (!events) return eventStreamResponse(await storedEvents(db, turns, uuid));
      const stream = events.open(resumeIdOf(c.req.valid("header"), c.req.valid("query")));
      if (!stream) throw tooMany("Too many clients read this turn. Close a stream and try again.");
      return eventStreamResponse(stream);
    })
    .openapi(getApprovals, (c) => c.json(turns.approvals.list(), 200))
    .openapi(getApproval, (c) => c.json(turns.approvals.get(c.req.valid("param").uuid), 200))
    .openapi(postApproval, (c) => {
      const { decision } = c.req.valid("json");
      return c.json(turns.approvals.decide(c.req.valid("param").uuid, toDecision(decision)), 200);
    });
}

/** The events of a turn whose own are not kept any more. */
async function storedEvents(
  db: EngineDeps["db"],
  turns: LiveTurns,
  uuid: string,
): Promise<ReadableStream<Uint8Array>> {
  const found = await findTurnJson(db, turns, uuid);
  if (found === undefined) throw notFound("Turn");
  const turn: Turn = JSON.parse(found);
  const { assistantMessageUuid, partialText } = turn;
  const answer = assistantMessageUuid && (await findMessageContent(db, assistantMessageUuid));
  return endedTurnEvents(turn, answer || partialText || "");
}
