import { hash } from "node:crypto";
import { TEXT_FILE_BYTES_MAX } from "../../files/limits.ts";
import { readFileWithin } from "../../files/within-sync.ts";
import {
  type DocumentKind,
  documentBytesMax,
  documentKindOf,
  isDocument,
} from "../documents/document-kind.ts";
import type { DocumentPage, DocumentText } from "../documents/document-page.ts";
import { isMinified } from "../ignored.ts";
import { DOCUMENT_CHUNKS_MAX } from "../limits.ts";
import { SENSITIVE_NOTICE } from "../sensitive.ts";
import type { NewChunk, NewDocument } from "../sidecar/document-store.ts";
import { type Chunk, chunkText } from "../text/chunk.ts";
import { decodeText } from "../text/decode.ts";
import { kindOf } from "../text/kind.ts";
import { redactSecrets } from "../text/secrets.ts";
import { cutTitle, titleOf } from "../text/title.ts";
import { estimateTokens } from "../text/words.ts";
import type { IndexRun } from "./index-run.ts";

/** The result of preparing a file. */
export type Prepared =
  | { kind: "document"; document: Content }
  /** Unchanged since it was indexed. */
  | { kind: "same" }
  /** Not text, or too long. */
  | { kind: "skipped" }
  /** Not worth indexing, such as a minified script; not counted. */
  | { kind: "ignored" }
  | { kind: "gone" }
  /** Unreadable now; its document stays. */
  | { kind: "error"; reason: string }
  /** Unreadable, and a retry would fail; its document stays. */
  | { kind: "failed"; hash: Uint8Array; reason: string }
  | { kind: "failed-before" };

type Content = Pick<NewDocument, "path" | "hash" | "title" | "sensitive" | "chunks">;

const HASH_BYTES = 16;

/** The document of a sensitive file: its existence alone. The file is not opened. */
export function prepareSensitive(path: string): Content {
  const chunk: Chunk = { content: SENSITIVE_NOTICE, startLine: null, endLine: null, heading: "" };
  return { path, hash: null, title: "", sensitive: true, chunks: [toNewChunk(chunk, "")] };
}

type Reading = Pick<IndexRun, "root" | "realRoot" | "documents" | "heartbeat" | "signal">;

/** The stored hashes of a file: of its indexed bytes, and of bytes that failed. */
interface KnownBytes {
  indexed: Uint8Array | null;
  failed: Uint8Array | null;
}

/** Reads a file and cuts it into chunks. @throws the signal's reason. */
export async function prepareDocument(
  reading: Reading,
  path: string,
  known: KnownBytes,
): Promise<Prepared> {
  const read = readAndDigest(reading, path, known);
  if ("prepared" in read) return read.prepared;
  const { kind, bytes, digest } = read;
  const answer = await reading.documents.read({ kind, bytes }, reading.signal).catch((error) => {
    reading.signal.throwIfAborted();
    // The thread failed, not the document: the next run retries.
    return error instanceof Error ? ("lost" as const) : Promise.reject(error);
  });
  if (answer === "lost") return { kind: "error", reason: LOST };
  if (answer.kind === "failed") return { kind: "failed", hash: digest, reason: answer.reason };
  using _ = reading.heartbeat.enter(reading.root.path, path);
  return toDocument(path, digest, chunkDocument(answer));
}

const UNREADABLE = "The file cannot be opened or read.";
const LOST = "The thread that read the document ended; the next run retries.";

type ReadDocument = { kind: DocumentKind; bytes: Uint8Array; digest: Buffer };

// Synchronous, so that the mark holds while the thread is blocked. A document has a thread of its own.
function readAndDigest(
  { root, realRoot, heartbeat }: Reading,
  path: string,
  known: KnownBytes,
): { prepared: Prepared } | ReadDocument {
  using _ = heartbeat.enter(root.path, path);
  const kind = documentKindOf(path);
  const read = readFileWithin(realRoot, path, kind ? documentBytesMax(kind) : TEXT_FILE_BYTES_MAX);
  if (read.kind === "gone") return { prepared: { kind: "gone" } };
  if (read.kind === "too-large") return { prepared: { kind: "skipped" } };
  if (read.kind === "unreadable") return { prepared: { kind: "error", reason: UNREADABLE } };
  const { bytes } = read;
  const digest = digestOf(bytes);
  if (known.indexed && digest.equals(known.indexed)) return { prepared: { kind: "same" } };
  if (known.failed && digest.equals(known.failed)) return { prepared: { kind: "failed-before" } };
  if (kind && isDocument(kind, bytes)) return { kind, bytes, digest };
  return { prepared: prepareText(path, bytes, digest) };
}

function prepareText(path: string, bytes: Uint8Array, digest: Buffer): Prepared {
  if (bytes.length > TEXT_FILE_BYTES_MAX) return { kind: "skipped" };
  const decoded = decodeText(bytes);
  if (decoded === undefined) return { kind: "skipped" };
  if (isMinified(path, decoded)) return { kind: "ignored" };
  const kind = kindOf(path);
  const text = redactSecrets(decoded);
  return toDocument(path, digest, { title: titleOf(text, kind), chunks: chunkText(text, kind) });
}

function toDocument(
  path: string,
  digest: Uint8Array,
  { title, chunks }: { title: string; chunks: readonly Chunk[] },
): Prepared {
  const rows = chunks.map((chunk) => toNewChunk(chunk, title));
  const document = { path, hash: digest, title, sensitive: false, chunks: rows };
  return { kind: "document", document };
}

function toNewChunk(chunk: Chunk, title: string): NewChunk {
  const contentHash = digestOf(`${title}\0${chunk.heading}\0${chunk.content}`);
  const tokenEstimate = estimateTokens(chunk.content);
  return { ...chunk, contentHash, tokenEstimate, embedding: undefined };
}

function digestOf(data: Uint8Array | string): Buffer {
  return hash("sha256", data, "buffer").subarray(0, HASH_BYTES);
}

/** Title and chunks of a document's text. They have line numbers only if the file has lines that can be counted. @internal for tests */
export function chunkDocument({ title, pages }: DocumentText): { title: string; chunks: Chunk[] } {
  const chunks: Chunk[] = [];
  const redacted = pages.map((page) => ({ ...page, text: redactSecrets(page.text) }));
  for (const page of redacted) {
    for (const chunk of chunkText(page.text, page.kind)) {
      if (chunks.length === DOCUMENT_CHUNKS_MAX) break;
      const heading = page.heading === "" ? chunk.heading : page.heading;
      chunks.push({ ...chunk, ...linesOf(chunk, page), heading: redactSecrets(heading) });
    }
  }
  return { title: redactSecrets(cutTitle(title)) || firstTitle(redacted[0]), chunks };
}

// The first line of a page with a heading of its own, such as a sheet, is no title of the document.
function firstTitle(page: DocumentPage | undefined): string {
  return page && page.heading === "" ? titleOf(page.text, page.kind) : "";
}

function linesOf({ startLine, endLine }: Chunk, { lines }: DocumentPage) {
  const lineOf = (line: number | null) => (line === null ? null : (lines?.[line - 1] ?? null));
  return { startLine: lineOf(startLine), endLine: lineOf(endLine) };
}
