import type { Sidecar } from "./sidecar.ts";

/** A chunk in a list of hits, without its text. */
export interface Place {
  chunkId: number;
  documentId: number;
  path: string;
  ordinal: number;
  /** Of the text and its headings, for telling copies. */
  contentKey: string;
  sensitive: boolean;
}

/** The fields of a chunk that a result contains. */
interface ChunkDetails {
  content: string;
  startLine: number | null;
  endLine: number | null;
  tokenEstimate: number | null;
}

// Path, title, heading, body, parts of identifiers.
const WEIGHTS = "4, 3, 2, 1, 1";
// FTS5 gives a term that half of the rows have next to nothing. In a small index that would be most terms.
const SMALL_INDEX_CHUNKS = 500;
const FLOOR = 1e-6;
const TIES_MAX = 4_000;

/** The best chunks by BM25, best first; all that tie with the last one are among them. Scores rise with relevance. */
export function listKeywordHits(
  sidecar: Sidecar,
  terms: readonly string[],
  depth: number,
): Map<number, number> {
  if (terms.length === 0) return new Map();
  const [rows = 0] = sidecar.get<[number]>("SELECT count(*) FROM chunk") ?? [];
  if (rows <= SMALL_INDEX_CHUNKS) return withTies(sumOfTerms(sidecar, terms, rows), depth);
  const expression = terms.join(" OR ");
  const best = matches(sidecar, expression, depth + 1);
  const isCut = best.length > depth && best.at(-1)?.[1] === best.at(-2)?.[1];
  return withTies(isCut ? matches(sidecar, expression, TIES_MAX) : best, depth);
}

function matches(sidecar: Sidecar, expression: string, limit: number): [number, number][] {
  return sidecar.all<[number, number]>(
    `SELECT rowid, -bm25(chunk_fts, ${WEIGHTS}) AS score FROM chunk_fts WHERE chunk_fts MATCH ? ORDER BY score DESC LIMIT ?`,
    [expression, limit],
  );
}

// Term by term, with a rarity that stays above zero however common a term is.
function sumOfTerms(sidecar: Sidecar, terms: readonly string[], rows: number): [number, number][] {
  const scores = new Map<number, number>();
  for (const term of terms) {
    const hits = matches(sidecar, term, SMALL_INDEX_CHUNKS);
    const odds = (rows - hits.length + 0.5) / (hits.length + 0.5);
    const given = Math.log(odds) > 0 ? Math.log(odds) : FLOOR;
    const rarity = Math.log(1 + odds) / given;
    for (const [id, score] of hits) scores.set(id, (scores.get(id) ?? 0) + score * rarity);
  }
  return [...scores].sort(([, a], [, b]) => b - a);
}

function withTies(
  hits: readonly (readonly [number, number])[],
  depth: number,
): Map<number, number> {
  const last = hits[depth - 1]?.[1] ?? Number.NEGATIVE_INFINITY;
  return new Map(hits.filter(([, score]) => score >= last));
}

export function listPlaces(sidecar: Sidecar, chunkIds: readonly number[]): Place[] {
  return sidecar
    .all<[number, number, string, number, Uint8Array, number]>(
      "SELECT chunk.id, document_id, path, ordinal, content_hash, sensitive FROM chunk JOIN document ON document.id = document_id WHERE chunk.id IN (SELECT value FROM json_each(?))",
      [JSON.stringify(chunkIds)],
    )
    .map(([chunkId, documentId, path, ordinal, contentHash, sensitive]) => ({
      chunkId,
      documentId,
      path,
      ordinal,
      contentKey: Buffer.from(contentHash).toString("base64"),
      sensitive: sensitive === 1,
    }));
}

export function findChunkDetails(sidecar: Sidecar, chunkId: number): ChunkDetails | undefined {
  const row = sidecar.get<[string, number | null, number | null, number | null]>(
    "SELECT content, start_line, end_line, token_estimate FROM chunk WHERE id = ?",
    [chunkId],
  );
  if (!row) return undefined;
  const [content, startLine, endLine, tokenEstimate] = row;
  return { content, startLine, endLine, tokenEstimate };
}
