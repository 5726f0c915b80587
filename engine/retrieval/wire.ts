import { z } from "@hono/zod-openapi";
import { RootIndex } from "../files/wire.ts";
import { RAG_LIMIT_DEFAULT, RAG_LIMIT_MAX, RAG_LIMIT_MIN } from "./limits.ts";
import type {
  Hit,
  IndexProgress,
  RetrievalRoot,
  RootCounts,
  RootStatus as Status,
} from "./retrieval.ts";

/** Engine §2, retrieval objects. */
export const RagSearch = z
  .object({
    query: z.string().min(1),
    mode: z.enum(["keyword", "vector", "hybrid"]).default("hybrid"),
    limit: z.int().min(RAG_LIMIT_MIN).max(RAG_LIMIT_MAX).default(RAG_LIMIT_DEFAULT),
    /** Additive: leaves unusable roots out; `rag/status` has the reason. */
    skipUnavailableRoots: z.boolean().default(false),
  })
  .openapi("RagSearch");
export type RagSearch = z.infer<typeof RagSearch>;

export const RagRootIndex = z
  .object({
    rootIndex: z.int(),
    indexed: z.int(),
    unchanged: z.int(),
    skipped: z.int(),
    errors: z.int(),
    removed: z.int(),
  })
  .openapi("RagRootIndex");
export type RagRootIndex = z.infer<typeof RagRootIndex>;

export const RagWorkspaceIndex = z
  .object({ roots: z.array(RagRootIndex) })
  .openapi("RagWorkspaceIndex");

export const RagResult = z
  .object({
    chunk_id: z.int(),
    document_id: z.int(),
    path: z.string(),
    document_path: z.string(),
    ordinal: z.int(),
    content: z.string(),
    start_line: z.int().nullable(),
    end_line: z.int().nullable(),
    token_estimate: z.int().nullable(),
    status: z.string(),
    score: z.number(),
    result_type: z.literal("chunk"),
    rootIndex: z.int(),
    keyword_score: z.number().optional(),
    vector_score: z.number().optional(),
    sensitive: z.literal(true).optional(),
    metadata_only: z.literal(true).optional(),
  })
  .openapi("RagResult");
export type RagResult = z.infer<typeof RagResult>;

/** The state of the index of a root; additive (decision E-RAG-38). */
export const RagRootStatus = z
  .object({
    rootIndex: z.int(),
    enabled: z.boolean(),
    /** Whether a search uses the index. */
    searchable: z.boolean(),
    /** Why the root cannot be used, as a sentence. */
    problem: z.string().nullable(),
    documents: z.int(),
    chunks: z.int(),
    /** The current index run. */
    running: z
      .object({
        phase: z.enum(["waiting", "reading", "embedding"]),
        done: z.int(),
        total: z.int().nullable(),
      })
      .nullable(),
    /** What the last run could not read: see `rag/failures`. */
    failedFiles: z.int(),
    /** Whether changes of files are seen as they happen. */
    watching: z.boolean(),
    /** Why they are not, although `ragConfig` says `watch`, as a sentence. */
    watchProblem: z.string().nullable(),
    lastIndexedAt: z.string().nullable(),
    /** The current index run, by its files. */
    progress: z
      .object({
        phase: z.enum(["waiting", "counting", "reading", "embedding"]),
        filesDone: z.int(),
        filesTotal: z.int().nullable(),
      })
      .nullable(),
  })
  .openapi("RagRootStatus");
export type RagRootStatus = z.infer<typeof RagRootStatus>;

/** The number of cancelled index runs; additive. */
export const RagCancelled = z.object({ cancelled: z.int() }).openapi("RagCancelled");

/** A file or folder that could not be read; additive. */
export const RagFailure = z.object({ path: z.string(), reason: z.string() }).openapi("RagFailure");

export const RagStatus = z.object({ roots: z.array(RagRootStatus) }).openapi("RagStatus");

/** The root whose failures are listed. */
export const FailuresQuery = z.object({ rootIndex: RootIndex });

/** The position of a root in a request path. */
export const RootIndexParam = z.object({
  uuid: z.string(),
  root_index: z.string().regex(/^-?\d+$/, "must be an integer"),
});

export function toRagRootIndex({ rootIndex }: RetrievalRoot, counts: RootCounts): RagRootIndex {
  return { rootIndex, ...counts };
}

export function toRagResult(hit: Hit): RagResult {
  return {
    chunk_id: hit.chunkId,
    document_id: hit.documentId,
    path: hit.path,
    document_path: hit.path,
    ordinal: hit.ordinal,
    content: hit.content,
    start_line: hit.startLine,
    end_line: hit.endLine,
    token_estimate: hit.tokenEstimate,
    status: hit.sensitive ? "metadata_only" : "indexed",
    score: hit.score,
    result_type: "chunk",
    rootIndex: hit.rootIndex,
    ...(hit.keywordScore === undefined ? {} : { keyword_score: hit.keywordScore }),
    ...(hit.vectorScore === undefined ? {} : { vector_score: hit.vectorScore }),
    ...(hit.sensitive ? { sensitive: true, metadata_only: true } : {}),
  };
}

export function toRagRootStatus(
  {
    root: { rootIndex, enabled, watch },
    status,
    problem,
  }: {
    root: { rootIndex: number; enabled: boolean; watch: boolean };
    status: Status | undefined;
    problem: string | null;
  },
  watchProblem: string | null,
): RagRootStatus {
  const progress = status?.progress;
  const isWatched = watch && enabled;
  return {
    rootIndex,
    enabled,
    problem,
    searchable: status?.searchable ?? false,
    documents: status?.documents ?? 0,
    chunks: status?.chunks ?? 0,
    running: progress ? toRunning(progress) : null,
    failedFiles: status?.failedFiles ?? 0,
    watching: isWatched && problem === null && watchProblem === null,
    watchProblem: isWatched ? watchProblem : null,
    lastIndexedAt: status?.lastIndexedAt ?? null,
    progress: progress ? toShare(progress) : null,
  };
}

/** The step of a run as clients of `running` know it: counting is a part of reading. */
export function toRunning({ phase, done, total }: IndexProgress) {
  return { phase: phase === "counting" ? ("reading" as const) : phase, done, total };
}

function toShare({ phase, filesDone, filesTotal }: IndexProgress) {
  return { phase, filesDone, filesTotal };
}
