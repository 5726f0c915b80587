import { hash } from "node:crypto";
import { DOCUMENT_BYTES_MAX, TEXT_FILE_BYTES_MAX } from "../../limits.ts";
import { readDocx } from "../documents/docx.ts";
import { readPdf } from "../documents/pdf.ts";
import { isMinified } from "../ignored.ts";
import { SENSITIVE_NOTICE } from "../sensitive.ts";
import type { NewChunk, NewDocument } from "../sidecar/document-store.ts";
import { type Chunk, chunkText } from "../text/chunk.ts";
import { decodeText } from "../text/decode.ts";
import { extensionOf, kindOf } from "../text/kind.ts";
import { redactSecrets } from "../text/secrets.ts";
import { titleOf } from "../text/title.ts";
import { estimateTokens } from "../text/words.ts";
import { readFileWithin } from "./open-file.ts";

/** What a file is to the index. */
export type Prepared =
  | { kind: "document"; document: Content }
  /** As it was when it was indexed last. */
  | { kind: "same" }
  /** No text, or too much of it. */
  | { kind: "skipped" }
  /** Not worth finding, such as a minified script; counted nowhere. */
  | { kind: "ignored" }
  | { kind: "gone" }
  /** What was known of it stays. */
  | { kind: "error" };

type Content = Pick<NewDocument, "path" | "hash" | "title" | "sensitive" | "chunks">;

const HASH_BYTES = 16;

/** That a sensitive file exists: all that is stored of it. The file is not opened. */
export function prepareSensitive(path: string): Content {
  const chunk: Chunk = { content: SENSITIVE_NOTICE, startLine: null, endLine: null, heading: "" };
  return { path, hash: null, title: "", sensitive: true, chunks: [toNewChunk(chunk, "")] };
}

/** Reads a file and cuts it. `knownHash` is of the bytes that the index has. */
export async function prepareDocument(
  root: string,
  path: string,
  knownHash: Uint8Array | null,
): Promise<Prepared> {
  const reader = READERS[extensionOf(path)];
  const read = readFileWithin(root, path, reader ? DOCUMENT_BYTES_MAX : TEXT_FILE_BYTES_MAX);
  if (read.kind === "gone") return { kind: "gone" };
  if (read.kind !== "bytes") return { kind: read.kind === "too-large" ? "skipped" : "error" };
  const { bytes } = read;
  const digest = digestOf(bytes);
  if (knownHash && digest.equals(knownHash)) return { kind: "same" };
  if (reader?.recognizes(bytes)) {
    try {
      return toDocument(path, digest, await reader.read(bytes));
    } catch {
      return { kind: "error" };
    }
  }
  if (bytes.length > TEXT_FILE_BYTES_MAX) return { kind: "skipped" };
  const decoded = decodeText(bytes);
  if (decoded === undefined) return { kind: "skipped" };
  if (isMinified(path, decoded)) return { kind: "ignored" };
  const kind = kindOf(path);
  const text = redactSecrets(decoded);
  return toDocument(path, digest, { title: titleOf(text, kind), chunks: chunkText(text, kind) });
}

interface DocumentReader {
  recognizes(bytes: Uint8Array): boolean;
  read(bytes: Uint8Array): Promise<{ title: string; chunks: Chunk[] }>;
}

const READERS: Readonly<Record<string, DocumentReader | undefined>> = {
  pdf: { recognizes: (bytes) => startsWith(bytes, "%PDF-"), read: readPdf },
  docx: { recognizes: (bytes) => startsWith(bytes, "PK\x03\x04"), read: readDocx },
};

function startsWith(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes.subarray(0, text.length)).toString("latin1") === text;
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
