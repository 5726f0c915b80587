import type { WorkspaceRow } from "../db/schema.ts";
import type { EngineDeps } from "../deps.ts";
import { conflict, orNotFound } from "../errors.ts";
import {
  type ConfiguredRoot,
  enabledRoots,
  findListingProblem,
  findRoot,
  findRootProblem,
  listRoots,
  validateRoot,
} from "../workspaces/roots.ts";
import { CHANGES_PROGRESS_MS, RAG_QUERY_CHARACTERS_MAX } from "./limits.ts";
import {
  type Hit,
  type IndexProgress,
  NOT_INDEXED,
  type OnFolders,
  onceAnInterval,
  type RetrievalRoot,
  type RootCounts,
  type RootStatus,
  type SearchRequest,
} from "./retrieval.ts";
import { type RagRootIndex, toRunning } from "./wire.ts";

type RetrievalActionDeps = Pick<EngineDeps, "db" | "retrieval">;
type IndexDeps = Pick<EngineDeps, "db" | "retrieval" | "changes" | "clock">;

/** Indexes the roots in order (Engine §2, retrieval rule 6). @throws EngineError; earlier roots stay indexed. */
export function indexEnabledRoots(
  deps: IndexDeps,
  workspace: WorkspaceRow,
  signal?: AbortSignal,
): Promise<RagRootIndex[]> {
  const work = async (ends: AbortSignal) => {
    const roots = await Promise.all(enabledRoots(workspace).map(validateRoot));
    const indexed: RagRootIndex[] = [];
    for (const root of roots) {
      const { rootIndex } = root;
      const refs = [{ workspaceUuid: workspace.uuid, rootIndex }];
      indexed.push({ rootIndex, ...(await indexAnnounced(deps, refs, root, ends)) });
    }
    return indexed;
  };
  return deps.retrieval.runs.run([workspace.uuid], work, signal);
}

/** @throws EngineError `not_found`, `conflict` if the root is disabled, `invalid`. */
export async function indexOneRoot(
  deps: IndexDeps,
  workspace: WorkspaceRow,
  rootIndex: number,
): Promise<RagRootIndex> {
  const configured = orNotFound(findRoot(workspace, rootIndex), "Root");
  if (!configured.enabled) throw conflict("The root is disabled for retrieval.");
  const root = await validateRoot(configured);
  const refs = [{ workspaceUuid: workspace.uuid, rootIndex }];
  const work = (ends: AbortSignal) => indexAnnounced(deps, refs, root, ends);
  return { rootIndex, ...(await deps.retrieval.runs.run([workspace.uuid], work)) };
}

/** A root in the list of a workspace. */
export interface RootRef {
  workspaceUuid: string;
  rootIndex: number;
}

/**
 * Indexes a root that several workspaces may have: each sees the run as one of its own, and can cancel it.
 * @throws EngineError `invalid`.
 */
export async function indexForWorkspaces(
  deps: IndexDeps,
  refs: readonly RootRef[],
  path: string,
  { onFolders, signal }: { onFolders: OnFolders; signal: AbortSignal },
): Promise<void> {
  const { rootIndex = 0 } = refs[0] ?? {};
  const root = await validateRoot({ path, rootIndex });
  const uuids = refs.map(({ workspaceUuid }) => workspaceUuid);
  const work = (ends: AbortSignal) => indexAnnounced(deps, refs, root, ends, onFolders);
  await deps.retrieval.runs.run(uuids, work, signal);
}

async function indexAnnounced(
  { retrieval, changes, clock }: IndexDeps,
  refs: readonly RootRef[],
  root: RetrievalRoot,
  signal: AbortSignal,
  onFolders?: OnFolders,
): Promise<RootCounts> {
  const announce = (progress: IndexProgress) => {
    const { filesDone, filesTotal } = progress;
    for (const ref of refs) {
      const data = { ...ref, ...toRunning(progress), filesDone, filesTotal };
      changes.publish({ type: "rag.progress", data });
    }
  };
  const end = (state: "completed" | "failed" | "cancelled") => {
    for (const ref of refs) changes.publish({ type: "rag.completed", data: { ...ref, state } });
  };
  const paced = onceAnInterval(CHANGES_PROGRESS_MS, clock, announce);
  const stopListening = retrieval.onProgress(root, paced);
  try {
    const counts = await retrieval.indexRoot(root, signal, onFolders);
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

interface ListedRoot {
  root: ConfiguredRoot;
  status: RootStatus;
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
    status: byIndex.get(configured.rootIndex) ?? NOT_INDEXED,
    problem,
  }));
}

interface InspectedRoot {
  configured: ConfiguredRoot;
  /** Undefined if it cannot be used. */
  root: RetrievalRoot | undefined;
  /** Its problem as a sentence, or null. */
  problem: string | null;
}

/** @throws a failure that the root did not cause. */
async function inspect(configured: ConfiguredRoot): Promise<InspectedRoot> {
  let problem = await findRootProblem(configured.path);
  if (problem === undefined) {
    const root = await validateRoot(configured);
    problem = await findListingProblem(root);
    if (problem === undefined) return { configured, root, problem: null };
  }
  return { configured, root: undefined, problem: `The folder ${problem}.` };
}

/** @throws EngineError `invalid` if the root cannot be used. */
async function requireUsable(configured: ConfiguredRoot): Promise<InspectedRoot> {
  return { configured, root: await validateRoot(configured), problem: null };
}
