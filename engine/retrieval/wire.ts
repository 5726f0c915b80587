import { z } from "@hono/zod-openapi";
import { RootIndex } from "../files/wire.ts";
import { field, object } from "../http/fields.ts";
import { UuidParam } from "../http/wire.ts";
import { RAG_LIMIT_DEFAULT, RAG_LIMIT_MAX, RAG_LIMIT_MIN } from "./limits.ts";
import type { Hit, IndexProgress, RootStatus } from "./retrieval.ts";

/** Engine §2, retrieval objects. */
export const RagSearch = object({
  query: z.string().min(1).describe("What to search for; not empty, and cut at 8,000 characters."),
  mode: z
    .enum(["keyword", "vector", "hybrid"])
    .default("hybrid")
    .describe("How to search: by words, by meaning, or by both; by default `hybrid`."),
  limit: z
    .int()
    .min(RAG_LIMIT_MIN)
    .max(RAG_LIMIT_MAX)
    .default(RAG_LIMIT_DEFAULT)
    .describe("The number of results at most: 1 to 50, by default 8."),
  skipUnavailableRoots: z
    .boolean()
    .default(false)
    .describe(
      "Whether roots that cannot be used are left out instead of failing the search; by default false.",
    ),
}).openapi("RagSearch", { description: "A search." });
export type RagSearch = z.infer<typeof RagSearch>;

export const RagRootIndex = object({
  rootIndex: field.integer("The position of the root in `directories`, from 0."),
  indexed: field.integer("Files that were indexed."),
  unchanged: field.integer("Files that were indexed before and did not change."),
  skipped: field.integer("Files that are not indexed, by type or size."),
  errors: field.integer("Files that could not be read."),
  removed: field.integer("Files that were removed from the index."),
}).openapi("RagRootIndex", { description: "The outcome of an index run in one root." });
export type RagRootIndex = z.infer<typeof RagRootIndex>;

export const RagWorkspaceIndex = object({
  roots: field.list(RagRootIndex, "One entry for each enabled root."),
}).openapi("RagWorkspaceIndex", { description: "The outcome of an index run." });

export const RagResult = object({
  chunk_id: field.integer("The number of the piece in the index of its root."),
  document_id: field.integer("The number of the document in the index of its root."),
  path: field.text("The path of the document, relative to its root."),
  document_path: field.text("The same value as `path`."),
  ordinal: field.integer("The position of the piece in its document, from 0."),
  content: field.text(
    "The text. For a sensitive file: a sentence that says that its content is not indexed.",
  ),
  start_line: field.nullableInteger(
    "The first line, from 1; null where the document has no lines.",
  ),
  end_line: field.nullableInteger("The last line; null where the document has no lines."),
  token_estimate: field.nullableInteger(
    "About how many tokens the text has; null where that is not known.",
  ),
  status: field.text("`indexed`, or `metadata_only` for a sensitive file."),
  score: z
    .number()
    .describe(
      "How well it matches; higher is better. Scores of different responses cannot be compared.",
    ),
  result_type: z.literal("chunk").describe("Always `chunk`."),
  rootIndex: field.integer("The position of the root in `directories`, from 0."),
  keyword_score: z
    .number()
    .optional()
    .describe("The score of the words, where they were searched."),
  vector_score: z.number().optional().describe("The score of the meaning, where it was searched."),
  sensitive: z.literal(true).optional().describe("True where the file is withheld, else absent."),
  metadata_only: z
    .literal(true)
    .optional()
    .describe("True where only the path is shown, else absent."),
}).openapi("RagResult", { description: "A piece of a document that was found." });
export type RagResult = z.infer<typeof RagResult>;

/** The state of the index of a root; additive (decision E-RAG-38). */
export const RagRootStatus = object({
  rootIndex: field.integer("The position of the root in `directories`, from 0."),
  enabled: field.flag("Whether `ragConfig` leaves the root enabled."),
  searchable: field.flag("Whether a search uses the index."),
  problem: field.nullableText("Why the root cannot be used, as a sentence; null where it can."),
  documents: field.integer("How many documents the index has."),
  chunks: field.integer("How many pieces the index has."),
  running: object({
    phase: field.choice(["waiting", "reading", "embedding"], "The step of the run."),
    done: field.integer("How many files or pieces are done."),
    total: field.nullableInteger("How many there are; null until that is known."),
  })
    .nullable()
    .describe("The current index run; null where there is none."),
  failedFiles: field.integer(
    "How many files and folders could not be read; `rag/failures` lists them.",
  ),
  watching: field.flag("Whether the index follows the files of the root as they change."),
  watchProblem: field.nullableText(
    "Why it does not follow them at once, although `ragConfig` says `watch`: a root that cannot be watched is walked every 5 minutes; else null.",
  ),
  lastIndexedAt: field.nullableText(
    "When the last complete index run ended; null before the first one.",
  ),
  progress: object({
    phase: field.choice(
      ["waiting", "counting", "reading", "embedding"],
      "What the run does now; `counting` comes first and is quick.",
    ),
    filesDone: field.integer("How many files are done."),
    filesTotal: field.nullableInteger("How many files the root has; null until they are counted."),
  })
    .nullable()
    .describe("The share of the index run that is on; null where none is."),
}).openapi("RagRootStatus", { description: "The state of the index of one root." });
export type RagRootStatus = z.infer<typeof RagRootStatus>;

export const RagCancelled = object({
  cancelled: field.integer("The number of runs; 0 where none was running."),
}).openapi("RagCancelled", { description: "The index runs that end." });

export const RagFailure = object({
  path: field.text("The path, relative to the root; that of a folder ends in `/`."),
  reason: field.text("Why it could not be read, as a sentence."),
}).openapi("RagFailure", { description: "A file or folder that could not be read." });
export type RagFailure = z.infer<typeof RagFailure>;

export const RagStatus = object({
  roots: field.list(RagRootStatus, "One entry for each root, in the order of `directories`."),
}).openapi("RagStatus", { description: "The state of the indexes of a workspace." });

export const FailuresQuery = object({
  rootIndex: RootIndex.openapi({
    param: { description: "The position of the root in `directories`, from 0." },
  }),
});

/** The position of a root in a request path. */
export const RootIndexParam = UuidParam.extend({
  root_index: z
    .string()
    .regex(/^-?\d+$/, "must be an integer")
    .describe("The position of the root in `directories` of the workspace, from 0."),
});

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
    keyword_score: hit.keywordScore,
    vector_score: hit.vectorScore,
    ...(hit.sensitive ? { sensitive: true, metadata_only: true } : {}),
  };
}

export function toRagRootStatus(
  {
    root: { rootIndex, enabled, watch },
    status: { progress, ...index },
    problem,
  }: {
    root: { rootIndex: number; enabled: boolean; watch: boolean };
    status: RootStatus;
    problem: string | null;
  },
  watchProblem: string | null,
): RagRootStatus {
  const isWatched = watch && enabled;
  return {
    rootIndex,
    enabled,
    problem,
    ...index,
    running: progress && toRunning(progress),
    watching: isWatched && problem === null && watchProblem === null,
    watchProblem: isWatched ? watchProblem : null,
    progress: progress && toShare(progress),
  };
}

/** The step of a run as clients of `running` know it: counting is a part of reading. */
export function toRunning({ phase, done, total }: IndexProgress) {
  return { phase: phase === "counting" ? ("reading" as const) : phase, done, total };
}

function toShare({ phase, filesDone, filesTotal }: IndexProgress) {
  return { phase, filesDone, filesTotal };
}
