import { z } from "@hono/zod-openapi";
import { body, errors, ok } from "../../shared/http/responses.ts";
import type { EngineDeps } from "../deps.ts";
import { ignoredBody } from "../http/ignored-body.ts";
import { get, post } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import { UuidParam } from "../http/wire.ts";
import { resolveRoot } from "../workspaces/roots.ts";
import { getWorkspace } from "../workspaces/store.ts";
import { indexEnabledRoots, indexOneRoot, listRootStatus, searchEnabledRoots } from "./actions.ts";
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
  toRagRootStatus,
} from "./wire.ts";

/** Retrieval (Engine §4). Its errors have no `details` (Engine §7). */
export function retrievalRoutes(
  deps: Pick<EngineDeps, "db" | "retrieval" | "changes" | "clock">,
  watched: WatchedRoots,
) {
  return createRouter({ details: false, tag: "retrieval" }, [
    post("/workspaces/{uuid}/rag/index", {
      operationId: "indexWorkspace",
      summary: "Index every enabled root of a workspace",
      description: "Answers when the run is over; it continues where the client disconnects.",
      request: { params: UuidParam, ...ignoredBody },
      responses: { ...ok(RagWorkspaceIndex), ...errors(400, 404, 409, 503) },
      handler: async ({ uuid }) => {
        const workspace = await getWorkspace(deps.db, uuid);
        return { roots: await indexEnabledRoots(deps, workspace) };
      },
    }),
    post("/workspaces/{uuid}/rag/roots/{root_index}/index", {
      operationId: "indexRoot",
      summary: "Index one root of a workspace",
      description: "Answers when the run is over; it continues where the client disconnects.",
      request: { params: RootIndexParam, ...ignoredBody },
      responses: { ...ok(RagRootIndex), ...errors(400, 404, 409, 503) },
      handler: async ({ uuid, root_index }) => {
        const workspace = await getWorkspace(deps.db, uuid);
        return indexOneRoot(deps, workspace, Number(root_index));
      },
    }),
    post("/workspaces/{uuid}/rag/cancel", {
      operationId: "cancelIndexing",
      summary: "End the index runs of a workspace",
      description:
        "Files that were indexed so far stay indexed. The requests that began these runs get 409.",
      request: { params: UuidParam, ...ignoredBody },
      responses: {
        202: {
          description: "How many runs end now",
          content: { "application/json": { schema: RagCancelled } },
        },
        ...errors(404),
      },
      handler: async ({ uuid }) => {
        await getWorkspace(deps.db, uuid);
        return { cancelled: deps.retrieval.runs.cancel(uuid) };
      },
    }),
    post("/workspaces/{uuid}/rag/search", {
      operationId: "searchWorkspace",
      summary: "Search the indexed roots of a workspace",
      description: "The best match comes first. Only the path of a sensitive file is searched.",
      request: { params: UuidParam, ...body(RagSearch) },
      responses: { ...ok(z.array(RagResult)), ...errors(400, 404, 503) },
      handler: async ({ uuid, body }, c) => {
        const workspace = await getWorkspace(deps.db, uuid);
        const { signal } = c.req.raw;
        const { hits } = await searchEnabledRoots(deps, workspace, body, signal);
        return hits.map(toRagResult);
      },
    }),
    get("/workspaces/{uuid}/rag/failures", {
      operationId: "listIndexingFailures",
      summary: "List what could not be read of a root",
      description:
        "The first 500 files and folders by path, each with its reason. They stay listed until a run can read them, or they are gone.",
      request: { params: UuidParam, query: FailuresQuery },
      responses: { ...ok(z.array(RagFailure)), ...errors(400, 404) },
      handler: async ({ uuid, rootIndex }) => {
        const root = await resolveRoot(await getWorkspace(deps.db, uuid), rootIndex);
        return deps.retrieval.failures(root);
      },
    }),
    get("/workspaces/{uuid}/rag/status", {
      operationId: "getRetrievalStatus",
      summary: "Get the state of the index of each root, and of its index run",
      description: "A client may poll it once a second during a run.",
      request: { params: UuidParam },
      responses: { ...ok(RagStatus), ...errors(404) },
      handler: async ({ uuid }) => {
        const workspace = await getWorkspace(deps.db, uuid);
        const listed = await listRootStatus(deps, workspace);
        const roots = listed.map((entry) =>
          toRagRootStatus(entry, watched.problemOf(entry.root.path) ?? null),
        );
        return { roots };
      },
    }),
  ]);
}
