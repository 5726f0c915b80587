import { z } from "@hono/zod-openapi";
import { isMatch } from "../../client/matching-hits.ts";
import { EngineError } from "../../errors.ts";
import { indexEnabledRoots, listRootStatus, searchEnabledRoots } from "../../retrieval/actions.ts";
import { RAG_LIMIT_DEFAULT, RAG_LIMIT_MAX, RAG_LIMIT_MIN } from "../../retrieval/limits.ts";
import type { Hit } from "../../retrieval/retrieval.ts";
import { toRunning } from "../../retrieval/wire.ts";
import { enabledRoots } from "../../workspaces/roots.ts";
import {
  type BuiltinTool,
  type Passage,
  type Reach,
  type ToolContext,
  ToolResult,
  toRefusal,
} from "./builtin.ts";
import { defineTool } from "./define.ts";
import { holdsProtected, NO_REACH } from "./reach.ts";
import { countFitting, jsonBytes, pageOf } from "./result-size.ts";

export const SEARCH_TOOL_NAME = "search_workspace_index";

/** The group `retrieval`: the indexed content of the workspace's enabled roots, through the same core as the endpoints. */
export const RETRIEVAL_TOOLS: readonly BuiltinTool[] = [
  defineTool({
    group: "retrieval",
    name: SEARCH_TOOL_NAME,
    doc: "Searches the content of the workspace's indexed folders and returns the passages that answer best, with path and lines. Keyword mode finds exact words, vector mode related ones, hybrid both. `left_out` names folders that could not be searched.",
    parameters: z.object({
      query: z.string().min(1),
      mode: z.enum(["keyword", "vector", "hybrid"]).default("hybrid"),
      limit: z.int().min(RAG_LIMIT_MIN).max(RAG_LIMIT_MAX).default(RAG_LIMIT_DEFAULT),
    }),
    reach: reachRoots,
    run: ({ deps, workspace, resultBytesMax }, input, signal) =>
      withFailures(async () => {
        const search = { ...input, skipUnavailableRoots: true };
        const { hits, leftOut } = await searchEnabledRoots(deps, workspace, search, signal);
        const left_out = leftOut.map(({ configured: { rootIndex, path }, problem }) => ({
          root_index: rootIndex,
          path,
          problem,
        }));
        const rest = left_out.length > 0 ? { left_out } : {};
        const matching = hits.filter((hit) => isMatch(hit, input.mode));
        const isEmpty = matching.length === 0 && left_out.length === 0;
        const note = isEmpty ? { note: "Nothing in the indexed folders matches." } : {};
        return toHitsResult(matching, { rest: { ...rest, ...note }, resultBytesMax });
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
          searchable: status.searchable,
          documents: status.documents,
          failed_files: status.failedFiles,
          last_indexed_at: status.lastIndexedAt,
          running: status.progress && toRunning(status.progress),
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
        const roots = indexed.map(({ rootIndex, ...counts }) => ({
          root_index: rootIndex,
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

/** Whole hits that fit, the best first; of the best one at least its first lines. @internal for tests */
export function toHitsResult(
  hits: readonly Hit[],
  { rest, resultBytesMax }: { rest: object; resultBytesMax: number },
): ToolResult {
  const room = resultBytesMax - jsonBytes(rest);
  const fitting = hits.slice(0, countFitting(hits.map(toEntry), room));
  const shown = fitting.length > 0 ? fitting : hits.slice(0, 1).map((hit) => cutHit(hit, room));
  const passages = shown.map(toPassage);
  const value = { results: shown.map(toEntry), ...rest };
  const isCut = shown[0]?.content !== hits[0]?.content;
  const missing = hits.length - shown.length;
  if (missing === 0 && !isCut) return new ToolResult(value, { passages });
  const leftOut = isCut
    ? `all but the beginning of ${hits.length} passages`
    : `${missing} of ${hits.length} passages`;
  const note = `The context window has no room for ${leftOut}.`;
  return new ToolResult({ ...value, note }, { passages, leftOut });
}

function cutHit(hit: Hit, resultBytesMax: number): Hit {
  const frameBytes = jsonBytes(toEntry({ ...hit, content: "" }));
  const content = hit.content.slice(0, pageOf(hit.content, resultBytesMax - frameBytes).length);
  const { startLine } = hit;
  const lines = content.replace(/\n$/, "").split("\n").length;
  return { ...hit, content, endLine: startLine === null ? null : startLine + lines - 1 };
}

function toPassage({ rootIndex, path, startLine, endLine, sensitive }: Hit): Passage {
  const lines = sensitive ? { startLine: null, endLine: null } : { startLine, endLine };
  return { rootIndex, path, ...lines, from: "search", sensitive };
}

function toEntry(hit: Hit) {
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
