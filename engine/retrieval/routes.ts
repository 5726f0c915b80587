import { createRoute, z } from "@hono/zod-openapi";
import { body, errors, ok } from "../../shared/http/responses.ts";
import type { EngineDeps } from "../deps.ts";
import { createRouter } from "../http/router.ts";
import { UuidParam } from "../http/wire.ts";
import { getWorkspace } from "../workspaces/store.ts";
import {
  indexEnabledRoots,
  indexOneRoot,
  listFailedFiles,
  listRootStatus,
  searchEnabledRoots,
} from "./actions.ts";
import type { WatchedRoots } from "./watch/watched-roots.ts";
import {
  FailuresQuery,
  RagCancelled,
  RagFailure,
  RagResult,
  RagRootIndex,
  RagSearch,
  RagStatus,
  RagWorkspaceIndex,
  RootIndexParam,
  toRagResult,
  toRagRootIndex,
  toRagRootStatus,
} from "./wire.ts";

const postIndex = createRoute({
  method: "post",
  path: "/workspaces/{uuid}/rag/index",
  request: { params: UuidParam },
  responses: { ...ok(RagWorkspaceIndex), ...errors(400, 404, 409, 503) },
});

const postRootIndex = createRoute({
  method: "post",
  path: "/workspaces/{uuid}/rag/roots/{root_index}/index",
  request: { params: RootIndexParam },
  responses: { ...ok(RagRootIndex), ...errors(400, 404, 409, 503) },
});

const postSearch = createRoute({
  method: "post",
  path: "/workspaces/{uuid}/rag/search",
  request: { params: UuidParam, ...body(RagSearch) },
  responses: { ...ok(z.array(RagResult)), ...errors(400, 404, 503) },
});

const postCancel = createRoute({
  method: "post",
  path: "/workspaces/{uuid}/rag/cancel",
  request: { params: UuidParam },
  responses: {
    202: {
      description: "How many runs end now",
      content: { "application/json": { schema: RagCancelled } },
    },
    ...errors(404),
  },
});

const getStatus = createRoute({
  method: "get",
  path: "/workspaces/{uuid}/rag/status",
  request: { params: UuidParam },
  responses: { ...ok(RagStatus), ...errors(404) },
});

const getFailures = createRoute({
  method: "get",
  path: "/workspaces/{uuid}/rag/failures",
  request: { params: UuidParam, query: FailuresQuery },
  responses: { ...ok(z.array(RagFailure)), ...errors(400, 404) },
});

/** Retrieval (Engine §4). Its errors have no `details` (Engine §7). */
export function retrievalRoutes(
  deps: Pick<EngineDeps, "db" | "retrieval" | "changes" | "clock">,
  watched: WatchedRoots,
) {
  return createRouter({ details: false })
    .openapi(postIndex, async (c) => {
      const workspace = await getWorkspace(deps.db, c.req.valid("param").uuid);
      const indexed = await indexEnabledRoots(deps, workspace);
      const roots = indexed.map(({ root, counts }) => toRagRootIndex(root, counts));
      return c.json({ roots }, 200);
    })
    .openapi(postRootIndex, async (c) => {
      const { uuid, root_index } = c.req.valid("param");
      const workspace = await getWorkspace(deps.db, uuid);
      const { root, counts } = await indexOneRoot(deps, workspace, Number(root_index));
      return c.json(toRagRootIndex(root, counts), 200);
    })
    .openapi(postCancel, async (c) => {
      const { uuid } = await getWorkspace(deps.db, c.req.valid("param").uuid);
      return c.json({ cancelled: deps.retrieval.runs.cancel(uuid) }, 202);
    })
    .openapi(postSearch, async (c) => {
      const workspace = await getWorkspace(deps.db, c.req.valid("param").uuid);
      const { signal } = c.req.raw;
      const { hits } = await searchEnabledRoots(deps, workspace, c.req.valid("json"), signal);
      return c.json(hits.map(toRagResult), 200);
    })
    .openapi(getFailures, async (c) => {
      const workspace = await getWorkspace(deps.db, c.req.valid("param").uuid);
      return c.json(await listFailedFiles(deps, workspace, c.req.valid("query").rootIndex), 200);
    })
    .openapi(getStatus, async (c) => {
      const workspace = await getWorkspace(deps.db, c.req.valid("param").uuid);
      const listed = await listRootStatus(deps, workspace);
      const roots = listed.map((entry) =>
        toRagRootStatus(entry, watched.problemOf(entry.root.path) ?? null),
      );
      return c.json({ roots }, 200);
    });
}
