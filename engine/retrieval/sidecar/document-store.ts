import { languageOf } from "../text/kind.ts";
import { identifierParts, toIndexText } from "../text/words.ts";
import { upsertMeta } from "./meta-store.ts";
import { type Sidecar, toBlob } from "./sidecar.ts";

/** A stored document. */
export interface DocumentRow {
  id: number;
  path: string;
  /** Size and times of the file when it was read; null if they were too recent (see `stampOf`). */
  stamp: string | null;
  hash: Uint8Array | null;
  /** The device of the file, if it differs from the root's. */
  device: string | null;
  title: string;
  sensitive: boolean;
}

/** A chunk to store. */
export interface NewChunk {
  startLine: number | null;
  endLine: number | null;
  heading: string;
  content: string;
  /** The hash of all indexed parts of the chunk: equal hashes mean equal rows. */
  contentHash: Uint8Array;
  tokenEstimate: number | null;
  embedding: Int8Array | undefined;
}

export interface NewDocument extends Omit<DocumentRow, "id"> {
  chunks: readonly NewChunk[];
}

type DocumentValues = [
  number,
  string,
  string | null,
  Uint8Array | null,
  string | null,
  string,
  number,
];
const DOCUMENT = "SELECT id, path, stamp, hash, device, title, sensitive FROM document";

const INSERT_DOCUMENT =
  "INSERT INTO document (stamp, hash, device, title, sensitive, path) VALUES (?, ?, ?, ?, ?, ?)";
const UPDATE_DOCUMENT =
  "UPDATE document SET stamp = ?, hash = ?, device = ?, title = ?, sensitive = ? WHERE path = ?";

export function listDocuments(sidecar: Sidecar): DocumentRow[] {
  return sidecar.all<DocumentValues>(DOCUMENT).map(toDocumentRow);
}

function findDocument(sidecar: Sidecar, path: string): DocumentRow | undefined {
  const row = sidecar.get<DocumentValues>(`${DOCUMENT} WHERE path = ?`, [path]);
  return row && toDocumentRow(row);
}

function toDocumentRow([id, path, stamp, hash, device, title, sensitive]: DocumentValues) {
  return { id, path, stamp, hash, device, title, sensitive: sensitive === 1 };
}

export function updateStamp(sidecar: Sidecar, id: number, stamp: string | null): void {
  sidecar.run("UPDATE document SET stamp = ? WHERE id = ?", [stamp, id]);
}

/**
 * Stores a document. Unchanged chunks keep their ids and vectors. Compares with the index's current rows, not with those
 * that the run read: two engines may index one root. Call it within a write.
 */
export function replaceDocument(sidecar: Sidecar, document: NewDocument): void {
  const { path, stamp, hash, device, title } = document;
  const sensitive = document.sensitive ? 1 : 0;
  const before = findDocument(sidecar, path);
  const stored = before ? chunksOf(sidecar, before.id) : [];
  const isAlike = before?.sensitive === document.sensitive;
  const alike = Map.groupBy(isAlike ? stored : [], ({ contentHash }) => keyOf(contentHash));
  const values = [stamp, hash, device, title, sensitive, path];
  const id = before?.id ?? sidecar.run(INSERT_DOCUMENT, values);
  if (before) sidecar.run(UPDATE_DOCUMENT, values);
  const outdated = new Set(stored);
  document.chunks.forEach((chunk, ordinal) => {
    const same = alike.get(keyOf(chunk.contentHash))?.shift();
    if (same) {
      outdated.delete(same);
      moveChunk(sidecar, same.id, { ...chunk, ordinal });
    } else insertChunk(sidecar, { ...document, id }, { ...chunk, ordinal });
  });
  if (before) for (const chunk of outdated) deleteChunk(sidecar, before, chunk);
}

/** Call it within a write. */
export function deleteDocument(sidecar: Sidecar, path: string): void {
  const document = findDocument(sidecar, path);
  if (!document) return;
  for (const chunk of chunksOf(sidecar, document.id)) deleteChunk(sidecar, document, chunk);
  sidecar.run("DELETE FROM document WHERE id = ?", [document.id]);
}

interface StoredChunk extends Pick<NewChunk, "heading" | "content" | "contentHash"> {
  id: number;
}

function chunksOf(sidecar: Sidecar, documentId: number): StoredChunk[] {
  return sidecar
    .all<[number, string, string, Uint8Array]>(
      "SELECT id, heading, content, content_hash FROM chunk WHERE document_id = ? ORDER BY ordinal",
      [documentId],
    )
    .map(([id, heading, content, contentHash]) => ({ id, heading, content, contentHash }));
}

type PlacedChunk = NewChunk & { ordinal: number };

function insertChunk(
  sidecar: Sidecar,
  document: NewDocument & { id: number },
  chunk: PlacedChunk,
): void {
  const { startLine, endLine, heading, content, contentHash, tokenEstimate, embedding } = chunk;
  const id = sidecar.run(
    "INSERT INTO chunk (document_id, ordinal, start_line, end_line, heading, content, content_hash, token_estimate) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    [document.id, chunk.ordinal, startLine, endLine, heading, content, contentHash, tokenEstimate],
  );
  sidecar.run(
    "INSERT INTO chunk_fts (rowid, path, title, heading, body, idents) VALUES (?, ?, ?, ?, ?, ?)",
    [id, ...indexTexts(document, chunk)],
  );
  if (embedding) {
    sidecar.run("INSERT INTO vector (chunk_id, embedding) VALUES (?, ?)", [id, toBlob(embedding)]);
  }
}

function moveChunk(sidecar: Sidecar, id: number, chunk: PlacedChunk): void {
  const place = [chunk.ordinal, chunk.startLine, chunk.endLine];
  sidecar.run(
    "UPDATE chunk SET ordinal = ?, start_line = ?, end_line = ? WHERE id = ? AND (ordinal, start_line, end_line) IS NOT (?, ?, ?)",
    [...place, id, ...place],
  );
}

function deleteChunk(sidecar: Sidecar, document: DocumentRow, chunk: StoredChunk): void {
  sidecar.run(
    "INSERT INTO chunk_fts (chunk_fts, rowid, path, title, heading, body, idents) VALUES ('delete', ?, ?, ?, ?, ?, ?)",
    [chunk.id, ...indexTexts(document, chunk)],
  );
  sidecar.run("DELETE FROM chunk WHERE id = ?", [chunk.id]);
  upsertMeta(sidecar, "purge_pending", "1");
}

// The full text values of a chunk. For a sensitive file only the words of its path. The name of its language belongs to these: where
// all chunks share it, it weighs nothing (E-RAG-52).
function indexTexts(
  { path, title, sensitive }: Pick<DocumentRow, "path" | "title" | "sensitive">,
  { heading, content }: Pick<NewChunk, "heading" | "content">,
): string[] {
  const pathWords = toIndexText(`${path} ${identifierParts(path)} ${languageOf(path)}`);
  if (sensitive) return [pathWords, "", "", "", ""];
  const idents = toIndexText(identifierParts(content));
  return [pathWords, toIndexText(title), toIndexText(heading), toIndexText(content), idents];
}

function keyOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString("base64");
}
