import { errors, noContent, ok } from "../../shared/http/responses.ts";
import type { ChatDeps } from "../chat/ports.ts";
import { deleteSummary, findSummary } from "../chat/summary-store.ts";
import { orNotFound } from "../errors.ts";
import { ignoredBody } from "../http/ignored-body.ts";
import { get, post, remove } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import { credentialStoreResponse, UuidParam, uuidParam } from "../http/wire.ts";
import { findThreadAndWorkspace } from "../threads/store.ts";
import { Thread, type ThreadInWorkspace, toThread } from "../threads/wire.ts";
import type { ActiveTurns } from "./active-turns.ts";
import { compactThread, toThreadSummary } from "./compact.ts";
import { titleThread } from "./title-thread.ts";
import { ThreadSummary } from "./wire.ts";

/** The summaries of long threads; additive. */
export function summaryRoutes(deps: ChatDeps, turns: ActiveTurns) {
  const getPlace = async (uuid: string) =>
    orNotFound(await findThreadAndWorkspace(deps.db, uuid), "Thread");
  const publish = ({ uuid, workspaceUuid }: ThreadInWorkspace) => {
    const data = { threadUuid: uuid, workspaceUuid, changed: ["summary"] };
    deps.changes.publish({ type: "thread.updated", data });
  };
  return createRouter({ details: true, tag: "threads" }, [
    get("/threads/{uuid}/summary", {
      operationId: "getThreadSummary",
      summary: "Get the summary of the oldest messages of a thread",
      description:
        "Models get it in the place of these messages. 404 where they get the whole thread.",
      request: { params: uuidParam("the thread") },
      responses: { ...ok(ThreadSummary), ...errors(404) },
      handler: async ({ uuid }) => {
        const { thread } = await getPlace(uuid);
        const stored = await findSummary(deps.db, thread.id);
        return toThreadSummary(deps, thread, stored);
      },
    }),
    remove("/threads/{uuid}/summary", {
      operationId: "deleteThreadSummary",
      summary: "Give models the whole thread again",
      description: "Messages never change: the next turn sends them, as far as they fit.",
      request: { params: uuidParam("the thread") },
      responses: { ...noContent, ...errors(404) },
      handler: async ({ uuid }) => {
        const { thread } = await getPlace(uuid);
        if (await deleteSummary(deps.db, thread.id)) publish(thread);
      },
    }),
    post("/threads/{uuid}/compact", {
      operationId: "compactThread",
      summary: "Summarize all of a thread but its two newest exchanges",
      description:
        "By the model of the thread; its tokens count in the usage. While a turn of the thread or another compaction runs it is 409. A client that disconnects cancels it.",
      request: { params: uuidParam("the thread"), ...ignoredBody },
      responses: { ...ok(ThreadSummary), ...errors(400, 404, 409, 502, 503) },
      handler: async ({ uuid }, c) => {
        await getPlace(uuid);
        using _held = await turns.holdThread(uuid);
        const place = await getPlace(uuid);
        const summary = await compactThread(deps, place, c.req.raw.signal);
        publish(place.thread);
        return summary;
      },
    }),
  ]);
}

/** Titles by a model; additive. */
export function titleRoutes(deps: ChatDeps) {
  return createRouter({ details: true, tag: "threads" }, [
    post("/threads/{uuid}/title", {
      operationId: "createThreadTitle",
      summary: "Have the model of a thread give it a title",
      description:
        "One small request to the model: one line of at most six words. A title that a person gave is 409, also one that is given meanwhile.",
      request: { params: UuidParam },
      responses: {
        ...ok(Thread),
        ...errors(400, 404, 409, 502),
        ...credentialStoreResponse,
      },
      handler: async ({ uuid }, c) => toThread(await titleThread(deps, uuid, c.req.raw.signal)),
    }),
  ]);
}
