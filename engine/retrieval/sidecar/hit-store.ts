import { QUOTED_CHUNKS_MAX } from "../limits.ts";
import type { Hit } from "../retrieval.ts";
import { countHeld } from "../text/keyword-query.ts";
import type { Sidecar } from "./sidecar.ts";

/** A chunk in a list of hits, without its text. */
export interface ChunkRef
  extends Pick<Hit, "chunkId" | "documentId" | "path" | "ordinal" | "sensitive"> {
  /** The hash of text and headings, to detect copies. */
  contentKey: string;
}

/** The text of a chunk. */
export type ChunkDetails = Pick<Hit, "content" | "startLine" | "endLine" | "tokenEstimate">;

// Path, title, heading, body, parts of identifiers.
const WEIGHTS = "4, 3, 2, 1, 1";
// FTS5 gives almost no weight to a term in half of the rows. In a small index that would be most terms.
const SMALL_INDEX_CHUNKS = 500;
const FLOOR = 1e-6;
const TIES_MAX = 4_000;

/**
 * The best chunks by BM25, best first, with all ties of the last one and those of `also` that have one of the terms.
 * Scores rise with relevance.
 */
export function listKeywordHits(
  sidecar: Sidecar,
  { terms, also = [] }: { terms: readonly string[]; also?: Iterable<number> },
  depth: number,
): Map<number, number> {
  if (terms.length === 0) return new Map();
  const wanted = [...also];
  const [rows = 0] = sidecar.get<[number]>("SELECT count(*) FROM chunk") ?? [];
  if (rows <= SMALL_INDEX_CHUNKS) return withTies(sumOfTerms(sidecar, terms, rows), depth, wanted);
  const whole = terms.join(" OR ");
  const rare = terms.filter((term) => !isInHalf(sidecar, term, rows)).join(" OR ");
  const rareHits = rare === "" ? [] : matches(sidecar, rare, TIES_MAX);
  const hits = rareHits.length > depth ? rareHits : matches(sidecar, whole, TIES_MAX);
  return withTies([...hits, ...matchesAmong(sidecar, whole, wanted)], depth, wanted);
}

// FTS5 gives such a term no weight, and scores each of its rows: the name of the language of a root would double the time.
function isInHalf(sidecar: Sidecar, term: string, rows: number): boolean {
  const half = Math.ceil(rows / 2);
  const sql = "SELECT count(*) FROM (SELECT 1 FROM chunk_fts WHERE chunk_fts MATCH ? LIMIT ?)";
  return sidecar.get<[number]>(sql, [term, half])?.[0] === half;
}

/** How many of the quoted phrases each chunk holds word by word, of the chunks that hold any. */
export function countPhrases(sidecar: Sidecar, phrases: readonly string[]): Map<number, number> {
  if (phrases.length === 0) return new Map();
  // The full text index has only stems, so the text itself is checked.
  const expression = phrases.map((phrase) => `body : "${phrase}"`).join(" OR ");
  const ids = matches(sidecar, expression, QUOTED_CHUNKS_MAX).map(([id]) => id);
  const held = sidecar
    .all<[number, string]>(`SELECT id, content FROM chunk WHERE id ${AMONG}`, [JSON.stringify(ids)])
    .map(([id, content]): [number, number] => [id, countHeld(content, phrases)]);
  return new Map(held.filter(([, count]) => count > 0));
}

const AMONG = "IN (SELECT value FROM json_each(?))";

const MATCHES = `SELECT rowid, -bm25(chunk_fts, ${WEIGHTS}) AS score FROM chunk_fts WHERE chunk_fts MATCH ?`;

function matches(sidecar: Sidecar, expression: string, limit: number): [number, number][] {
  return sidecar.all(`${MATCHES} ORDER BY score DESC LIMIT ?`, [expression, limit]);
}

// The plus sign: one pass over all matches, where SQLite would search once for each id.
function matchesAmong(
  sidecar: Sidecar,
  expression: string,
  ids: readonly number[],
): [number, number][] {
  if (ids.length === 0) return [];
  return sidecar.all(`${MATCHES} AND +rowid ${AMONG}`, [expression, JSON.stringify(ids)]);
}

// Term by term, with a rarity above zero for the most common terms, too.
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
  also: readonly number[],
): Map<number, number> {
  const last = hits[depth - 1]?.[1] ?? Number.NEGATIVE_INFINITY;
  const wanted = new Set(also);
  return new Map(hits.filter(([id, score]) => score >= last || wanted.has(id)));
}

export function listChunkRefs(sidecar: Sidecar, chunkIds: readonly number[]): ChunkRef[] {
  return sidecar
    .all<[number, number, string, number, Uint8Array, number]>(
      `SELECT chunk.id, document_id, path, ordinal, content_hash, sensitive FROM chunk JOIN document ON document.id = document_id WHERE chunk.id ${AMONG}`,
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
