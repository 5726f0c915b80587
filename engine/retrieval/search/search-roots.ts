import type { Embedder, QueryVector } from "../embedder.ts";
import { otherVectors, SidecarDamaged, toRetrievalError } from "../failures.ts";
import { FUSION_DEPTH, RERANK_DOCUMENTS_MAX } from "../limits.ts";
import type { Hit, RetrievalRoot, SearchRequest } from "../retrieval.ts";
import {
  type ChunkDetails,
  countPhrases,
  findChunkDetails,
  listChunkRefs,
  listKeywordHits,
} from "../sidecar/hit-store.ts";
import { findMeta } from "../sidecar/meta-store.ts";
import type { Sidecar } from "../sidecar/sidecar.ts";
import { keywordTerms, quotedPhrases } from "../text/keyword-query.ts";
import { rank, saturate } from "./fusion.ts";
import type { Candidate, Ranked } from "./hybrid.ts";
import type { OpenSidecars } from "./open-sidecars.ts";
import { type Held, type Reranker, rerank } from "./reranker.ts";
import type { Nearness } from "./vector-index.ts";

/** The dependencies of a search. */
export interface SearchDeps {
  embedder: Embedder;
  sidecars: OpenSidecars;
  /** Reports a root whose index could not be used. */
  warn(root: RetrievalRoot, error: unknown): void;
  reranker?: Reranker | undefined;
  /** Reports a reranker that failed: the order stays as it was. */
  warnOfReranker(error: Error): void;
}

/**
 * Searches all roots that have a usable index; the others are skipped (Engine §2, retrieval rule 4).
 * @throws RetrievalFailure `unavailable` if the embedder failed.
 */
export async function searchRoots(
  deps: SearchDeps,
  roots: readonly RetrievalRoot[],
  request: SearchRequest,
  signal: AbortSignal,
): Promise<Hit[]> {
  const usable = roots.filter((root) => findUsableSidecar(deps, root));
  const { query, mode } = request;
  if (usable.length === 0 || query.trim() === "") return [];
  const { embedder, reranker } = deps;
  const vectorFor = mode === "keyword" ? undefined : await embedder.embedQuery(query, signal);
  const depth = reranker ? Math.max(request.limit, RERANK_DOCUMENTS_MAX) : request.limit;
  const hits = searchUsable(deps, usable, { ...request, limit: depth, vectorFor });
  const ordered = reranker ? await rerankOrKeep(deps, reranker, { hits, request, signal }) : hits;
  return ordered.slice(0, request.limit).map(({ hit }) => hit);
}

async function rerankOrKeep(
  { warnOfReranker }: SearchDeps,
  reranker: Reranker,
  { hits, request, signal }: { hits: Held[]; request: SearchRequest; signal: AbortSignal },
): Promise<Held[]> {
  try {
    return await rerank(hits, { reranker, query: request.query }, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Error)) throw error;
    warnOfReranker(error);
    return hits;
  }
}

// Synchronous: the snapshots keep commits waiting.
function searchUsable(
  deps: SearchDeps,
  usable: readonly RetrievalRoot[],
  request: SearchRequest & Pick<RootRequest, "vectorFor">,
): Held[] {
  using _snapshots = openSnapshots(deps, usable);
  const phrases = request.mode === "vector" ? [] : quotedPhrases(request.query);
  const asked = { ...request, phrases, terms: keywordTerms(request.query) };
  const candidates = usable.flatMap((root) => candidatesOf(deps, root, asked));
  const byIndex = new Map(usable.map((root) => [root.rootIndex, root]));
  const vectorsOf = (rootIndex: number) => {
    const root = byIndex.get(rootIndex);
    const sidecar = root && findUsableSidecar(deps, root);
    return sidecar && deps.sidecars.vectorsOf(root.path, sidecar);
  };
  const ranked = rank(candidates, {
    mode: request.mode,
    depth: FUSION_DEPTH,
    phrases: phrases.length,
    sharesOf: (rootIndex) =>
      deps.embedder.sharesOf(vectorsOf(rootIndex)?.profile, asked.terms.length),
    likeness: (rootIndex, to, among) =>
      vectorsOf(rootIndex)?.index.likeness(to, among) ?? new Map(),
  });
  return ranked.slice(0, request.limit).flatMap((hit) => {
    const root = byIndex.get(hit.rootIndex);
    const sidecar = root && findUsableSidecar(deps, root);
    const details = sidecar && findChunkDetails(sidecar, hit.chunkId);
    return details ? [{ hit: toHit(hit, details, request), held: hit.held }] : [];
  });
}

