import type { WorkspaceRow } from "../db/schema.ts";
import type { EngineDeps } from "../deps.ts";
import { conflict, notFound } from "../errors.ts";
import {
  type ConfiguredRoot,
  enabledRoots,
  findRoot,
  findRootProblem,
  listRoots,
  validateRoot,
} from "../workspaces/roots.ts";
import { findWorkspace } from "../workspaces/store.ts";
import { CHANGES_PROGRESS_MS, RAG_QUERY_CHARACTERS_MAX } from "./limits.ts";
import type {
  Hit,
  IndexProgress,
  RetrievalRoot,
  RootCounts,
  RootStatus,
  SearchRequest,
} from "./retrieval.ts";

type RetrievalActionDeps = Pick<EngineDeps, "db" | "retrieval">;
type IndexDeps = Pick<EngineDeps, "db" | "retrieval" | "changes" | "clock">;

/** @throws EngineError `not_found`. */
export async function getWorkspace(deps: RetrievalActionDeps, uuid: string): Promise<WorkspaceRow> {
  const workspace = await findWorkspace(deps.db, uuid);
  if (!workspace) throw notFound("Workspace");
  return workspace;
}

/** Indexes the roots in order (Engine §2, retrieval rule 6). @throws EngineError; earlier roots stay indexed. */
export function indexEnabledRoots(
  deps: IndexDeps,
  workspace: WorkspaceRow,
  signal?: AbortSignal,
): Promise<{ root: RetrievalRoot; counts: RootCounts }[]> {
  const work = async (ends: AbortSignal) => {
    const roots = await Promise.all(enabledRoots(workspace).map(validateRoot));
    const indexed: { root: RetrievalRoot; counts: RootCounts }[] = [];
    for (const root of roots) {
      indexed.push({ root, counts: await indexAnnounced(deps, workspace.uuid, root, ends) });
    }
    return indexed;
  };
  return deps.retrieval.runs.run(workspace.uuid, work, signal);
}

/** @throws EngineError `not_found`, `conflict` where the root is disabled, `invalid`. */
export async function indexOneRoot(
  deps: IndexDeps,
  workspace: WorkspaceRow,
  rootIndex: number,
): Promise<{ root: RetrievalRoot; counts: RootCounts }> {
  const configured = findRoot(workspace, rootIndex);
  if (!configured) throw notFound("Root");
  if (!configured.enabled) throw conflict("The root is disabled for retrieval.");
  const root = await validateRoot(configured);
  const work = (ends: AbortSignal) => indexAnnounced(deps, workspace.uuid, root, ends);
  return { root, counts: await deps.retrieval.runs.run(workspace.uuid, work) };
}

/** Publishes how the run goes on, and that it ended. */
async function indexAnnounced(
  { retrieval, changes, clock }: IndexDeps,
  workspaceUuid: string,
  root: RetrievalRoot,
  signal: AbortSignal,
): Promise<RootCounts> {
  const place = { workspaceUuid, rootIndex: root.rootIndex };
  let announced: { phase: string; atMs: number } | undefined;
  const announce = ({ phase, done, total }: IndexProgress) => {
    const isEarly = announced && clock.now() - announced.atMs < CHANGES_PROGRESS_MS;
    if (isEarly && announced?.phase === phase) return;
    announced = { phase, atMs: clock.now() };
    changes.publish({ type: "rag.progress", data: { ...place, phase, done, total } });
  };
  const end = (state: "completed" | "failed" | "cancelled") =>
    changes.publish({ type: "rag.completed", data: { ...place, state } });
  const stopListening = retrieval.onProgress(root, announce);
  try {
    const counts = await retrieval.indexRoot(root, signal);
    end("completed");
    return counts;
  } catch (error) {
    end(signal.aborted ? "cancelled" : "failed");
    throw error;
  } finally {
    stopListening();
  }
}

/** The query of a search, and whether unusable roots are left out instead of an error. */
type WorkspaceSearch = SearchRequest & { skipUnavailableRoots?: boolean | undefined };

/** The passages found, and the roots that were left out, each with its problem. */
interface Found {
  hits: Hit[];
  leftOut: InspectedRoot[];
}

/** Searches all enabled roots. @throws EngineError `invalid` for an unusable root that is not to be left out. */
export async function searchEnabledRoots(
  deps: RetrievalActionDeps,
  workspace: WorkspaceRow,
  { skipUnavailableRoots = false, mode, limit, ...search }: WorkspaceSearch,
  signal?: AbortSignal,
): Promise<Found> {
  const look = skipUnavailableRoots ? inspect : requireUsable;
  const inspected = await Promise.all(enabledRoots(workspace).map(look));
  const roots = inspected.flatMap(({ root }) => root ?? []);
  const leftOut = inspected.filter(({ root }) => root === undefined);
  if (roots.length === 0) return { hits: [], leftOut };
  const query = search.query.slice(0, RAG_QUERY_CHARACTERS_MAX);
  return { hits: await deps.retrieval.search(roots, { query, mode, limit }, signal), leftOut };
}

/** The state of a root of a workspace. */
interface ListedRoot {
  root: ConfiguredRoot;
  /** Undefined where the root cannot be used. */
  status: RootStatus | undefined;
  /** The problem with the root, as a sentence, or null. */
  problem: string | null;
}

/** The state of every root. */
export async function listRootStatus(
  deps: RetrievalActionDeps,
  workspace: WorkspaceRow,
): Promise<ListedRoot[]> {
  const looked = await Promise.all(listRoots(workspace).map(inspect));
  const present = looked.flatMap(({ root }) => root ?? []);
  const statuses = present.length === 0 ? [] : await deps.retrieval.status(present);
  const byIndex = new Map(present.map((root, at) => [root.rootIndex, statuses[at]]));
  return looked.map(({ configured, problem }) => ({
    root: configured,
    status: byIndex.get(configured.rootIndex),
    problem,
  }));
}

/** A root as it was found. */
interface InspectedRoot {
  configured: ConfiguredRoot;
  /** Undefined where it cannot be used. */
  root: RetrievalRoot | undefined;
  /** What is wrong with it, as a sentence; null where nothing is. */
  problem: string | null;
}

/** @throws a failure that the root did not cause. */
async function inspect(configured: ConfiguredRoot): Promise<InspectedRoot> {
  const problem = await findRootProblem(configured.path);
  if (problem === undefined) return requireUsable(configured);
  return { configured, root: undefined, problem: `The folder ${problem}.` };
}

/** @throws EngineError `invalid` where the root cannot be used. */
async function requireUsable(configured: ConfiguredRoot): Promise<InspectedRoot> {
  return { configured, root: await validateRoot(configured), problem: null };
}
