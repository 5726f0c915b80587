import { z } from "@hono/zod-openapi";
import { EngineError } from "../../errors.ts";
import { indexEnabledRoots, listRootStatus, searchEnabledRoots } from "../../retrieval/actions.ts";
import { RAG_LIMIT_DEFAULT, RAG_LIMIT_MAX, RAG_LIMIT_MIN } from "../../retrieval/limits.ts";
import type { Hit } from "../../retrieval/retrieval.ts";
import { toRunning } from "../../retrieval/wire.ts";
import { enabledRoots } from "../../workspaces/roots.ts";
import { type BuiltinTool, type Reach, type ToolContext, toRefusal } from "./builtin.ts";
import { defineTool } from "./define.ts";
import { holdsProtected, NO_REACH } from "./reach.ts";

/** The group `retrieval`: the indexed content of the workspace's enabled roots, through the same core as the endpoints. */
export const RETRIEVAL_TOOLS: readonly BuiltinTool[] = [
  defineTool({
    group: "retrieval",
    name: "search_workspace_index",
    doc: "Searches the content of the workspace's indexed folders and returns the passages that answer best, with path and lines. Keyword mode finds exact words, vector mode related ones, hybrid both. `left_out` names folders that could not be searched.",
    parameters: z.object({
      query: z.string().min(1),
      mode: z.enum(["keyword", "vector", "hybrid"]).default("hybrid"),
      limit: z.int().min(RAG_LIMIT_MIN).max(RAG_LIMIT_MAX).default(RAG_LIMIT_DEFAULT),
    }),
    reach: reachRoots,
    run: ({ deps, workspace }, input, signal) =>
      withFailures(async () => {
        const search = { ...input, skipUnavailableRoots: true };
        const { hits, leftOut } = await searchEnabledRoots(deps, workspace, search, signal);
        const left_out = leftOut.map(({ configured: { rootIndex, path }, problem }) => ({
          root_index: rootIndex,
          path,
          problem,
        }));
        return { results: hits.map(toPassage), ...(left_out.length > 0 ? { left_out } : {}) };
      }),
  }),
  defineTool({
    group: "retrieval",
    name: "get_workspace_index_status",
    doc: "Tells which folders of the workspace are indexed, and whether an index run goes on.",
    parameters: z.object({}),
    run: ({ deps, workspace }) =>
      withFailures(async () => {
        const listed = await listRootStatus(deps, workspace);
        const roots = listed.map(({ root, status, problem }) => ({
          root_index: root.rootIndex,
          path: root.path,
          enabled: root.enabled,
          problem,
          searchable: status?.searchable ?? false,
          documents: status?.documents ?? 0,
          failed_files: status?.failedFiles ?? 0,
          last_indexed_at: status?.lastIndexedAt ?? null,
          running: status?.progress ? toRunning(status.progress) : null,
        }));
        return { roots };
      }),
  }),
  defineTool({
    group: "retrieval",
    name: "update_workspace_index",
    doc: "Brings the index of the workspace's enabled folders up to date with their files.",
    parameters: z.object({}),
    reach: reachRoots,
    run: ({ deps, workspace }, _, signal) =>
      withFailures(async () => {
        const indexed = await indexEnabledRoots(deps, workspace, signal);
        const roots = indexed.map(({ root, counts }) => ({
          root_index: root.rootIndex,
          ...counts,
        }));
        return { roots };
      }),
  }),
];

/** A root may be, or hold, the engine's own data directory, whose files would be read with the others. */
async function reachRoots({ deps, workspace }: ToolContext): Promise<Reach> {
  const roots = enabledRoots(workspace).map(({ path }) => path);
  return { ...NO_REACH, protected: await holdsProtected(deps, roots) };
}

function toPassage(hit: Hit) {
  return {
    root_index: hit.rootIndex,
    path: hit.path,
    start_line: hit.startLine,
    end_line: hit.endLine,
    score: hit.score,
    content: hit.content,
  };
}

async function withFailures<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof EngineError ? toRefusal(error) : error;
  }
}
