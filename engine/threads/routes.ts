import { z } from "@hono/zod-openapi";
import { toIsoTime } from "../../shared/clock.ts";
import { body, errors, jsonText, noContent, ok } from "../../shared/http/responses.ts";
import { readList } from "../db/list.ts";
import type { EngineDeps } from "../deps.ts";
import { notFound, orNotFound } from "../errors.ts";
import { changedFields } from "../events/change.ts";
import { nextLink } from "../http/page.ts";
import { get, post, put, remove } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import { toWire, UuidParam, uuidParam } from "../http/wire.ts";
import { ThreadPages } from "./pages.ts";
import {
  deleteThread,
  findThread,
  findThreadJson,
  insertThread,
  replaceThreadPolicy,
  threadsOf,
  updateThread,
} from "./store.ts";
import {
  CreateThread,
  ReplaceThreadPolicy,
  Thread,
  type ThreadInWorkspace,
  ThreadPolicy,
  ThreadsQuery,
  toThread,
  toThreadCreated,
  UpdateThread,
} from "./wire.ts";

type ThreadDeps = Pick<EngineDeps, "db" | "clock" | "timers" | "events" | "changes">;

/** Threads (Engine §4). */
export function threadRoutes(deps: ThreadDeps) {
  const { db, events, changes } = deps;
  const pages = new ThreadPages();
  const now = () => toIsoTime(deps.clock.now());
  const publishUpdate = ({ uuid, workspaceUuid }: ThreadInWorkspace, changed: string[]) =>
    changes.publish({ type: "thread.updated", data: { threadUuid: uuid, workspaceUuid, changed } });
  return createRouter({ details: true, tag: "threads" }, [
    get("/workspaces/{uuid}/threads", {
      operationId: "listThreads",
      summary: "List the threads of a workspace, newest-updated first",
      description:
        "The list of an unknown workspace is empty. With any parameter the response is a page; its `Link` header has the address of the next page.",
      request: { params: uuidParam("the workspace"), query: ThreadsQuery },
      responses: { ...ok(z.array(Thread)), ...errors(400, 409) },
      handler: async ({ uuid, ...request }, c) => {
        if (Object.keys(request).length === 0) {
          return jsonText(await readList(deps, threadsOf(uuid)));
        }
        const { list, next } = await pages.read(db, uuid, request);
        const headers = next ? nextLink(c.req.url, next) : {};
        return jsonText(await readList(deps, list), headers);
      },
    }),
    post("/threads", {
      operationId: "createThread",
      summary: "Create a thread",
      description: "Publishes `thread.created`.",
      request: body(CreateThread),
      responses: { ...ok(Thread), ...errors(400, 404) },
      handler: async ({ body }) => {
        const input = { ...body, uuid: crypto.randomUUID(), now: now() };
        const thread = orNotFound(await insertThread(db, input), "Workspace");
        events.publish(toThreadCreated(thread));
        return toThread(thread);
      },
    }),
    get("/threads/{uuid}", {
      operationId: "getThread",
      summary: "Get a thread",
      description: "Its messages are at `GET /threads/{uuid}/messages`.",
      request: { params: UuidParam },
      responses: { ...ok(Thread), ...errors(404) },
      handler: async ({ uuid }) => jsonText(orNotFound(await findThreadJson(db, uuid), "Thread")),
    }),
    put("/threads/{uuid}", {
      operationId: "updateThread",
      summary: "Change fields of a thread",
      description:
        "A field that is left out keeps its value; null clears it. Publishes `thread.updated`.",
      request: { params: UuidParam, ...body(UpdateThread) },
      responses: { ...ok(Thread), ...errors(400, 404) },
      handler: async ({ uuid, body }) => {
        const before = toThread(orNotFound(await findThread(db, uuid), "Thread"));
        const input = { ...body, now: now() };
        const row = orNotFound(await updateThread(db, uuid, input), "Thread");
        const thread = toThread(row);
        const { title, description } = thread;
        events.publish({ type: "thread.updated", data: { threadId: uuid, title, description } });
        publishUpdate(row, changedFields(before, thread));
        return thread;
      },
    }),
    remove("/threads/{uuid}", {
      operationId: "deleteThread",
      summary: "Delete a thread with its messages",
      description: "Running turns of the thread end.",
      request: { params: UuidParam },
      responses: { ...noContent, ...errors(404) },
      handler: async ({ uuid }) => {
        const workspaceUuid = orNotFound(await deleteThread(db, uuid, now()), "Thread");
        changes.publish({ type: "thread.deleted", data: { threadUuid: uuid, workspaceUuid } });
      },
    }),
    get("/threads/{uuid}/policy", {
      operationId: "getThreadPolicy",
      summary: "Get the approval policy and skills of a thread",
      description: "`GET /threads/{uuid}` does not have them.",
      request: { params: UuidParam },
      responses: { ...ok(ThreadPolicy), ...errors(404) },
      handler: async ({ uuid }) =>
        toWire(ThreadPolicy, orNotFound(await findThread(db, uuid), "Thread")),
    }),
    put("/threads/{uuid}/policy", {
      operationId: "updateThreadPolicy",
      summary: "Replace the approval policy and skills of a thread",
      description: "A field that is left out becomes null.",
      request: { params: UuidParam, ...body(ReplaceThreadPolicy) },
      responses: { ...ok(ThreadPolicy), ...errors(400, 404) },
      handler: async ({ uuid, body: { approvalConfig = null, skillsConfig = null } }) => {
        const policy = { approvalConfig, skillsConfig };
        const before = orNotFound(await findThread(db, uuid), "Thread");
        if (!(await replaceThreadPolicy(db, uuid, policy))) throw notFound("Thread");
        publishUpdate(before, changedFields(before, policy));
        return policy;
      },
    }),
  ]);
}
