import type { WorkspaceRow } from "../db/schema.ts";
import type { EngineDeps } from "../deps.ts";
import { conflict, invalid, notFound } from "../errors.ts";
import { RAG_QUERY_CHARACTERS_MAX } from "../limits.ts";
import {
  type ConfiguredRoot,
  enabledRoots,
  findRoot,
  listRoots,
  validateRoot,
} from "../workspaces/roots.ts";
import { findWorkspace } from "../workspaces/store.ts";
import type { Hit, RetrievalRoot, RootCounts, RootStatus, SearchRequest } from "./retrieval.ts";

type RetrievalActionDeps = Pick<EngineDeps, "db" | "retrieval">;

/** @throws EngineError `not_found`. */
export async function getWorkspace(deps: RetrievalActionDeps, uuid: string): Promise<WorkspaceRow> {
  const workspace = await findWorkspace(deps.db, uuid);
  if (!workspace) throw notFound("Workspace");
  return workspace;
}

/** One after the other, in their order (Engine §2, retrieval rule 6). @throws EngineError; the roots before stay indexed. */
export async function indexEnabledRoots(
  deps: RetrievalActionDeps,
  workspace: WorkspaceRow,
  signal?: AbortSignal,
): Promise<{ root: RetrievalRoot; counts: RootCounts }[]> {
  const roots = await Promise.all(enabledRoots(workspace).map(usable));
  const indexed: { root: RetrievalRoot; counts: RootCounts }[] = [];
  for (const root of roots) {
    indexed.push({ root, counts: await deps.retrieval.indexRoot(root, signal) });
  }
  return indexed;
}

/** @throws EngineError `not_found`, `conflict` where the root is disabled, `invalid`. */
export async function indexOneRoot(
  deps: RetrievalActionDeps,
  workspace: WorkspaceRow,
  rootIndex: number,
): Promise<{ root: RetrievalRoot; counts: RootCounts }> {
  const configured = findRoot(workspace, rootIndex);
  if (!configured) throw notFound("Root");
  if (!configured.enabled) throw conflict("The root is disabled for retrieval.");
  const root = await usable(configured);
  return { root, counts: await deps.retrieval.indexRoot(root) };
}

/** Over all enabled roots. @throws EngineError `invalid` where one of them cannot be used. */
export async function searchEnabledRoots(
  deps: RetrievalActionDeps,
  workspace: WorkspaceRow,
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<Hit[]> {
  const roots = await Promise.all(enabledRoots(workspace).map(usable));
  const query = request.query.slice(0, RAG_QUERY_CHARACTERS_MAX);
  return roots.length === 0 ? [] : deps.retrieval.search(roots, { ...request, query }, signal);
}

/** Of every root; one that cannot be used has no status. */
export async function listRootStatus(
  deps: RetrievalActionDeps,
  workspace: WorkspaceRow,
): Promise<{ root: ConfiguredRoot; status: RootStatus | undefined }[]> {
  const roots = listRoots(workspace);
  const valid = await Promise.all(roots.map((root) => validateRoot(root).catch(() => undefined)));
  const present = valid.filter((root) => root !== undefined);
  const statuses = present.length === 0 ? [] : await deps.retrieval.status(present);
  const byIndex = new Map(present.map((root, at) => [root.rootIndex, statuses[at]]));
  return roots.map((root) => ({ root, status: byIndex.get(root.rootIndex) }));
}

// Retrieval answers without `details` (Engine §7).
async function usable(root: ConfiguredRoot): Promise<RetrievalRoot> {
  try {
    return await validateRoot(root);
  } catch {
    throw invalid(`Invalid root.`);
  }
}
