import { createRoute, z } from "@hono/zod-openapi";
import { toIsoTime } from "../../shared/clock.ts";
import { body, errors, jsonText, noContent, ok } from "../../shared/http/responses.ts";
import { readList } from "../db/list.ts";
import type { EngineDeps } from "../deps.ts";
import { notFound } from "../errors.ts";
import { changedFields } from "../events/change.ts";
import { nextLink } from "../http/page.ts";
import { createRouter } from "../http/router.ts";
import { UuidParam } from "../http/wire.ts";
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

const getThreads = createRoute({
  method: "get",
  path: "/workspaces/{uuid}/threads",
  request: { params: UuidParam, query: ThreadsQuery },
  responses: { ...ok(z.array(Thread)), ...errors(400, 409) },
});

const postThread = createRoute({
  method: "post",
  path: "/threads",
  request: { ...body(CreateThread) },
  responses: { ...ok(Thread), ...errors(400, 404) },
});

const getThread = createRoute({
  method: "get",
  path: "/threads/{uuid}",
  request: { params: UuidParam },
  responses: { ...ok(Thread), ...errors(404) },
});

const putThread = createRoute({
  method: "put",
  path: "/threads/{uuid}",
  request: { params: UuidParam, ...body(UpdateThread) },
  responses: { ...ok(Thread), ...errors(400, 404) },
});

const removeThread = createRoute({
  method: "delete",
  path: "/threads/{uuid}",
  request: { params: UuidParam },
  responses: { ...noContent, ...errors(404) },
});

const getPolicy = createRoute({
  method: "get",
  path: "/threads/{uuid}/policy",
  request: { params: UuidParam },
  responses: { ...ok(ThreadPolicy), ...errors(404) },
});

const putPolicy = createRoute({
  method: "put",
  path: "/threads/{uuid}/policy",
  request: { params: UuidParam, ...body(ReplaceThreadPolicy) },
  responses: { ...ok(ThreadPolicy), ...errors(400, 404) },
});

type ThreadDeps = Pick<EngineDeps, "db" | "clock" | "timers" | "events" | "changes" | "deletions">;

/** Threads (Engine §4). */
export function threadRoutes(deps: ThreadDeps) {
  const { db, events, changes } = deps;
  const pages = new ThreadPages();
  const now = () => toIsoTime(deps.clock.now());
  const publishUpdate = ({ uuid, workspaceUuid }: ThreadInWorkspace, changed: string[]) =>
    changes.publish({ type: "thread.updated", data: { threadUuid: uuid, workspaceUuid, changed } });
  return createRouter({ details: true })
    .openapi(getThreads, async (c) => {
      const { uuid } = c.req.valid("param");
      const request = c.req.valid("query");
      if (Object.keys(request).length === 0) {
        return jsonText<Thread[]>(await readList(deps, threadsOf(uuid)));
      }
      const { list, next } = await pages.read(db, uuid, request);
      const headers = next ? nextLink(c.req.url, next) : {};
      return jsonText<Thread[]>(await readList(deps, list), headers);
    })
    .openapi(postThread, async (c) => {
      const input = { ...c.req.valid("json"), uuid: crypto.randomUUID(), now: now() };
      const thread = await insertThread(db, input);
      if (!thread) throw notFound("Workspace");
      events.publish(toThreadCreated(thread));
      return c.json(toThread(thread), 200);
    })
    .openapi(getThread, async (c) => {
      const thread = await findThreadJson(db, c.req.valid("param").uuid);
      return jsonText<Thread>(orNotFound(thread));
    })
    .openapi(putThread, async (c) => {
      const { uuid } = c.req.valid("param");
      const before = toThread(orNotFound(await findThread(db, uuid)));
      const input = { ...c.req.valid("json"), now: now() };
      const row = orNotFound(await updateThread(db, uuid, input));
      const thread = toThread(row);
      const { title, description } = thread;
      events.publish({ type: "thread.updated", data: { threadId: uuid, title, description } });
      publishUpdate(row, changedFields(before, thread));
      return c.json(thread, 200);
    })
    .openapi(removeThread, async (c) => {
      const { uuid } = c.req.valid("param");
      const workspaceUuid = await deleteThread(db, uuid, now());
      if (workspaceUuid === undefined) throw notFound("Thread");
      deps.deletions.announce({ threadUuid: uuid });
      changes.publish({ type: "thread.deleted", data: { threadUuid: uuid, workspaceUuid } });
      return c.body(null, 204);
    })
    .openapi(getPolicy, async (c) => {
      const row = orNotFound(await findThread(db, c.req.valid("param").uuid));
      const { approvalConfig, skillsConfig } = row;
      return c.json({ approvalConfig, skillsConfig }, 200);
    })
    .openapi(putPolicy, async (c) => {
      const { approvalConfig = null, skillsConfig = null } = c.req.valid("json");
      const policy = { approvalConfig, skillsConfig };
      const before = orNotFound(await findThread(db, c.req.valid("param").uuid));
      const found = await replaceThreadPolicy(db, before.uuid, policy);
      if (!found) throw notFound("Thread");
      publishUpdate(before, changedFields(before, policy));
      return c.json(policy, 200);
    });
}

function orNotFound<Row>(row: Row | undefined): Row {
  if (!row) throw notFound("Thread");
  return row;
}
