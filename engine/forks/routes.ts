import { z } from "@hono/zod-openapi";
import { errors, jsonText, ok, optionalBody } from "../../shared/http/responses.ts";
import { readList } from "../db/list.ts";
import type { EngineDeps } from "../deps.ts";
import { EngineError, invalid, orNotFound } from "../errors.ts";
import { get, post } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import { created, uuidParam } from "../http/wire.ts";
import { findMessagePlace, findPageEnd } from "../messages/store.ts";
import { findThread } from "../threads/store.ts";
import { Thread, toThread } from "../threads/wire.ts";
import type { Forks } from "./forks.ts";
import { findOriginJson, forksOf } from "./store.ts";
import { CreateFork, Fork, ForkOrigin } from "./wire.ts";

/** Forks of threads; additive. */
export function forkRoutes(deps: Pick<EngineDeps, "db" | "timers">, forks: Forks) {
  const { db } = deps;
  return createRouter({ details: true, tag: "threads" }, [
    post("/threads/{uuid}/forks", {
      operationId: "forkThread",
      summary: "Copy a thread up to a message",
      description:
        "The messages of the copy have uuids of their own; its model, tools and policy are those of the thread. Publishes `thread.created`.",
      request: { params: uuidParam("the thread"), ...optionalBody(CreateFork) },
      responses: { ...created(Thread), ...errors(400, 404, 503) },
      location: (thread) => `/threads/${thread.uuid}`,
      handler: async ({ uuid, body: { throughMessageUuid, title } }, c) => {
        const origin = orNotFound(await findThread(db, uuid), "Thread");
        const through =
          throughMessageUuid == null
            ? (await findPageEnd(db, origin.uuid, { limit: 1 })).end
            : await findMessagePlace(db, origin.uuid, throughMessageUuid);
        if (throughMessageUuid != null && !through) {
          const details = "throughMessageUuid: is not a message of this thread";
          throw invalid("The request is not valid.", details);
        }
        const { signal } = c.req.raw;
        const forked = await forks.fork({ origin, through, title }, signal).catch((error) => {
          throw signal.aborted ? invalid("The request was cancelled.") : error;
        });
        return toThread(forked);
      },
    }),
    get("/threads/{uuid}/forks", {
      operationId: "listForks",
      summary: "List the forks of a thread, the first one first",
      description: "The list of an unknown thread is empty.",
      request: { params: uuidParam("the thread") },
      responses: { ...ok(z.array(Fork)) },
      handler: async ({ uuid }) => jsonText(await readList(deps, forksOf(uuid))),
    }),
    get("/threads/{uuid}/origin", {
      operationId: "getOrigin",
      summary: "Get the origin of a fork",
      description: "404 where the thread is no fork, or its origin was deleted.",
      request: { params: uuidParam("the fork") },
      responses: { ...ok(ForkOrigin), ...errors(404) },
      handler: async ({ uuid }) => {
        const origin = await findOriginJson(db, uuid);
        if (origin === undefined) throw new EngineError("not_found", "The thread has no origin.");
        return jsonText(origin);
      },
    }),
  ]);
}
