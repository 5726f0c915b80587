import { z } from "@hono/zod-openapi";
import { body, errors, ok } from "../../shared/http/responses.ts";
import { toDecision } from "../chat/journal.ts";
import type { EngineDeps } from "../deps.ts";
import { orNotFound, tooMany } from "../errors.ts";
import {
  eventStream,
  eventStreamResponse,
  resumeIdOf,
  resumeRequest,
} from "../http/event-stream.ts";
import { get, post } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import { uuidParam } from "../http/wire.ts";
import { findMessageContent } from "../messages/store.ts";
import type { ActiveTurns } from "./active-turns.ts";
import { findTurnJson } from "./store.ts";
import { endedTurnEvents } from "./turn-events.ts";
import { Approval, DecideApproval, type Turn } from "./wire.ts";

/** The events and approvals of turns; additive. */
export function turnEventRoutes({ db }: Pick<EngineDeps, "db">, turns: ActiveTurns) {
  return createRouter({ details: true, tag: "turns" }, [
    get("/turns/{uuid}/events", {
      operationId: "streamTurnEvents",
      summary: "Stream the events of a turn, from its beginning or after an id",
      description:
        "The first event is `snapshot` where earlier events are lost; the last one is `end`. Between them are graph events by their type, `reasoning`, `tool`, `approval` and `retry`. A comment is sent every 15 s.",
      request: { params: uuidParam("the turn"), ...resumeRequest },
      responses: { ...eventStream("TurnEvent"), ...errors(404, 429) },
      handler: async ({ uuid, ...resume }) => {
        // Before the record is read: without events, the record is that of an ended turn.
        const events = turns.findEvents(uuid);
        const turn = orNotFound(await findTurnJson(db, uuid), "Turn");
        if (!events) return eventStreamResponse(await storedEvents(db, JSON.parse(turn)));
        const stream = events.open(resumeIdOf(resume));
        if (!stream)
          throw tooMany("Too many clients read this turn. Close a stream and try again.");
        return eventStreamResponse(stream);
      },
    }),
    get("/approvals", {
      operationId: "listApprovals",
      summary: "List the approvals that turns over HTTP wait for",
      description:
        "The oldest first. Arguments over 64 KiB are cut; `GET /approvals/{uuid}` has them whole. Approvals of turns over the WebSocket are sent to their client only.",
      responses: ok(z.array(Approval)),
      handler: () => turns.approvals.list(),
    }),
    get("/approvals/{uuid}", {
      operationId: "getApproval",
      summary: "Get an approval that waits, with all its arguments",
      description: "An approval that is settled is 404.",
      request: { params: uuidParam("the approval") },
      responses: { ...ok(Approval), ...errors(404) },
      handler: ({ uuid }) => turns.approvals.get(uuid),
    }),
    post("/approvals/{uuid}", {
      operationId: "decideApproval",
      summary: "Approve or deny a tool call",
      description:
        "The first decision counts; further ones are 409. If `remember` is not possible, it is 400 and the approval waits on: `details` say why.",
      request: { params: uuidParam("the approval"), ...body(DecideApproval) },
      responses: { ...ok(Approval), ...errors(400, 404, 409) },
      handler: async ({ uuid, body: { decision, remember } }) =>
        turns.approvals.decide(uuid, toDecision(decision), remember),
    }),
  ]);
}

/** The events of a turn whose own are not kept any more. */
async function storedEvents(db: EngineDeps["db"], turn: Turn): Promise<ReadableStream<Uint8Array>> {
  const { assistantMessageUuid, partialText } = turn;
  const answer = assistantMessageUuid && (await findMessageContent(db, assistantMessageUuid));
  return endedTurnEvents(turn, answer || partialText || "");
}