// The indexing thread may commit at any moment: all reads of one search see the same state of an index.
function openSnapshots(deps: SearchDeps, roots: readonly RetrievalRoot[]): Disposable {
  const stack = new DisposableStack();
  // The list may have one root twice.
  const sidecars = new Set(roots.map((root) => findUsableSidecar(deps, root)));
  for (const sidecar of sidecars) if (sidecar) stack.use(sidecar.snapshot());
  return stack;
}

/** The index of a root, if it exists, is intact and has the embedder's signature. */
export function findUsableSidecar(deps: SearchDeps, root: RetrievalRoot): Sidecar | undefined {
  try {
    const sidecar = deps.sidecars.find(root.path);
    const signature = sidecar && findMeta(sidecar, "signature");
    return signature === deps.embedder.signature ? sidecar : undefined;
  } catch (error) {
    deps.sidecars.drop(root.path);
    deps.warn(root, error);
    return undefined;
  }
}

interface RootRequest extends SearchRequest {
  /** Undefined in keyword mode. */
  vectorFor: QueryVector | undefined;
  phrases: readonly string[];
  terms: readonly string[];
}

function candidatesOf(deps: SearchDeps, root: RetrievalRoot, request: RootRequest): Candidate[] {
  const sidecar = findUsableSidecar(deps, root);
  if (!sidecar) return [];
  try {
    const { mode, terms, phrases, vectorFor } = request;
    const held = countPhrases(sidecar, phrases);
    const asked = { terms, also: held.keys() };
    const keyword: ReadonlyMap<number, number> =
      mode === "vector" ? new Map() : listKeywordHits(sidecar, asked, FUSION_DEPTH);
    const near = vectorFor && compareQuery(deps, { root, sidecar }, vectorFor);
    const nearest = near?.nearest(FUSION_DEPTH).keys() ?? [];
    return listChunkRefs(sidecar, [...new Set([...keyword.keys(), ...nearest])]).map((ref) => {
      const cosines = near?.of(ref.chunkId);
      return {
        ...ref,
        rootIndex: root.rootIndex,
        keyword: keyword.get(ref.chunkId),
        vector: cosines && cosines.whole > 0 ? cosines.whole : undefined,
        parts: cosines?.parts ?? [],
        held: held.get(ref.chunkId) ?? 0,
      };
    });
  } catch (error) {
    const failure = toRetrievalError(error);
    if (!(failure instanceof SidecarDamaged)) throw failure;
    deps.sidecars.drop(root.path);
    deps.warn(root, error);
    return [];
  }
}

function compareQuery(
  { sidecars }: SearchDeps,
  { root, sidecar }: { root: RetrievalRoot; sidecar: Sidecar },
  vectorFor: QueryVector,
): Nearness | undefined {
  const { index, model } = sidecars.vectorsOf(root.path, sidecar);
  const vector = vectorFor(model);
  if (!vector || index.dimensions === 0) return undefined;
  const near = index.compare(vector);
  if (!near) throw otherVectors({ indexed: index.dimensions, given: vector.length });
  return near;
}

function toHit(hit: Ranked, details: ChunkDetails, { mode }: SearchRequest): Hit {
  const { rootIndex, chunkId, documentId, path, ordinal, sensitive, score } = hit;
  const components =
    mode === "hybrid" ? { keywordScore: saturate(hit.keyword), vectorScore: hit.vector ?? 0 } : {};
  return {
    rootIndex,
    chunkId,
    documentId,
    path,
    ordinal,
    sensitive,
    score,
    ...details,
    ...components,
  };
}
